// SPDX-License-Identifier: Apache-2.0
#include "actor/strategy.hpp"

#include "message/message_type.hpp"

namespace actord::actor {

using message::view;

std::string_view name_of(Directive directive) noexcept {
  constexpr std::string_view names[] = {"undecided", "resume", "restart", "stop", "escalate"};
  return names[static_cast<std::size_t>(directive)];
}

const Strategy& default_strategy() {
  static const Strategy strategy = [] {
    Strategy s;
    s.name = "default";
    s.otherwise = Strategy::Otherwise::default_decider;
    return s;
  }();
  return strategy;
}

const Strategy& stopping_strategy() {
  static const Strategy strategy = [] {
    Strategy s;
    s.name = "stopping";
    s.rules = {{"actord::ForeignException", Directive::escalate, -1, {}},
               {"std::exception", Directive::stop, -1, {}}};
    return s;
  }();
  return strategy;
}

namespace {

// ACTORD_UNDECIDED stands for the default decider.
Strategy::Otherwise otherwise_of(actord_directive directive) {
  switch (directive) {
    case ACTORD_UNDECIDED: return Strategy::Otherwise::default_decider;
    case ACTORD_RESUME: return Strategy::Otherwise::resume;
    case ACTORD_RESTART: return Strategy::Otherwise::restart;
    case ACTORD_STOP: return Strategy::Otherwise::stop;
    default: return Strategy::Otherwise::escalate;
  }
}

}  // namespace

Strategy from_c(const actord_strategy& from, std::string name) {
  Strategy to;
  to.name = std::move(name);
  to.kind = static_cast<Strategy::Kind>(from.kind);
  to.restart_limit = {from.max_restarts, from.within_ns};
  for (std::size_t i = 0; i < from.n_rules; ++i) {
    const actord_rule& rule = from.rules[i];
    to.rules.push_back(
        {std::string{view(rule.type)}, static_cast<Directive>(rule.directive), rule.level, {}});
  }
  to.otherwise = otherwise_of(from.otherwise);
  to.is_logging = from.is_logging != 0;
  to.asks_code_first = true;
  if (from.backoff != nullptr) {
    const actord_backoff& b = *from.backoff;
    to.backoff = Backoff{b.min_ns, b.max_ns, b.random_factor,
                         b.reset_after_ns != 0 ? b.reset_after_ns : b.min_ns, b.capacity};
  }
  return to;
}

}  // namespace actord::actor
