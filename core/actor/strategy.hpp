// SPDX-License-Identifier: Apache-2.0
//
// How a supervisor judges its children, as data: what an operator writes, reads and replaces.
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

/// How often a child may be restarted (supervision.md, section 0). A window opens with the first
/// failure in it and its boundary belongs to it.
struct Budget {
  static constexpr std::int64_t unlimited = -1;
  static constexpr std::int64_t for_ever = -1;

  std::int64_t max_restarts = unlimited;  // negative: unlimited; 0: never
  // negative: for ever. Unlimited within a window means one in it
  std::int64_t within_ns = for_ever;
};

struct Backoff {
  std::int64_t min_ns = 0;
  std::int64_t max_ns = 0;
  double random_factor = 0.2;
  std::int64_t reset_after_ns = 0;
  std::int64_t capacity = 1000;
};

struct Rule {
  std::string type;
  Directive directive = Directive::escalate;
  int level = -1;      // of the log line; -1: warning for resume, error otherwise
  std::string origin;  // "file:line" where it was written; empty in code
};

struct Strategy {
  enum class Kind : std::int32_t {
    one_for_one = ACTORD_ONE_FOR_ONE,
    all_for_one = ACTORD_ALL_FOR_ONE
  };
  /// What holds when no rule names the cause.
  enum class Otherwise : std::uint8_t { resume, restart, stop, escalate, default_decider, code };
  using Decide = actord_status (*)(const actord_failure*, actord_directive* out, actord_errors*);

  std::string
      name;  // "default", "stopping", "plugin/Name", or "code" and "config" for the nameless
  std::string origin;  // "file:line" of the block
  Kind kind = Kind::one_for_one;
  Budget budget;
  std::vector<Rule> rules;
  Otherwise otherwise = Otherwise::escalate;
  std::string otherwise_origin;
  bool is_logging = true;
  bool asks_code_first = false;  // the behaviour's own decide() goes before the rules
  Decide decide = nullptr;       // a configurator's, before the rules
  std::optional<Backoff> backoff;
};

/// supervision.md, section 0: the default decider, one for one, no limit.
const Strategy& default_strategy();
/// supervision.md, section 0: ordinary exceptions stop, others escalate.
const Strategy& stopping_strategy();

/// A copy of what a behaviour declares in code.
Strategy from_c(const actord_strategy& strategy, std::string name);

}  // namespace actord::actor
