// SPDX-License-Identifier: Apache-2.0
//
// Supervisor strategies. They are data, so that an operator can read and replace them.
#pragma once

#include <string>
#include <vector>

#include <actord/type_chain.hpp>

namespace actord {

class BackoffOptions;

/// The restart limit: how often a child may be restarted before it is stopped instead
/// (supervision.md 68-82).
struct Budget {
  std::int64_t max_restarts = -1;       // negative: unlimited; 0: no restart
  std::chrono::nanoseconds within{-1};  // the window; negative: the whole life; 0 is refused
};

/// The delay before a restart: `min`, doubled for each further restart up to `max`, plus a random
/// part of at most random_factor of the delay (supervision.md, section 4).
struct Backoff {
  std::chrono::nanoseconds min{};
  std::chrono::nanoseconds max{};
  double random_factor = 0.2;
  // An incarnation that lives this long sets the delay back to `min`. 0: as long as `min`.
  std::chrono::nanoseconds reset_after{};
  // Messages kept during the delay; further ones become dead letters.
  std::int64_t capacity = 1000;
};

/// A strategy: rules for causes, a restart limit, a back-off. A rule matches a cause by the printed
/// name of its type or of a base; the rule for the most derived type wins.
///
///   static actord::Strategy supervision() {
///     return actord::one_for_one({.max_restarts = 10, .within = 1min})
///         .on<Timeout>(actord::Directive::restart)
///         .otherwise(actord::Directive::stop);
///   }
///
/// A cause that no rule names escalates. Without any rule the default decider decides
/// (supervision.md, section 0).
class Strategy {
 public:
  /// Authors call one_for_one(), all_for_one() or stopping().
  Strategy(std::int32_t kind, Budget budget) : kind_(kind), budget_(budget) {}

  /// Adds a rule: this directive for causes of type E or of a type derived from E.
  template <class E>
  Strategy on(Directive directive) && {
    return std::move(*this).on(detail::type_name<E>(), directive);
  }
  /// The same, with the level of the log line. The default is warning for resume, error otherwise.
  template <class E>
  Strategy on(Directive directive, Level level) && {
    return std::move(*this).on(detail::type_name<E>(), directive, level);
  }
  /// The same, for a type of another plugin, by its printed name: on("other::Timeout", …).
  Strategy on(std::string_view type, Directive directive) && { return add(type, directive, -1); }
  Strategy on(std::string_view type, Directive directive, Level level) && {
    return add(type, directive, static_cast<std::int32_t>(level));
  }
  /// The directive for causes that no rule names.
  Strategy otherwise(Directive directive) && {
    otherwise_ = directive;
    has_otherwise_ = true;
    return std::move(*this);
  }
  /// The default decider decides on causes that no rule names: a kill, a death pact and a failed
  /// creation stop the child, other C++ exceptions restart it, and anything else escalates.
  Strategy with_default_decider() && { return std::move(*this).otherwise(Directive::undecided); }
  /// Delays each restart.
  Strategy backoff(Backoff backoff) && {
    backoff_ = backoff;
    has_backoff_ = true;
    return std::move(*this);
  }
  /// Failures that this strategy decides on are not logged.
  Strategy silent() && {
    is_logging_ = false;
    return std::move(*this);
  }

 private:
  friend class BackoffOptions;
  friend class StrategyTable;

  Strategy add(std::string_view type, Directive directive, std::int32_t level) {
    rules_.push_back({{nullptr, type.size()}, static_cast<std::int32_t>(directive), level});
    types_ += type;
    return std::move(*this);
  }

  std::int32_t kind_;
  Budget budget_;
  std::vector<actord_rule> rules_;  // each without the address of its text
  std::string types_;               // the texts of all rules, one after another
  Directive otherwise_ = Directive::undecided;
  bool has_otherwise_ = false, has_backoff_ = false;
  Backoff backoff_;
  bool is_logging_ = true;
};

/// The directive applies to the child that failed.
inline Strategy one_for_one(Budget budget = {}) { return {ACTORD_ONE_FOR_ONE, budget}; }
/// The directives restart and stop apply to all children, resume only to the child that failed
/// (supervision.md 83-90).
inline Strategy all_for_one(Budget budget = {}) { return {ACTORD_ALL_FOR_ONE, budget}; }

/// Any C++ exception stops the child; anything else escalates.
inline Strategy stopping(Budget budget = {}) {
  return one_for_one(budget)
      .on("actord::ForeignException", Directive::escalate)
      .on("std::exception", Directive::stop);
}

/// A strategy as the table that the host reads. It owns all data that the table points to, and
/// must not move.
class StrategyTable {
 public:
  explicit StrategyTable(Strategy strategy) : strategy_(std::move(strategy)) {
    const char* text = strategy_.types_.data();
    for (actord_rule& rule : strategy_.rules_) {
      rule.type.data = text;
      text += rule.type.size;
    }
    const Directive if_unruled =
        strategy_.rules_.empty() ? Directive::undecided : Directive::escalate;
    c_.struct_size = sizeof c_;
    c_.kind = strategy_.kind_;
    c_.max_restarts = strategy_.budget_.max_restarts;
    c_.within_ns = strategy_.budget_.within.count();
    c_.rules = strategy_.rules_.data();
    c_.n_rules = strategy_.rules_.size();
    c_.otherwise =
        static_cast<actord_directive>(strategy_.has_otherwise_ ? strategy_.otherwise_ : if_unruled);
    c_.is_logging = strategy_.is_logging_ ? 1 : 0;
    if (!strategy_.has_backoff_) return;
    const Backoff& backoff = strategy_.backoff_;
    backoff_ = {backoff.min.count(), backoff.max.count(), backoff.reset_after.count(),
                backoff.random_factor, backoff.capacity};
    c_.backoff = &backoff_;
  }
  StrategyTable(const StrategyTable&) = delete;
  StrategyTable& operator=(const StrategyTable&) = delete;

  const actord_strategy* c() const noexcept { return &c_; }

 private:
  Strategy strategy_;
  actord_backoff backoff_{};
  actord_strategy c_{};
};

}  // namespace actord
