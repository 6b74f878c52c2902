// SPDX-License-Identifier: Apache-2.0
//
// The limit on log lines about failures. A failure that repeats writes its first lines, then one
// sample every ten seconds. The others are counted, and /system/log writes their number once a
// second (supervision.md, section 4).
//
// The supervisor asks once for each failure, before anything is written about it. So all lines with
// the same failure.id are written, or none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "actor/failure.hpp"
#include "actor/strategy.hpp"
#include "base/sync.hpp"
#include "log/log_record.hpp"

namespace actord::actor {

/// Failures of one kind that were not logged. The kind is what would look the same in the log.
struct UnloggedFailures {
  std::string_view event;  // of the line that each would have had
  const TypeChain* types = nullptr;
  const TypeChain* cause_types = nullptr;  // of the innermost cause
  const Behaviour* behaviour = nullptr;
  Phase phase = Phase::receive;
  std::string rule;  // of the decision
  Directive outcome = Directive::restart;
  log::Level level = log::Level::debug;  // the most severe one of the lines
  std::uint64_t count = 0;
  std::uint64_t first_id = 0, last_id = 0;  // 0: failures of hooks, which have no ids
  Ref actor = nobody;  // the actor that failed; `nobody` if several have failed
};

/// Any thread.
class FailureLogLimit {
 public:
  /// The line that is due: its event, which is a constant, and its level. If a supervisor writes
  /// it, also by which rule it has decided, and what happens to the actor; a restart that the
  /// restart limit denies is a stop.
  struct Line {
    std::string_view event;
    log::Level level;
    std::string_view rule = {};
    Directive outcome = Directive::undecided;
  };

  /// How many failures of one kind are written at once; negative: all of them.
  void set_burst(std::int64_t failures) noexcept { burst_.store(failures, base::relaxed); }
  bool is_limited() const noexcept { return burst_.load(base::relaxed) >= 0; }

  /// Whether the failure is to be written. Otherwise it is counted, as it always is if the log has
  /// no room. Charges the kind of the failure and its actor, which may have failures of several
  /// kinds. If there is no limit, the default burst holds.
  bool admits(const Failure& failure, const Line& line, bool has_room, std::int64_t now_ns);

  /// The numbers since the last call, in the order of their first failures.
  std::vector<UnloggedFailures> take(std::int64_t now_ns);

 private:
  /// Allows a burst, then one more each `interval`.
  class Rate {
   public:
    bool allows(std::int64_t now_ns, std::int64_t burst, std::int64_t interval_ns) const noexcept {
      return full_ns_ - now_ns <= (burst - 1) * interval_ns;
    }
    void charge(std::int64_t now_ns, std::int64_t interval_ns) noexcept {
      full_ns_ = std::max(full_ns_, now_ns) + interval_ns;
    }
    bool is_full(std::int64_t now_ns) const noexcept { return full_ns_ <= now_ns; }

   private:
    std::int64_t full_ns_ = INT64_MIN / 2;  // when the whole burst is allowed again
  };
  static constexpr std::size_t entries_min = 4096;
  struct Kind {
    Rate rate;
    UnloggedFailures unlogged;
  };

  Kind& kind_of(const Failure& failure, const Line& line);
  void forget_quiet(std::int64_t now_ns);

  base::Atomic<std::int64_t> burst_{-1};
  base::Mutex mutex_;
  std::unordered_map<std::uint64_t, std::vector<Kind>> kinds_;  // by a hash of the kind
  std::unordered_map<Ref, Rate> actors_;
  std::size_t entries_max_ = entries_min;  // with more, those that are quiet are forgotten
};

}  // namespace actord::actor
