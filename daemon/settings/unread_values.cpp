// SPDX-License-Identifier: Apache-2.0
#include "settings/unread_values.hpp"

#include "schema/known_words.hpp"

namespace actord::settings {

using hocon::Value;

namespace {

using Values = std::vector<Value>;

bool is_wrong_form(const Value& value, const schema::SettingKey& key) {
  switch (key.type) {
    case schema::Type::section:
    case schema::Type::names: return value.is_array();
    case schema::Type::object: return !value.is_object();
    case schema::Type::list: return value.is_object();
    default: return value.is_array() || value.is_object();
  }
}

// Recursion is bounded: the parser and the resolver limit the nesting of the tree.
void collect(const Value& value, Values& unread) {
  const schema::SettingKey* const key = schema::key_for(value.path());
  if (key == nullptr || is_wrong_form(value, *key)) return unread.push_back(value);
  if (key->type != schema::Type::section && key->type != schema::Type::names) return;
  for (std::size_t i = 0; i < value.size(); ++i) collect(value.at(i).value, unread);
}

void collect_configs(const std::vector<Node>& nodes, Values& unread) {
  for (const Node& node : nodes) {
    const Value config = node.value.member("config");
    if (config && !(node.behaviour && node.config)) unread.push_back(config);
    collect_configs(node.children, unread);
  }
}

}  // namespace

Values unread_values(const Settings& settings) {
  Values unread;
  const Value root = settings.tree.root();
  for (std::size_t i = 0; i < root.size(); ++i) {
    const hocon::Member member = root.at(i);
    if (member.key == "actord") collect(member.value, unread);
    else if (!schema::is_known_root(member.key)) unread.push_back(member.value);
  }
  collect_configs(settings.user, unread);
  return unread;
}

}  // namespace actord::settings
