// SPDX-License-Identifier: Apache-2.0
#include "actor/message_ranks.hpp"

#include <algorithm>

namespace actord::actor {

MessageRanks::MessageRanks(const TypeNames* priority, const TypeNames* control,
                           const message::TypeRegistry& types)
    : types_(types), has_control_(control != nullptr) {
  const TypeNames none;
  const TypeNames& in_order = priority != nullptr ? *priority : none;
  const unsigned first = has_control_ ? 1 : 0;
  const auto others = std::ranges::find(in_order, all_others);
  rest_ = first + static_cast<unsigned>(others - in_order.begin());
  ranks_.resize(1, static_cast<std::uint8_t>(rest_));
  if (has_control_) text_ = "control";
  for (unsigned i = 0; i < in_order.size(); ++i) {
    if (in_order[i] != all_others) give(in_order[i], first + i);
    text_.append(text_.empty() ? "" : ", ").append(in_order[i]);
  }
  if (others == in_order.end()) text_.append(text_.empty() ? "" : ", ").append(all_others);
  if (!has_control_) return;
  for (const std::string& each : *control) give(each, 0);  // last: control comes before priority
}

void MessageRanks::give(std::string_view name, unsigned rank) {
  const message::TypeId type = types_.find(name);
  if (type == 0) return;
  if (type >= ranks_.size()) ranks_.resize(type + 1, static_cast<std::uint8_t>(rest_));
  ranks_[type] = static_cast<std::uint8_t>(rank);
}

}  // namespace actord::actor
