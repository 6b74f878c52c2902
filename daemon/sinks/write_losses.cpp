// SPDX-License-Identifier: Apache-2.0
#include "sinks/write_losses.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include "sinks/fd_writer.hpp"

namespace actord::sinks {

void WriteLosses::failed(int error, std::uint64_t items) {
  const bool is_first = std::exchange(error_, error) == 0;
  if (is_first) lost_before_ = lost();
  failed_writes_.fetch_add(1, std::memory_order_relaxed);
  lost_.fetch_add(items, std::memory_order_relaxed);
  if (!is_first || (error == ETIMEDOUT && !options_.reports_time_outs)) return;
  const std::string why =
      error == ETIMEDOUT ? "it takes nothing" : std::system_category().message(error);
  report("cannot write to " + options_.place + ": " + why + "; " + std::string(options_.items) +
         " are lost until it works again");
}

void WriteLosses::report_recovery() {
  error_ = 0;
  report(options_.place + " works again; " + counted(lost_in_failure(), "was lost", "were lost"));
}

void WriteLosses::report_at_end(std::uint64_t unformatted) {
  if (error_ == 0) return;
  std::string what = error_ == ETIMEDOUT ? options_.place + " is not read any more; "
                                         : options_.place + " did not work again (" +
                                               std::system_category().message(error_) + "); ";
  what += counted(lost_in_failure(), "is lost", "are lost");
  if (unformatted != 0) {
    what += ", and " + std::to_string(unformatted) + (unformatted == 1 ? " record" : " records") +
            " that did not fit into the buffer";
  }
  report(what);
}

std::string WriteLosses::counted(std::uint64_t n, std::string_view one,
                                 std::string_view more) const {
  const std::string_view items = options_.items;
  std::string text = std::to_string(n) + ' ';
  text += n == 1 ? items.substr(0, items.size() - 1) : items;  // without the s of the plural
  return text.append(" ").append(n == 1 ? one : more);
}

/// Does not wait, because the reader of the reports may be the one that does not read.
void WriteLosses::report(const std::string& what) const {
  if (options_.error_fd < 0) return;
  FdWriter writer(options_.error_fd);
  writer.set_timeout(0);
  writer.write(std::string(options_.error_prefix) + "actord: log: " + what + '\n');
}

}  // namespace actord::sinks
