// SPDX-License-Identifier: Apache-2.0
#include "settings/binding.hpp"

#include <algorithm>

#include "settings/config_check.hpp"
#include "settings/strategy_reader.hpp"

namespace actord::settings {

using hocon::Value;

namespace {

constexpr std::string_view plain_supervisor = "actord/Supervisor";

class Binder {
 public:
  Binder(const system::BehaviourRegistry& registry, const sdk::ConfigReader& reader,
         Findings& findings)
      : registry_(registry), reader_(reader), findings_(findings) {}

  actor::NodeSpec bind(const Node& node) {
    actor::NodeSpec spec;
    spec.name = node.name;
    spec.behaviour = behaviour(node);
    spec.config = reader_.value(node.config);
    spec.strategy = node.strategy;
    spec.dispatcher = node.dispatcher;
    spec.mailbox_capacity = node.mailbox_capacity;
    spec.origin = node.value.place();
    if (spec.behaviour != nullptr && node.config) {
      check_config(findings_, node.config, spec.behaviour->table, spec.behaviour->name);
    }
    for (const Node& child : node.children) spec.children.push_back(bind(child));
    return spec;
  }

  std::optional<actor::Strategy> guardian(const GuardianSettings& guardian) {
    if (guardian.strategy || !guardian.value) return guardian.strategy;
    if (const actor::Strategy* const found = registry_.configurator(guardian.value.text())) {
      actor::Strategy strategy = *found;
      say_where_it_was_chosen(strategy, guardian.value.place());
      return strategy;
    }
    refuse_unknown(guardian.value, "configurator", registry_.configurator_names());
    return std::nullopt;
  }

 private:
  const actor::Behaviour* behaviour(const Node& node) {
    const auto found = registry_.find(node.behaviour ? node.behaviour.text() : plain_supervisor);
    if (found) return *found;
    ACTORD_ASSERT(node.behaviour);  // the plain supervisor is built in
    refuse_unknown(node.behaviour, "behaviour", registry_.behaviour_names());
    return nullptr;
  }

  // "plugin/Name" that no loaded plugin has.
  void refuse_unknown(const Value& value, std::string_view what,
                      const std::vector<std::string>& names) {
    const std::string_view name = value.text();
    const std::string plugin{name.substr(0, name.find('/'))};
    const std::vector<std::string> plugins = registry_.plugin_names();
    if (std::find(plugins.begin(), plugins.end(), plugin) == plugins.end()) {
      return findings_.add(
          value.reject("no plugin \"" + plugin + "\" is loaded",
                       did_you_mean(plugin, {plugins.begin(), plugins.end()}, "loaded are: ")));
    }
    std::vector<std::string_view> of_plugin;
    for (const std::string& each : names) {
      if (each.starts_with(plugin + '/')) of_plugin.push_back(each);
    }
    hocon::Diagnostic finding =
        value.reject("unknown " + std::string{what} + ' ' + hocon::quoted_for_message(name));
    const std::string_view meant = meant_name(name, of_plugin);
    if (!meant.empty()) finding.help = "did you mean \"" + std::string{meant} + "\"?";
    finding.note = "plugin " + plugin + " has " +
                   (of_plugin.empty() ? "no " + std::string{what} : joined(of_plugin));
    findings_.add(std::move(finding));
  }

  const system::BehaviourRegistry& registry_;
  const sdk::ConfigReader& reader_;
  Findings& findings_;
};

}  // namespace

base::Result<Bound, hocon::Diagnostics> bind(const Settings& settings,
                                             const system::BehaviourRegistry& registry,
                                             const sdk::ConfigReader& reader) {
  ACTORD_ASSERT(settings.tree.root() == reader.tree().root());
  Findings findings(settings.tree);
  Binder binder(registry, reader, findings);
  Bound bound;
  bound.user.name = "user";
  bound.user.strategy = binder.guardian(settings.guardian);
  if (settings.guardian.value) bound.user.origin = settings.guardian.value.place();
  for (const Node& node : settings.user) bound.user.children.push_back(binder.bind(node));
  bound.rules = settings.deployments;
  if (findings.has_errors()) return findings.take_errors();
  return bound;
}

}  // namespace actord::settings
