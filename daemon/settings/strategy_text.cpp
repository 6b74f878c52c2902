// SPDX-License-Identifier: Apache-2.0
#include "settings/strategy_text.hpp"

#include <algorithm>

#include "base/duration_text.hpp"
#include "schema/known_words.hpp"

namespace actord::settings {

namespace {

template <class Words, class E>
std::string word_for(const Words& words, E value) {
  for (const auto& each : words) {
    if (each.value == value) return std::string{each.word};
  }
  return {};
}

std::optional<std::string> restart_limit_text(const actor::RestartLimit& restart_limit,
                                              std::string_view key) {
  if (key == "within")
    return restart_limit.within_ns < 0 ? "infinite" : base::duration_text(restart_limit.within_ns);
  if (restart_limit.max_restarts < 0) return "unlimited";
  return restart_limit.max_restarts == 0 ? "never" : std::to_string(restart_limit.max_restarts);
}

std::optional<std::string> decider_text(const actor::Strategy& strategy, std::string_view type) {
  if (type == "default") return word_for(schema::otherwise_words, strategy.otherwise);
  const auto rule = std::find_if(strategy.rules.begin(), strategy.rules.end(),
                                 [&](const actor::Rule& each) { return each.type == type; });
  if (rule == strategy.rules.end()) return std::nullopt;
  return word_for(schema::directive_words, rule->directive);
}

std::optional<std::string> backoff_text(const actor::Backoff& backoff, std::string_view key) {
  if (key == "min") return base::duration_text(backoff.min_ns);
  if (key == "max") return base::duration_text(backoff.max_ns);
  if (key == "reset-after") return base::duration_text(backoff.reset_after_ns);
  if (key == "capacity") return std::to_string(backoff.capacity);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> value_text(const actor::Strategy& strategy,
                                      std::span<const std::string> key) {
  if (key.size() == 1) {
    if (key[0] == "type") return word_for(schema::strategy_kind_words, strategy.kind);
    if (key[0] == "logging-enabled") return strategy.is_logging ? "on" : "off";
    if (key[0] == "max-restarts" || key[0] == "within")
      return restart_limit_text(strategy.restart_limit, key[0]);
  }
  if (key.size() != 2) return std::nullopt;
  if (key[0] == "decider") return decider_text(strategy, key[1]);
  if (key[0] == "backoff" && strategy.backoff) return backoff_text(*strategy.backoff, key[1]);
  return std::nullopt;
}

}  // namespace actord::settings
