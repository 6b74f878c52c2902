// SPDX-License-Identifier: Apache-2.0
//
// The table of config keys of plugin.h: limits, description, resource and default of each config
// member.
#pragma once

#include <actord/default_text.hpp>
#include <actord/secret_members.hpp>

namespace actord::detail {

/// The members of a config, and of the structs within it, as keys. The tables and their texts live
/// as long as the process.
class ConfigKeys {
 public:
  /// `defaults` is an object of that type, with what its members are if they are absent.
  [[gnu::cold]] void add_members(const actord_data_struct& of, const std::string& prefix,
                                 const void* defaults) {
    for (std::size_t i = 0; i < of.n_members; ++i) add_member(of, of.members[i], prefix, defaults);
  }

  const std::vector<const actord_config_key*>& pointers() const { return pointers_; }

 private:
  void add_member(const actord_data_struct& of, const actord_data_member& member,
                  const std::string& prefix, const void* defaults) {
    actord_config_key key = nothing();
    if (member.is_required != 0) key.flags |= ACTORD_REQUIRED;
    if (const actord_data_about* const about = about_member(of, member.offset)) {
      key.doc = about->doc;
      key.least = about->least;
      key.most = about->most;
      key.flags |= about->flags & ACTORD_SECRET;
      add_resource(of, *about, prefix, key);
    }
    const void* const at = static_cast<const char*>(defaults) + member.offset;
    if ((key.flags & (ACTORD_SECRET | ACTORD_REQUIRED)) == 0)
      key.default_value = keep_text(default_text(*member.type, at));
    add(prefix + std::string{detail::view(member.name)}, key, *member.type, at);
  }

  static void add_resource(const actord_data_struct& of, const actord_data_about& about,
                           const std::string& prefix, actord_config_key& key) {
    key.resource = about.resource;
    key.use = about.use;
    key.folder = about.folder;
    key.schemes = about.schemes;
    key.n_schemes = about.n_schemes;
    for (std::size_t i = 0; i < of.n_members; ++i) {
      if (static_cast<std::int64_t>(of.members[i].offset) == about.address_offset)
        key.address_key = keep_text(prefix + std::string{detail::view(of.members[i].name)});
    }
  }

  // Adds the key if it has a limit, a flag, a resource, a description or a default; then the keys
  // inside its value. `at` is the default.
  void add(const std::string& path, actord_config_key key, const actord_data_type& type,
           const void* at) {
    if (type.kind == ACTORD_DATA_OPTIONAL) return add_element(path, key, type);
    if (type.kind == ACTORD_DATA_SIZE) key.flags |= ACTORD_SIZE;
    if (type.kind == ACTORD_DATA_NAME) {
      key.n_words = type.of.names->n_names;
      auto* const words = new actord_str[key.n_words];
      for (std::size_t i = 0; i < key.n_words; ++i) words[i] = type.of.names->names[i].name;
      key.words = words;
    }
    const bool says_something = key.flags != 0 || key.doc.size != 0 || key.n_words != 0 ||
                                key.least.kind != ACTORD_NULL || key.most.kind != ACTORD_NULL ||
                                key.resource != 0 || key.default_value.size != 0;
    if (says_something) {
      key.struct_size = sizeof key;
      key.path = keep_text(path);
      pointers_.push_back(new actord_config_key{key});
    }
    if (type.kind == ACTORD_DATA_STRUCT) add_members(*type.of.members, path + '.', at);
    else if (type.kind == ACTORD_DATA_LIST || type.kind == ACTORD_DATA_MAP)
      add_element(path + ".*", nothing(), type);
  }

  // The same for what is in a container. A new element has the defaults; it is not added.
  void add_element(const std::string& path, const actord_config_key& key,
                   const actord_data_type& container) {
    struct Element {
      ConfigKeys& keys;
      const std::string& path;
      const actord_config_key& key;
      const actord_data_type& type;
    } element{*this, path, key, *container.element};
    const auto use = [](void* with, void* made) -> actord_status {
      const auto& it = *static_cast<const Element*>(with);
      it.keys.add(it.path, it.key, it.type, made);
      return ACTORD_FAILED;
    };
    static_cast<void>(container.of.container->add(nullptr, {}, &element, use, nullptr));
  }

  static actord_config_key nothing() {
    actord_config_key key{};
    key.least = key.most = no_bound;
    return key;
  }

  std::vector<const actord_config_key*> pointers_;
};

template <Described T>
[[gnu::cold]] const std::vector<const actord_config_key*>& config_keys() {
  static const ConfigKeys& keys = []() -> const ConfigKeys& {
    auto& made = *new ConfigKeys;
    const T defaults{};
    made.add_members(*data_type<T>.of.members, {}, &defaults);
    return made;
  }();
  return keys.pointers();
}

}  // namespace actord::detail
