// SPDX-License-Identifier: Apache-2.0
//
// Formats records for a terminal: one line each, the message first, the other fields as key=value.
//
//   10:32:01.123 ERROR actor.failed /user/crawler/fetcher-3 crawler::RetrievalException:
//     connection reset → restart (rule crawler::RetrievalException, crawler.conf:14) id=7q4m1
//   (on one line)
//
// For people only. Programs read the JSON lines.
#pragma once

#include <bitset>
#include <cstdint>
#include <string_view>

#include "sinks/console_style.hpp"
#include "sinks/line_format.hpp"
#include "sinks/wall_time.hpp"

namespace actord::sinks {

/// Control characters are escaped, so that no text can control the terminal. Times are local times
/// of day.
class ConsoleLines final : public LineFormat {
 public:
  enum class Time : bool { shown, left_out };

  /// Time::left_out: for readers that show the time themselves.
  explicit ConsoleLines(bool is_coloured, Time time = Time::shown)
      : is_coloured_(is_coloured), time_(time) {}

  void append(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) override;

  /// Appends the line without its time, its level and its newline, for readers that show these
  /// themselves and have the fields beside it. A failure ends with its id; of other records those
  /// fields are left out that say more about the actor than about the event.
  void append_sentence(LineBuffer& out, const log::Record& record);

 private:
  /// The value of a field; nullptr: there is none. The field is not repeated at the end of the
  /// line.
  const log::Value* take(std::string_view key);
  void begin_record(const log::Record& record);
  /// The same for fields that are texts; empty: there is none.
  std::string_view take_text(std::string_view key);

  void append_head(LineBuffer& out, const log::Record& record, std::int64_t wall_ns);
  void append_actor_and_message(LineBuffer& out, const log::Record& record);
  void append_failure(LineBuffer& out);
  void append_verdict(LineBuffer& out);
  void append_id(LineBuffer& out);
  void append_rest(LineBuffer& out, const log::Record& record);
  void append_pair(LineBuffer& out, std::string_view key, const log::Value& value);
  void append_styled(LineBuffer& out, Style style, std::string_view text);
  void begin(LineBuffer& out, Style style);
  void end(LineBuffer& out);

  const bool is_coloured_;
  const Time time_;
  LocalText local_;
  std::span<const log::Field> fields_;
  std::bitset<log::record_fields_max> taken_;
};

}  // namespace actord::sinks
