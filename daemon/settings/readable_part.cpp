// SPDX-License-Identifier: Apache-2.0
#include "settings/readable_part.hpp"

#include <algorithm>

namespace actord::settings {

namespace {

using Names = std::vector<std::string>;

bool is_of(const hocon::Value& named, const Names& plugins) {
  if (!named || !named.is_string()) return false;
  const std::string_view plugin = named.text().substr(0, named.text().find('/'));
  return std::ranges::any_of(plugins, [&](const std::string& each) { return each == plugin; });
}

/// Removes behaviours of `plugins`, and the configs of actors without behaviour. Also removes all
/// back-off supervisors, because their messages may belong to a plugin that is not loaded.
void leave_out(const Names& plugins, std::vector<Node>& nodes) {
  for (Node& node : nodes) {
    if (is_of(node.behaviour, plugins)) node.behaviour = {};
    if (!node.behaviour) node.config = {};
    node.backoff.reset();
    leave_out(plugins, node.children);
  }
}

}  // namespace

Settings readable_part(Settings settings) {
  const bool names_plugin = settings.guardian.value && settings.guardian.value.is_string() &&
                            settings.guardian.value.text().find('/') != std::string_view::npos;
  if (!settings.guardian.strategy && !names_plugin) settings.guardian.value = {};
  leave_out({}, settings.user);
  return settings;
}

Settings part_without_plugins(const Names& plugins, Settings settings) {
  if (!settings.guardian.strategy && is_of(settings.guardian.value, plugins))
    settings.guardian.value = {};
  leave_out(plugins, settings.user);
  return settings;
}

}  // namespace actord::settings
