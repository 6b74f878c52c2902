// SPDX-License-Identifier: Apache-2.0
#include "settings/secret_values.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <tuple>

#include "message/masking_writer.hpp"
#include "message/message_type.hpp"
#include "schema/config_rules.hpp"
#include "sdk/config_fields.hpp"
#include "sdk/config_value.hpp"
#include "settings/resources.hpp"

namespace actord::settings {

using hocon::Value;

namespace {

/// Collects undeclared members: they may be secrets under misspelt names.
void collect_unknown(const Value& object, const std::vector<sdk::ConfigField>& fields,
                     std::vector<Value>& found) {
  for (std::size_t i = 0; object && object.is_object() && i < object.size(); ++i) {
    const hocon::Member member = object.at(i);
    const auto known = std::ranges::find_if(fields, [&](const sdk::ConfigField& field) {
      return sdk::is_same_key(member.key, field.name);
    });
    if (known == fields.end()) found.push_back(member.value);
    else if (known->type.starts_with('{') && known->type.size() >= 2)
      collect_unknown(member.value, sdk::fields_of(known->type.substr(1, known->type.size() - 2)),
                      found);
  }
}

/// The secrets of the message that a back-off supervisor replies with. Whether the other settings
/// of the supervisor are right does not matter.
void collect_reply(const Value& while_down, const system::BehaviourRegistry& registry,
                   SecretValues& found) {
  const Value reply = while_down.member("reply"), fields = while_down.member("with");
  if (!fields.exists()) return;
  const message::TypeId type = reply.is_string() ? registry.types().find(reply.text()) : 0;
  if (type == 0) return found.suspected.push_back(fields);
  const actord_message_type& table = *registry.types().at(type).table;
  const auto secrets = message::secrets_of(table);
  for (const actord_str& each : secrets)
    std::ranges::move(values_at(fields, message::view(each)), std::back_inserter(found.declared));
  if (!secrets.empty())
    collect_unknown(fields, sdk::fields_of(table.members, table.n_members), found.suspected);
}

void collect(const std::vector<Node>& nodes, const system::BehaviourRegistry& registry,
             SecretValues& found) {
  for (const Node& node : nodes) {
    collect(node.children, registry, found);
    collect_reply(node.value.find("backoff-supervisor.while-down"), registry, found);
    if (!node.behaviour) continue;
    const auto behaviour = registry.find(node.behaviour.text());
    if (!behaviour) {
      if (node.config) found.suspected.push_back(node.config);
      continue;
    }
    const actord_behaviour& table = (*behaviour)->table;
    bool has_secrets = false;
    for (const actord_config_key* key : schema::ConfigRules(table).all()) {
      if (!schema::has_flag(key, ACTORD_SECRET)) continue;
      has_secrets = true;
      std::ranges::move(values_at(node.config, message::view(key->path)),
                        std::back_inserter(found.declared));
    }
    if (has_secrets)
      collect_unknown(node.config, sdk::fields_of(table.config, table.n_config), found.suspected);
  }
}

// Recursion is bounded: the parser and the resolver limit the nesting of the tree.
void collect_secrets(const Value& value, std::vector<Value>& found) {
  const bool has_members = (value.is_object() || value.is_array()) && value.size() != 0;
  if (!has_members && value.is_secret()) found.push_back(value);
  for (std::size_t i = 0; has_members && i < value.size(); ++i)
    collect_secrets(value.at(i).value, found);
}

}  // namespace

SecretValues secret_values(const Settings& settings, const system::BehaviourRegistry& registry) {
  SecretValues found;
  collect(settings.user, registry, found);
  return found;
}

std::vector<Value> secrets_in(const hocon::Tree& tree) {
  std::vector<Value> found;
  collect_secrets(tree.root(), found);
  return found;
}

void drop_findings_at(const std::vector<Value>& values, hocon::Diagnostics& findings) {
  const auto position = [](const hocon::Diagnostic& d) {
    return std::tuple(d.file, d.line, d.column);
  };
  std::set<std::tuple<std::string, unsigned, unsigned>> positions;
  for (const Value& value : values) positions.insert(position(value.reject("")));
  std::erase_if(findings, [&](const auto& each) { return positions.contains(position(each)); });
}

}  // namespace actord::settings
