// SPDX-License-Identifier: Apache-2.0
#include "config/configured_keys.hpp"

#include <set>

namespace actord::config {

namespace {

void collect(const std::vector<settings::Node>& nodes, std::vector<ConfiguredActor>& actors) {
  for (const settings::Node& node : nodes) {
    actors.push_back({node.path, node.value.path()});
    collect(node.children, actors);
  }
}

// Recursion is bounded by the nesting of the tree.
void collect(const hocon::Value& object, std::set<std::string>& keys) {
  if (!object.is_object()) return;
  for (std::size_t i = 0; i < object.size(); ++i) {
    const hocon::Value value = object.at(i).value;
    keys.insert(value.path());
    collect(value, keys);
  }
}

}  // namespace

std::vector<ConfiguredActor> configured_actors(const std::vector<settings::Node>& user) {
  std::vector<ConfiguredActor> actors;
  collect(user, actors);
  return actors;
}

std::vector<std::string> configured_keys(const hocon::Tree& tree) {
  std::set<std::string> keys;
  for (const schema::SettingKey& key : schema::keys()) {
    if (key.path.find('*') == key.path.npos) keys.emplace(key.path);
  }
  collect(tree.root(), keys);
  return {keys.begin(), keys.end()};
}

}  // namespace actord::config
