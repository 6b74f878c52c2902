// SPDX-License-Identifier: Apache-2.0
#include "schema/config_rules.hpp"

#include <fmt/format.h>

#include "base/duration_text.hpp"
#include "message/message_type.hpp"

namespace actord::schema {

namespace {

std::string bound_text(const actord_bound& bound) {
  switch (bound.kind) {
    case ACTORD_INT: return std::to_string(bound.value.i);
    case ACTORD_UINT: return std::to_string(bound.value.u);
    case ACTORD_DURATION: return base::duration_text(bound.value.i);
    case ACTORD_DOUBLE: return fmt::format("{}", bound.value.d);
    default: return {};
  }
}

}  // namespace

ConfigRules::ConfigRules(const actord_behaviour& behaviour) {
  if (!ACTORD_HAS(actord_behaviour, &behaviour, n_config_keys)) return;
  keys_ = behaviour.config_keys;
  count_ = behaviour.n_config_keys;
}

const actord_config_key* ConfigRules::find(std::string_view path) const noexcept {
  for (std::size_t i = 0; i < count_; ++i) {
    if (message::view(keys_[i]->path) == path) return keys_[i];
  }
  return nullptr;
}

std::string bounds_text(const actord_config_key& key) {
  const std::string least = bound_text(key.least), most = bound_text(key.most);
  if (least.empty() && most.empty()) return {};
  if (most.empty()) return "at least " + least;
  return least.empty() ? "at most " + most : least + " to " + most;
}

}  // namespace actord::schema
