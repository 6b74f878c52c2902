// SPDX-License-Identifier: Apache-2.0
#include "sinks/journal_sink.hpp"

#include "sinks/journal_entries.hpp"

namespace actord::sinks {

void JournalSink::log(const spdlog::details::log_msg& message) {
  std::string_view batch(message.payload.data(), message.payload.size());
  for (;;) {
    const std::string_view entry = next_journal_entry(batch);
    if (entry.empty()) return;
    if (const int error = writer_.write(entry); error == 0) losses_.succeeded();
    else losses_.failed(error, 1);
  }
}

}  // namespace actord::sinks
