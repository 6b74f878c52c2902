// SPDX-License-Identifier: Apache-2.0
#include "sim/config_plan.hpp"

#include <iterator>

namespace actord::sim {

namespace {

using base::Random;

constexpr unsigned place_bits = 3;
constexpr std::uint64_t names = 3, depth_max = 3;

// Each level has fewer nodes than the one above. Values that force a replacement are rare.
std::vector<NodePlan> random_nodes(const Scenario& scenario, Random& random, std::uint64_t depth,
                                   NodePlan& parent) {
  std::vector<NodePlan> nodes;
  for (std::uint64_t name = 1; name <= names - depth; ++name) {
    if (random.below(3 + depth) >= 2) continue;
    NodePlan& node = nodes.emplace_back();
    node.config = parent.config;
    node.place = parent.place << place_bits | static_cast<std::uint32_t>(name);
    node.name = name;
    node.actor = static_cast<std::uint32_t>(random.below(scenario.actors.size()));
    if (random.below(4) != 0)
      node.strategy = static_cast<std::int32_t>(random.below(scenario.strategies.size()));
    node.content = static_cast<std::uint32_t>(random.below(3));
    if (random.below(12) == 0) node.capacity = static_cast<std::uint16_t>(1 + random.below(4));
    node.is_blocking = random.below(12) == 0;
    if (depth + 1 < depth_max) node.children = random_nodes(scenario, random, depth + 1, node);
  }
  return nodes;
}

const NodePlan* find_in(const std::vector<NodePlan>& nodes, std::uint32_t place) {
  for (const NodePlan& node : nodes) {
    if (node.place == place) return &node;
    if (const NodePlan* const below = find_in(node.children, place)) return below;
  }
  return nullptr;
}

void add_text(std::string& text, const std::vector<NodePlan>& nodes, const std::string& parent) {
  for (const NodePlan& node : nodes) {
    const std::string path = parent + "/n" + std::to_string(node.name);
    text += "       " + path + ": like actor " + std::to_string(node.actor) + ", content " +
            std::to_string(node.content);
    if (node.strategy >= 0) text += ", strategy " + std::to_string(node.strategy);
    if (node.capacity != 0) text += ", mailbox of " + std::to_string(node.capacity);
    text += node.is_blocking ? ", on blocking-io\n" : "\n";
    add_text(text, node.children, path);
  }
}

}  // namespace

const NodePlan* ConfigPlan::find(std::uint32_t place) const { return find_in(nodes, place); }

ConfigPlan config_of(const Scenario& scenario, std::uint32_t detail, std::uint32_t number) {
  constexpr std::string_view patterns[] = {"/user/*", "/user/**", "/user/*/*", "/user/n1/**"};
  Random random(mixed(detail, 13));
  ConfigPlan config;
  NodePlan user;
  user.config = number;
  config.nodes = random_nodes(scenario, random, 0, user);
  for (const std::string_view pattern : patterns) {
    if (random.below(4) != 0) continue;
    const auto strategy = static_cast<std::uint16_t>(random.below(scenario.strategies.size()));
    config.rules.push_back({pattern, strategy});
  }
  return config;
}

std::string text_of(const ConfigPlan& config) {
  std::string text;
  add_text(text, config.nodes, "/user");
  for (const RulePlan& rule : config.rules) {
    text.append("       ").append(rule.pattern);
    text += ": strategy " + std::to_string(rule.strategy) + '\n';
  }
  return text;
}

}  // namespace actord::sim
