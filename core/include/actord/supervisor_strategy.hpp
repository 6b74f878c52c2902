// SPDX-License-Identifier: Apache-2.0
//
// How a class judges its children, as data, so that an operator can read it and replace it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <actord/type_chain.hpp>

namespace actord {

class BackoffOptions;

/// How often a child may be restarted before it is stopped instead.
struct Budget {
  std::int64_t max_restarts = -1;       // negative: unlimited; 0: never
  std::chrono::nanoseconds within{-1};  // counted in such a window; negative: for ever
};

/// Wait before a restart: min, doubled each time up to max, plus a random part of up to
/// random_factor.
struct Backoff {
  std::chrono::nanoseconds min{};
  std::chrono::nanoseconds max{};
  double random_factor = 0.2;
  std::chrono::nanoseconds reset_after{};  // of good life, after which min holds again; 0: as min
  std::int64_t capacity = 1000;            // messages kept while it waits; more become dead letters
};

/// Rules match a cause by the printed name of its type or a base; the most derived wins.
///
///   static actord::Strategy supervision() {
///     return actord::one_for_one({.max_restarts = 10, .within = 1min})
///         .on<Timeout>(actord::Directive::restart)
///         .otherwise(actord::Directive::stop);
///   }
///
/// What no rule names escalates, as long as there is a rule; without any the default decider
/// judges.
class Strategy {
 public:
  Strategy(std::int32_t kind, Budget budget) : kind_(kind), budget_(budget) {}

  template <class E>
  Strategy on(Directive directive) && {
    return std::move(*this).on(detail::type_name<E>(), directive);
  }
  /// With the level of its log line, instead of warning for resume and error for the rest.
  template <class E>
  Strategy on(Directive directive, Level level) && {
    return std::move(*this).on(detail::type_name<E>(), directive, level);
  }
  /// For a type whose header is not at hand: on("other::Timeout", …).
  Strategy on(std::string_view type, Directive directive, std::optional<Level> level = {}) && {
    rules_.push_back({std::string{type}, directive, level});
    return std::move(*this);
  }
  Strategy otherwise(Directive directive) && {
    otherwise_ = directive;
    return std::move(*this);
  }
  /// What no rule names is judged as by default: killed, death pact and failed creation stop, other
  /// exceptions restart, what is no exception escalates.
  Strategy with_default_decider() && { return std::move(*this).otherwise(Directive::undecided); }
  Strategy backoff(Backoff backoff) && {
    backoff_ = backoff;
    return std::move(*this);
  }
  /// Without log lines about failures that it decides on.
  Strategy silent() && {
    is_logging_ = false;
    return std::move(*this);
  }

 private:
  friend class BackoffOptions;
  friend class StrategyTable;
  struct Rule {
    std::string type;
    Directive directive;
    std::optional<Level> level;
  };

  std::int32_t kind_;
  Budget budget_;
  std::vector<Rule> rules_;
  std::optional<Directive> otherwise_;
  std::optional<Backoff> backoff_;
  bool is_logging_ = true;
};

/// Judges each child alone.
inline Strategy one_for_one(Budget budget = {}) { return {ACTORD_ONE_FOR_ONE, budget}; }
/// What befalls one child befalls all.
inline Strategy all_for_one(Budget budget = {}) { return {ACTORD_ALL_FOR_ONE, budget}; }

/// Stops on any exception; escalates what is none.
inline Strategy stopping(Budget budget = {}) {
  return one_for_one(budget)
      .on("actord::ForeignException", Directive::escalate)
      .on("std::exception", Directive::stop)
      .on("actord::Failure", Directive::stop);
}

/// A strategy as the host reads it. Owns what it points to; stays where it is.
class StrategyTable {
 public:
  explicit StrategyTable(Strategy strategy) : strategy_(std::move(strategy)) {
    for (const Strategy::Rule& rule : strategy_.rules_) {
      rules_.push_back({detail::to_c(rule.type), static_cast<std::int32_t>(rule.directive),
                        rule.level ? static_cast<std::int32_t>(*rule.level) : -1});
    }
    const Directive if_unruled = rules_.empty() ? Directive::undecided : Directive::escalate;
    c_.struct_size = sizeof c_;
    c_.kind = strategy_.kind_;
    c_.max_restarts = strategy_.budget_.max_restarts;
    c_.within_ns = strategy_.budget_.within.count();
    c_.rules = rules_.data();
    c_.n_rules = rules_.size();
    c_.otherwise = static_cast<actord_directive>(strategy_.otherwise_.value_or(if_unruled));
    c_.is_logging = strategy_.is_logging_ ? 1 : 0;
    if (!strategy_.backoff_) return;
    const Backoff& backoff = *strategy_.backoff_;
    backoff_ = {backoff.min.count(), backoff.max.count(), backoff.reset_after.count(),
                backoff.random_factor, backoff.capacity};
    c_.backoff = &backoff_;
  }
  StrategyTable(const StrategyTable&) = delete;
  StrategyTable& operator=(const StrategyTable&) = delete;

  const actord_strategy* c() const noexcept { return &c_; }

 private:
  Strategy strategy_;
  std::vector<actord_rule> rules_;
  actord_backoff backoff_{};
  actord_strategy c_{};
};

}  // namespace actord
