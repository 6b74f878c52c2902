// SPDX-License-Identifier: Apache-2.0
//
// Records for a person at a terminal: one line each, the story first, the rest as key=value.
//
//   10:32:01.123 ERROR actor.failed /user/crawler/fetcher-3 crawler::RetrievalException:
//     connection reset → restart (rule crawler::RetrievalException, crawler.conf:14) id=7q4m1
//   (on one line)
//
// For eyes only: programs read the JSON lines.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <string_view>

#include "sinks/line_format.hpp"
#include "sinks/wall_time.hpp"

namespace actord::sinks {

/// Control characters come out escaped, so that no text can speak to the terminal. Time of day is
/// local.
class ConsoleLines final : public LineFormat {
 public:
  explicit ConsoleLines(bool is_coloured) : is_coloured_(is_coloured) {}

  void append(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) override;

 private:
  enum class Style { dim, strong, path, key, verdict, error, warning, info, debug };

  /// The value of a field, once: it is not repeated at the end of the line. nullptr if there is
  /// none.
  const log::Value* take(std::string_view key);
  /// The same where only a text will do; empty if there is none.
  std::string_view take_text(std::string_view key);

  void append_head(LineBuffer& out, const log::Record& record, std::int64_t wall_ns);
  void append_story(LineBuffer& out, const log::Record& record);
  void append_failure(LineBuffer& out);
  void append_verdict(LineBuffer& out);
  void append_rest(LineBuffer& out, const log::Record& record);
  void append_pair(LineBuffer& out, std::string_view key, const log::Value& value);
  void append_value(LineBuffer& out, const log::Value& value);
  void append_plain(LineBuffer& out, std::string_view text);
  void append_styled(LineBuffer& out, Style style, std::string_view text);
  void begin(LineBuffer& out, Style style);
  void end(LineBuffer& out);

  const bool is_coloured_;
  LocalText local_;
  std::span<const log::Field> fields_;
  std::bitset<log::record_fields_max> taken_;
};

}  // namespace actord::sinks
