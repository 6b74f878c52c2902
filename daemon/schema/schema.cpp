// SPDX-License-Identifier: Apache-2.0
#include "schema/schema.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/assert.hpp"
#include "base/duration_text.hpp"
#include "base/suggestion.hpp"
#include "hocon/key_path.hpp"
#include "hocon/units.hpp"
#include "schema/schema_sections.hpp"

namespace actord::schema {

namespace {

std::vector<SettingKey> all_keys() {
  std::vector<SettingKey> all = {{.path = "actord"}};
  const auto append = [&](SettingKeys keys) { all.insert(all.end(), keys.begin(), keys.end()); };
  append(daemon_keys());
  append(shutdown_keys());
  append(worker_keys());
  append(persistence_keys());
  append(breaker_keys());
  append(actor_keys());
  append(deployment_keys());
  for (const SettingKey& key : user_keys()) {
    all.push_back(key);
    if (key.own_name() == "supervisor-strategy") append(strategy_keys());
  }
  append(backoff_supervisor_keys());
  append(router_keys());
  return all;
}

// All keys, linked as a tree: each section has its members, or those of the key that it names.
class KeyTree {
 public:
  KeyTree() : keys_(all_keys()), members_(keys_.size()) {
    std::unordered_map<std::string_view, std::size_t> by_path;
    for (std::size_t i = 0; i < keys_.size(); ++i) by_path.emplace(keys_[i].path, i);
    for (const SettingKey& key : keys_) {
      const std::size_t dot = key.path.rfind('.');
      if (dot == key.path.npos) continue;
      const auto section = by_path.find(key.path.substr(0, dot));
      ACTORD_ASSERT(section != by_path.end());  // every section is in the table itself
      members_[section->second].push_back(&key);
    }
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const std::string_view other = keys_[i].members_of;
      keys_[i].members = members_[other.empty() ? i : by_path.at(other)];
    }
  }
  SettingKeys keys() const noexcept { return keys_; }

 private:
  std::vector<SettingKey> keys_;
  std::vector<std::vector<const SettingKey*>> members_;  // by index of the section
};

std::string bounds_text(const SettingKey& key, std::string_view what, std::string min,
                        const std::string& max) {
  if (key.max != SettingKey::no_max) return std::move(min) + " to " + max;
  if (key.min == SettingKey::no_min) return std::string{what};
  if (key.type == Type::duration && key.min == 1) return std::string{what} + " of more than 0";
  return std::string{what} + " of at least " + min;
}

std::string type_text(const SettingKey& key) {
  switch (key.type) {
    case Type::boolean: return "on | off";
    case Type::integer:
    case Type::number:
      return bounds_text(key, "a number", std::to_string(key.min), std::to_string(key.max));
    case Type::duration:
      return bounds_text(key, "a duration", key.min == 0 ? "0" : base::duration_text(key.min),
                         base::duration_text(key.max));
    case Type::size:
      return bounds_text(key, "a size", hocon::bytes_text(key.min), hocon::bytes_text(key.max));
    case Type::text: return "a text";
    case Type::path: return "a path";
    case Type::list: return key.elements == Type::path ? "a list of paths" : "a list of texts";
    case Type::section:
    case Type::names:
    case Type::object: return "an object";
    case Type::word: break;
  }
  return {};
}

// Whether the path is the only key that is read of akka and pekko.
bool is_alias(const std::vector<std::string>& path) {
  return (path[0] == "akka" || path[0] == "pekko") && path.size() >= 3 && path[1] == "actor" &&
         path[2] == "guardian-supervisor-strategy";
}

}  // namespace

std::string_view name_of(Reload reload) noexcept {
  switch (reload) {
    case Reload::live: return "live";
    case Reload::new_actors: return "new actors";
    case Reload::restart_actor: return "restart actor";
    case Reload::restart: break;
  }
  return "restart";
}

std::string_view SettingKey::own_name() const noexcept {
  return path.substr(path.rfind('.') + 1);  // npos + 1 is 0
}

const SettingKey* SettingKey::member(std::string_view wanted) const noexcept {
  const auto named = [&](std::string_view it) {
    return std::find_if(members.begin(), members.end(),
                        [&](const SettingKey* each) { return each->own_name() == it; });
  };
  auto found = named(wanted);
  if (found == members.end()) found = named("*");
  return found == members.end() ? nullptr : *found;
}

std::span<const SettingKey> keys() {
  static const KeyTree& tree = *new KeyTree;
  return tree.keys();
}

const SettingKey* key_for(std::string_view concrete_path) {
  for (const SettingKey& each : keys()) {
    if (each.path == concrete_path) return &each;
  }
  const auto elements = hocon::parse_path(concrete_path);
  if (!elements) return nullptr;
  const SettingKey* key = &keys().front();
  if (elements->front() != key->own_name() && !is_alias(*elements)) return nullptr;
  for (std::size_t i = 1; key != nullptr && i < elements->size(); ++i) {
    if (key->type == Type::object || key->type == Type::list) break;
    key = key->member((*elements)[i]);
  }
  return key;
}

std::string sample_path(const SettingKey& key) {
  std::string text;
  const SettingKey* section = nullptr;
  for (std::size_t end = 0; end != key.path.npos;) {
    const std::size_t begin = end == 0 ? 0 : end + 1;
    end = key.path.find('.', begin);
    const std::string_view element = key.path.substr(begin, end - begin);
    const bool is_name = element == "*" && section != nullptr;
    text.append(begin == 0 ? "" : ".").append(is_name ? section->name : element);
    section = section == nullptr ? &keys().front() : section->member(element);
  }
  return text;
}

std::string range_text(const SettingKey& key) {
  if (!key.range.empty()) return std::string{key.range};
  std::string text = base::joined(key.words, " | ");
  const std::string more = type_text(key);
  if (!more.empty()) text.append(text.empty() ? "" : " | ").append(more);
  return text;
}

}  // namespace actord::schema
