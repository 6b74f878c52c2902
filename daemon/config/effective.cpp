// SPDX-License-Identifier: Apache-2.0
#include "config/effective.hpp"

#include <algorithm>

#include "schema/reference.hpp"

namespace actord::config {

namespace {

// Recursion is bounded: the parser and the resolver limit the nesting of the tree.
void collect(const hocon::Tree& tree, const hocon::Value& value, std::vector<EffectiveValue>& all) {
  if (value.is_object() && value.size() != 0) {
    for (std::size_t i = 0; i < value.size(); ++i) collect(tree, value.at(i).value, all);
    return;
  }
  EffectiveValue found;
  found.key = value.path();
  found.text = shown(value);
  found.origin = origin_text(tree, value.origin());
  found.value = value;
  found.setting = schema::key_for(found.key);
  found.is_built_in = found.origin == built_in;
  // An empty object in reference.conf is a heading, not a value.
  if (value.is_object() && found.is_built_in) return;
  all.push_back(std::move(found));
}

bool is_pattern(std::string_view path) { return path.find('*') != path.npos; }

}  // namespace

std::vector<EffectiveValue> effective_values(const hocon::Tree& tree) {
  std::vector<EffectiveValue> all;
  if (tree.root().size() != 0) collect(tree, tree.root(), all);
  for (const schema::SettingKey& key : schema::keys()) {
    if (key.default_value.empty() || is_pattern(key.path) || tree.find(key.path).exists()) continue;
    all.push_back({std::string{key.path},
                   std::string{key.default_value},
                   std::string{built_in},
                   {},
                   &key,
                   true});
  }
  return all;
}

std::string origin_text(const hocon::Tree& tree, const hocon::Origin& origin) {
  if (!origin.known()) return std::string{built_in};
  const std::string& name = tree.sources()[origin.file].name;
  if (name == schema::reference_name) return std::string{built_in};
  const auto& files = tree.files();
  const bool is_file =
      std::any_of(files.begin(), files.end(), [&](const auto& each) { return each.name == name; });
  if (!is_file) return name;
  return tree.sources().text_of(origin) + ':' + std::to_string(origin.column);
}

}  // namespace actord::config
