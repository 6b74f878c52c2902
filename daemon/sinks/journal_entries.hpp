// SPDX-License-Identifier: Apache-2.0
//
// Records as entries for the journal, in the form of its native protocol
// (https://systemd.io/JOURNAL_NATIVE_PROTOCOL):
//
//   MESSAGE=actor.restarted /user/x the actor was restarted id=7q4m1
//   PRIORITY=4
//   MESSAGE_ID=…                       the event's own, see log/event_schema
//   SYSLOG_IDENTIFIER=actord
//   ACTORD_EVENT=actor.restarted       and so on: each field of the record, see journal_name
//
// A value with a line break follows its name as a length of 64 bits and the bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinks/console_lines.hpp"
#include "sinks/journal_name.hpp"
#include "sinks/json_lines.hpp"
#include "sinks/line_format.hpp"
#include "sinks/wall_time.hpp"

namespace actord::sinks {

/// Each field of the record is in the entry, and so is each member that every JSON line has. The
/// items of a list are values of one field, so that a search for one of them finds the entry; an
/// empty list is an empty value. A duration is a number of milliseconds, or of the unit that ends
/// its key. If a name is taken, by a member of every line or by an earlier field, the field has the
/// name of journal_misfit_name(). Texts are valid UTF-8: invalid bytes are replaced by U+FFFD.
///
/// append() writes one entry as a sized text (sized_text.hpp). A call allocates nothing if the
/// buffer is large enough, as a crash report requires.
class JournalEntries final : public LineFormat {
 public:
  explicit JournalEntries(const JsonEnvelope& envelope);

  void append(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) override;

 private:
  void append_head(LineBuffer& out, const log::Record& record);
  void append_envelope(LineBuffer& out, const log::Record& record, std::int64_t wall_ns);
  void append_field(LineBuffer& out, const log::Field& field);
  void append_value(LineBuffer& out, const JournalName& name, const log::Value& value,
                    std::int64_t unit_ns);
  const JournalName& name_for(std::string_view key, std::string_view suffix);

  const std::string common_;                 // the fields that are the same in all entries
  const std::vector<JournalName> envelope_;  // of the members that every line has
  ConsoleLines console_{false};
  UtcText utc_;
  // The names of the record's fields, as far as they are written.
  std::array<JournalName, log::record_fields_max> names_;
  std::size_t n_names_ = 0;
};

/// Takes the first entry from `batch`, the output of JournalEntries; empty: there is none.
std::string_view next_journal_entry(std::string_view& batch) noexcept;

}  // namespace actord::sinks
