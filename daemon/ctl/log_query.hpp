// SPDX-License-Identifier: Apache-2.0
//
// What the verbs that read the daemon's log have in common: their options, and reading the lines.
//
// Not here: how lines look (log_text.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ctl/verb.hpp"
#include "ctl/verb_failure.hpp"
#include "wire/control_message.hpp"

namespace actord::ctl {

Option since_option();
/// --lines, with what it counts and its default as help.
Option lines_option(std::string_view help);

/// The time in ms since 1970.
std::uint64_t now_ms();
/// Adds what --since and the operand, the path of an actor, ask for. False after reporting a
/// mistake.
bool add_scope(const Call& call, wire::Json& filter, Exit& exit);
/// The number of --lines; `otherwise` without that option; SIZE_MAX for "all". nullopt after
/// reporting a mistake.
std::optional<std::size_t> lines_wanted(const Call& call, std::size_t otherwise, Exit& exit);

/// The failure of a verb that was given the id of a failure.
Failure no_failure(const std::string& id);

/// Reads lines of the log, the oldest first.
class LogQuery {
 public:
  using OnLine = std::function<void(const wire::Json&)>;

  /// `filter` has the arguments of log.read (app/log_reading.hpp).
  explicit LogQuery(wire::Json filter) : filter_(std::move(filter)) {}

  /// Reads those that were logged since the last call. False after reporting a failure.
  bool read(const Call& call, const OnLine& on_line, Exit& exit);
  /// The same, and returns the last `most` of them.
  std::optional<std::vector<wire::Json>> last(const Call& call, std::size_t most, Exit& exit);

 private:
  wire::Json filter_;
  std::uint64_t after_ = 0;
};

}  // namespace actord::ctl
