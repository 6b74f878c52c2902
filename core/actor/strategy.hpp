// SPDX-License-Identifier: Apache-2.0
//
// How a supervisor decides about its children's failures, as data that an operator can write, read
// and replace.
#pragma once

#include <actord/plugin.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace actord::actor {

enum class Directive : std::int32_t {
  undecided = ACTORD_UNDECIDED,
  resume = ACTORD_RESUME,
  restart = ACTORD_RESTART,
  stop = ACTORD_STOP,
  escalate = ACTORD_ESCALATE
};
std::string_view name_of(Directive directive) noexcept;

/// The restart limit: how often a child may be restarted (supervision.md, section 0). The first
/// failure in a window opens it, and its boundary belongs to it.
struct RestartLimit {
  static constexpr std::int64_t unlimited = -1;
  static constexpr std::int64_t for_ever = -1;

  std::int64_t max_restarts = unlimited;  // negative: unlimited; 0: no restart
  // negative: for ever. If there is a window, `unlimited` means one restart in it
  std::int64_t within_ns = for_ever;
};

/// Whether the limit allows every restart.
inline bool is_unlimited(const RestartLimit& limit) noexcept {
  return limit.max_restarts < 0 && limit.within_ns < 0;
}

/// The delay of restarts (supervision.md, section 0).
struct Backoff {
  std::int64_t min_ns = 0;
  std::int64_t max_ns = 0;
  double random_factor = 0.2;  // longest random extension, as a part of the delay
  // If the failed incarnation was at least this old, the delay begins at min_ns again.
  std::int64_t reset_after_ns = 0;
  std::int64_t capacity = 1000;  // messages kept during the delay
};

struct Rule {
  std::string type;
  Directive directive = Directive::escalate;
  int level = -1;      // level of the log line; -1: warning for resume, error otherwise
  std::string origin;  // "file:line" of the rule; empty in code
};

struct Strategy {
  enum class Kind : std::int32_t {
    one_for_one = ACTORD_ONE_FOR_ONE,
    all_for_one = ACTORD_ALL_FOR_ONE
  };
  /// The decision about a failure that no rule names.
  enum class Otherwise : std::uint8_t { resume, restart, stop, escalate, default_decider, code };
  using Decide = actord_status (*)(const actord_failure*, actord_directive* out, actord_errors*);

  // "default", "stopping", "plugin/Name"; "code" or "config" for a strategy without a name
  std::string name;
  std::string origin;  // "file:line" of the block; empty in code
  Kind kind = Kind::one_for_one;
  RestartLimit restart_limit;
  std::vector<Rule> rules;
  Otherwise otherwise = Otherwise::escalate;
  std::string otherwise_origin;
  bool is_logging = true;
  bool asks_code_first = false;  // the behaviour's decide hook goes before the rules
  Decide decide = nullptr;       // a configurator's decider, which goes before the rules
  std::optional<Backoff> backoff;
};

/// supervision.md, section 0: one-for-one, no restart limit, the default decider.
const Strategy& default_strategy();
/// supervision.md, section 0: exceptions and the runtime's own failures stop the child; others
/// escalate.
const Strategy& stopping_strategy();

/// A copy of a strategy that is declared in code.
Strategy from_c(const actord_strategy& strategy, std::string name);

}  // namespace actord::actor
