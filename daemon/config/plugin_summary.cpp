// SPDX-License-Identifier: Apache-2.0
#include "config/plugin_summary.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "message/complete.hpp"
#include "message/message_type.hpp"

namespace actord::config {

using message::view;
using wire::Json;

namespace {

Json handled_by(const actord_behaviour& behaviour) {
  Json types = Json::array();
  for (const actord_receive* receive : std::span(behaviour.receives, behaviour.n_receives)) {
    for (std::size_t i = 0; i < receive->n_cases; ++i) {
      Json type = std::string{view(receive->cases[i].type)};
      if (std::ranges::find(types, type) == types.end()) types.push_back(std::move(type));
    }
  }
  return types;
}

Json config_of(const actord_behaviour& behaviour) {
  Json keys = Json::array();
  for (const actord_member& member : std::span(behaviour.config, behaviour.n_config)) {
    Json line = {{"key", view(member.name)}, {"type", view(member.type)}};
    const std::span declared(behaviour.config_keys, behaviour.n_config_keys);
    const auto found = std::ranges::find_if(declared, [&](const actord_config_key* each) {
      return view(each->path) == view(member.name);
    });
    if (found != declared.end()) {
      const actord_config_key declared_key = message::complete(**found);
      if (declared_key.doc.size != 0) line["doc"] = view(declared_key.doc);
      if (declared_key.default_value.size != 0) line["default"] = view(declared_key.default_value);
    }
    keys.push_back(std::move(line));
  }
  return keys;
}

Json members_of(const actord_message_type& type) {
  Json members = Json::array();
  for (const actord_member& each : std::span(type.members, type.n_members))
    members.push_back({{"name", view(each.name)}, {"type", view(each.type)}});
  return members;
}

}  // namespace

Json plugin_summary(const actord_plugin& declared) {
  const actord_plugin plugin = message::complete(declared);
  Json behaviours = Json::array(), messages = Json::array(), failures = Json::array(),
       strategies = Json::array();
  for (const actord_behaviour* each : std::span(plugin.behaviours, plugin.n_behaviours))
    behaviours.push_back({{"name", view(each->name)},
                          {"doc", view(each->doc)},
                          {"handles", handled_by(*each)},
                          {"config", config_of(message::complete(*each))}});
  for (const actord_message_type* each : std::span(plugin.messages, plugin.n_messages)) {
    // Older plugins list those of actord, too, and so do some of another library.
    if (view(each->name).starts_with("actord.")) continue;
    messages.push_back({{"type", view(each->name)}, {"members", members_of(*each)}});
  }
  for (const actord_configurator* each : std::span(plugin.configurators, plugin.n_configurators))
    strategies.push_back(view(each->name));
  for (const actord_type_chain& each : std::span(plugin.failures, plugin.n_failures))
    failures.push_back(view(each.types[0]));
  return {{"name", view(plugin.name)},
          {"version", view(plugin.version)},
          {"doc", view(plugin.doc)},
          {"interface", std::to_string(plugin.abi_major) + '.' + std::to_string(plugin.abi_minor)},
          {"behaviours", std::move(behaviours)},
          {"messages", std::move(messages)},
          {"failures", std::move(failures)},
          {"strategies", std::move(strategies)}};
}

}  // namespace actord::config
