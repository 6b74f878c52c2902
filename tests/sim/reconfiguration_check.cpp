// SPDX-License-Identifier: Apache-2.0
#include "sim/reconfiguration_check.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace actord::sim {

namespace {

std::string actor(Id who) { return "actor " + std::to_string(who); }

}  // namespace

ConfigCheck::Config& ConfigCheck::begin(ConfigPlan plan, const std::vector<bool>& is_there) {
  Config& config = configs_.emplace_back();
  config.number = static_cast<std::uint32_t>(configs_.size());
  config.plan = std::move(plan);
  for (Id id = 1; id < members_.size(); ++id) take_over(id, config, is_there[id]);
  return config;
}

// A name has one tenant after another; a configuration applies to the latest tenant.
void ConfigCheck::take_over(Id who, const Config& config, bool is_there) {
  Member& member = members_[who];
  if (member.first == nullptr || member.has_a_successor) return;
  const NodePlan* const node = config.plan.find(member.first->place);
  if (node == nullptr || member.first->is_replaced_by(*node)) {
    member.has_a_successor = true;
    return model_.unwanted(who);
  }
  if (is_there || config.number == 1) return;
  const NodePlan* const before = at(config.number - 1).plan.find(member.first->place);
  member.has_a_successor = before == nullptr || before->content != node->content;
}

void ConfigCheck::ended(Config& config) {
  if (++config.ended > 1)
    findings_.add(42, "reconfiguration " + std::to_string(config.number) + " ends once more");
}

// A new actor also gets the configurations that its parent has yet to take over.
void ConfigCheck::born(const NodePlan* node) {
  members_.push_back({node, nullptr, false, false});
  if (node == nullptr) return;
  const auto who = static_cast<Id>(members_.size() - 1);
  for (std::uint32_t later = node->config; later < configs_.size(); ++later)
    take_over(who, configs_[later], true);
}

void ConfigCheck::built(Id who, const NodePlan& node) {
  Member& member = members_[who];
  if (member.built != nullptr && node.config < member.built->config) {
    findings_.add(41, actor(who) + " is built from configuration " + std::to_string(node.config) +
                          " after " + std::to_string(member.built->config));
  }
  member.built = &node;
  check_kept(who);
}

void ConfigCheck::check_kept(Id who) {
  const NodePlan* const built = members_[who].built;
  if (built != nullptr && at(built->config).is_freed)
    findings_.add(43, actor(who) + " outlives what it was built from");
}

void ConfigCheck::restarts(Id who, const NodePlan& now, bool is_for_parent) {
  Member& member = members_[who];
  if (!is_for_parent) {
    if (now.content == member.built->content)
      findings_.add(41, actor(who) + " is restarted to be what it is");
    model_.reconfigured(who);
  } else if (const Member& parent = members_[model_.at(who).parent];
             member.own_config != 0 && parent.built != nullptr &&
             parent.built->config == member.own_config) {
    findings_.add(41, actor(who) + " is restarted for its own config and for its parent's");
  }
  member.own_config = is_for_parent ? 0 : now.config;
}

void ConfigCheck::check_absent(Id parent, const NodePlan& node) {
  bool was_taken = false;
  for (const Id each : std::views::reverse(model_.at(parent).children)) {
    const Member& member = members_[each];
    if (member.first != nullptr && member.first->place == node.place) {
      if (!member.has_a_successor || was_taken) return;
      break;
    }
    was_taken |= member.first == nullptr && model_.at(each).name == node.name;
  }
  if (was_taken) return;
  findings_.add(40, actor(parent) + " has no child n" + std::to_string(node.name) +
                        ", which stands in the last configuration");
}

void ConfigCheck::check_ended() {
  for (const Config& config : configs_) {
    if (config.ended == 0)
      findings_.add(42, "reconfiguration " + std::to_string(config.number) + " does not end");
  }
}

}  // namespace actord::sim
