// SPDX-License-Identifier: Apache-2.0
#include "actor/lifecycle.hpp"

#include <algorithm>

namespace actord::actor {

std::string_view name_of(Stage stage) noexcept {
  constexpr std::array<std::string_view, stage_count> names{
      "fresh", "running", "recreating", "creating", "backing-off", "terminating", "terminated"};
  return names[static_cast<std::size_t>(stage)];
}

std::string_view log_text_of(Stage from, Stage to) noexcept {
  const auto found = std::ranges::find_if(
      transitions, [&](const Transition& each) { return each.from == from && each.to == to; });
  ACTORD_ASSERT(found != transitions.end());
  return found->log_text;
}

}  // namespace actord::actor
