// SPDX-License-Identifier: Apache-2.0
#include "ctl/plugin_page.hpp"

#include <span>

#include "actor/strategy.hpp"
#include "message/complete.hpp"
#include "message/message_type.hpp"
#include "schema/config_rules.hpp"
#include "sdk/config_fields.hpp"
#include "settings/strategy_text.hpp"

namespace actord::ctl {

namespace {

using message::view;

std::string text(actord_str from) { return std::string{view(from)}; }

/// The T of name<T>; empty for other types.
std::string_view element_of(std::string_view type, std::string_view name) {
  if (!type.starts_with(name) || type.size() < name.size() + 2 || type[name.size()] != '<')
    return {};
  return type.substr(name.size() + 1, type.size() - name.size() - 2);
}

std::string words_of(const actord_config_key& rule) {
  std::string words;
  for (const actord_str word : std::span(rule.words, rule.n_words))
    words += (words.empty() ? "" : " | ") + sdk::ConfigField{view(word), {}}.written();
  return words;
}

/// The keys of a config, those of structs in it with a path.
class KeyList {
 public:
  KeyList(const schema::ConfigRules& rules, std::vector<PluginPage::Key>& keys)
      : rules_(rules), keys_(keys) {}

  /// `written` and `declared` are the path to the fields, for an operator and for the rules.
  void add(const std::vector<sdk::ConfigField>& fields, const std::string& written,
           const std::string& declared) {
    for (const sdk::ConfigField& field : fields)
      add(field.type, written + field.written(), declared + std::string{field.name});
  }

 private:
  void add(std::string_view type, const std::string& written, const std::string& declared) {
    if (const std::string_view inner = element_of(type, "optional"); !inner.empty()) type = inner;
    if (type.starts_with('{'))
      return add(sdk::fields_of(type.substr(1, type.size() - 2)), written + '.', declared + '.');
    for (const std::string_view container : {"list", "map"}) {
      const std::string_view element = element_of(type, container);
      if (element.starts_with('{')) return add(element, written + ".*", declared + ".*");
    }
    keys_.push_back(key_of(type, written, rules_.find(declared)));
  }

  static PluginPage::Key key_of(std::string_view type, const std::string& written,
                                const actord_config_key* rule) {
    PluginPage::Key key{written, std::string{type}, {}, {}, {}, false, false};
    if (rule == nullptr) return key;
    if (schema::has_flag(rule, ACTORD_SIZE)) key.type = "size";
    key.range = rule->n_words != 0 ? words_of(*rule) : schema::bounds_text(*rule);
    key.default_value = schema::default_text(*rule);
    key.doc = text(rule->doc);
    if (const std::string names = schema::resource_text(*rule); !names.empty())
      key.doc += (key.doc.empty() ? "" : " ") + ("It names " + names) + '.';
    key.is_needed = schema::has_flag(rule, ACTORD_REQUIRED);
    key.is_secret = schema::has_flag(rule, ACTORD_SECRET);
    return key;
  }

  const schema::ConfigRules& rules_;
  std::vector<PluginPage::Key>& keys_;
};

PluginPage::Pairs strategy_of(const actord_strategy* declared) {
  PluginPage::Pairs pairs;
  if (declared == nullptr) return pairs;
  const actor::Strategy strategy = actor::from_c(*declared, "code");
  const auto add = [&](const std::vector<std::string>& key, const std::string& written) {
    const auto value = settings::value_text(strategy, key);
    if (value && !value->empty()) pairs.emplace_back(written, *value);
  };
  for (const char* const key : {"type", "max-restarts", "within"}) add({key}, key);
  for (const actor::Rule& rule : strategy.rules)
    add({"decider", rule.type}, "decider.\"" + rule.type + '"');
  add({"decider", "default"}, "decider.default");
  for (const char* const key : {"min", "max"}) add({"backoff", key}, "backoff." + std::string{key});
  return pairs;
}

PluginPage::State state_of(const actord_receive& receive) {
  PluginPage::State state{text(receive.name), {}, receive.otherwise != nullptr};
  for (const actord_case& each : std::span(receive.cases, receive.n_cases))
    state.messages.push_back(text(each.type));
  return state;
}

PluginPage::Behaviour behaviour_of(const actord_behaviour& declared, const std::string& plugin) {
  const actord_behaviour table = message::complete(declared);
  PluginPage::Behaviour behaviour{
      plugin + '/' + text(table.name), text(table.doc), {}, {}, strategy_of(table.strategy)};
  const schema::ConfigRules rules(declared);
  KeyList(rules, behaviour.config).add(sdk::fields_of(table.config, table.n_config), {}, {});
  for (const actord_receive* const each : std::span(table.receives, table.n_receives))
    behaviour.states.push_back(state_of(*each));
  return behaviour;
}

PluginPage::Message message_of(const actord_message_type& declared) {
  const actord_message_type table = message::complete(declared);
  PluginPage::Message message{text(table.name), text(table.family), {}, {}};
  for (const actord_member& each : std::span(table.members, table.n_members))
    message.members.emplace_back(text(each.name), text(each.type));
  for (const actord_str each : std::span(table.secrets, table.n_secrets))
    message.secrets.push_back(text(each));
  return message;
}

wire::Json json_of(const PluginPage::Pairs& pairs) {
  wire::Json json = wire::Json::object();
  for (const auto& [name, value] : pairs) json[name] = value;
  return json;
}

/// The members of a message, whose order counts.
wire::Json members_json(const PluginPage::Pairs& members) {
  wire::Json json = wire::Json::array();
  for (const auto& [name, type] : members) json.push_back({{"name", name}, {"type", type}});
  return json;
}

wire::Json json_of(const PluginPage::Key& key) {
  wire::Json json = {{"key", key.name}, {"type", key.type}};
  if (!key.range.empty()) json["range"] = key.range;
  if (!key.default_value.empty()) json["default"] = key.default_value;
  if (key.is_needed) json["needed"] = true;
  if (key.is_secret) json["secret"] = true;
  if (!key.doc.empty()) json["doc"] = key.doc;
  return json;
}

wire::Json json_of(const PluginPage::Behaviour& behaviour) {
  wire::Json json = {{"name", behaviour.name},
                     {"doc", behaviour.doc},
                     {"config", wire::Json::array()},
                     {"states", wire::Json::array()}};
  for (const PluginPage::Key& key : behaviour.config) json["config"].push_back(json_of(key));
  for (const PluginPage::State& state : behaviour.states) {
    json["states"].push_back(
        {{"name", state.name}, {"messages", state.messages}, {"takes_others", state.takes_others}});
  }
  if (!behaviour.strategy.empty()) json["strategy"] = json_of(behaviour.strategy);
  return json;
}

wire::Json json_of(const PluginPage::Message& message) {
  wire::Json json = {{"name", message.name}, {"members", members_json(message.members)}};
  if (!message.family.empty()) json["family"] = message.family;
  if (!message.secrets.empty()) json["secrets"] = message.secrets;
  return json;
}

}  // namespace

PluginPage page_of(const actord_plugin& plugin, std::string file) {
  const actord_plugin table = message::complete(plugin);
  PluginPage page{
      text(table.name), text(table.version), text(table.doc), std::move(file), {}, {}, {}, {}};
  for (const actord_behaviour* const each : std::span(table.behaviours, table.n_behaviours))
    page.behaviours.push_back(behaviour_of(*each, page.name));
  for (const actord_message_type* const each : std::span(table.messages, table.n_messages)) {
    if (!view(each->name).starts_with("actord.")) page.messages.push_back(message_of(*each));
  }
  for (const actord_type_chain& each : std::span(table.failures, table.n_failures)) {
    std::vector<std::string>& types = page.failures.emplace_back();
    for (const actord_str type : std::span(each.types, each.n_types)) types.push_back(text(type));
  }
  for (const actord_configurator* const each :
       std::span(table.configurators, table.n_configurators)) {
    page.configurators.push_back(
        {page.name + '/' + text(each->name), text(each->doc), strategy_of(each->strategy)});
  }
  return page;
}

wire::Json json_of(const PluginPage& page) {
  wire::Json json = {{"name", page.name},
                     {"version", page.version},
                     {"doc", page.doc},
                     {"file", page.file},
                     {"behaviours", wire::Json::array()},
                     {"messages", wire::Json::array()},
                     {"failures", page.failures},
                     {"configurators", wire::Json::array()}};
  for (const auto& each : page.behaviours) json["behaviours"].push_back(json_of(each));
  for (const auto& each : page.messages) json["messages"].push_back(json_of(each));
  for (const auto& each : page.configurators) {
    json["configurators"].push_back(
        {{"name", each.name}, {"doc", each.doc}, {"strategy", json_of(each.strategy)}});
  }
  return json;
}

}  // namespace actord::ctl
