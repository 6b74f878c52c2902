// SPDX-License-Identifier: Apache-2.0
#include "actor/config_snapshot.hpp"

#include <algorithm>

#include "actor/path.hpp"

namespace actord::actor {

NodeChange change_between(const NodeSpec& was, const NodeSpec& is) noexcept {
  if (was.behaviour != is.behaviour || was.dispatcher != is.dispatcher ||
      was.mailbox_capacity != is.mailbox_capacity)
    return NodeChange::replaced;
  return was.content == is.content ? NodeChange::none : NodeChange::rebuilt;
}

ActorSettings ConfigSnapshot::settings_of(const NodeSpec* node, std::string_view path) const {
  ActorSettings settings;
  const auto rule = std::ranges::find_if(
      deployments, [&](const Deployment& each) { return path_matches(each.pattern, path); });
  if (rule != deployments.end()) {
    settings = {rule->strategy ? &*rule->strategy : nullptr, rule->dispatcher,
                rule->mailbox_capacity, rule->stash_capacity};
  }
  if (node == nullptr) return settings;
  if (node->strategy) settings.strategy = &*node->strategy;
  if (node->mailbox_capacity != 0) settings.mailbox_capacity = node->mailbox_capacity;
  if (node->stash_capacity != 0) settings.stash_capacity = node->stash_capacity;
  return settings;
}

}  // namespace actord::actor
