// SPDX-License-Identifier: Apache-2.0
#include "settings/settings.hpp"

#include <algorithm>

namespace actord::settings {

namespace {

void want(std::vector<WantedPlugin>& wanted, const hocon::Value& named_by) {
  if (!named_by) return;
  const std::string_view name = named_by.text().substr(0, named_by.text().find('/'));
  const bool is_known =
      std::any_of(wanted.begin(), wanted.end(), [&](const auto& w) { return w.name == name; });
  if (name != "actord" && !is_known) wanted.push_back({std::string{name}, named_by});
}

void want_all(std::vector<WantedPlugin>& wanted, const std::vector<Node>& nodes) {
  for (const Node& node : nodes) {
    want(wanted, node.behaviour);
    want_all(wanted, node.children);
  }
}

}  // namespace

std::vector<WantedPlugin> plugins_wanted(const Settings& settings) {
  std::vector<WantedPlugin> wanted;
  if (!settings.guardian.strategy) want(wanted, settings.guardian.value);
  want_all(wanted, settings.user);
  return wanted;
}

}  // namespace actord::settings
