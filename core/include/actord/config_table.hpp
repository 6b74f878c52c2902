// SPDX-License-Identifier: Apache-2.0
//
// The table of config keys of plugin.h: limits, description, resource and default of each config
// member.
#pragma once

#include <actord/default_text.hpp>

#include <deque>

namespace actord::detail {

/// The tables and their texts. The tables point to the texts, so that the object is not moved.
class ConfigKeys {
 public:
  ConfigKeys() = default;
  ConfigKeys(const ConfigKeys&) = delete;
  ConfigKeys& operator=(const ConfigKeys&) = delete;

  /// `defaults` is what the members are if they are absent.
  template <Described T>
  void add_members(const std::string& prefix, const T& defaults) {
    with_members<T>([&](auto... m) { (add_member<T>(prefix, m, defaults.*m.pointer), ...); });
  }

  const std::vector<const actord_config_key*>& pointers() const { return pointers_; }

 private:
  template <class T, class M, class V>
  void add_member(const std::string& prefix, const M& member, const V& default_value) {
    actord_config_key key = nothing();
    if constexpr (is_required<V>) key.flags |= ACTORD_REQUIRED;
    if constexpr (HasAbout<T>) {
      if (const About* const about = about_member<T>(member)) {
        key.doc = to_c(about->text());
        key.least = about->least();
        key.most = about->most();
        if (about->is_secret()) key.flags |= ACTORD_SECRET;
        add_resource<T>(*about, prefix, key);
      }
    }
    if (!(key.flags & ACTORD_SECRET))
      key.default_value = to_c(texts_.emplace_back(default_text(default_value)));
    const std::string path = prefix + std::string{member.name};
    if constexpr (std::is_same_v<V, Plain<V>>) add<V>(path, key, default_value);
    else add<Plain<V>>(path, key, Plain<V>{});
  }

  template <class T>
  void add_resource(const About& about, const std::string& prefix, actord_config_key& key) {
    key.resource = about.resource();
    key.use = about.use();
    key.folder = to_c(about.state_folder());
    key.schemes = about.schemes().data();
    key.n_schemes = about.schemes().size();
    if (!about.address_offset()) return;
    with_members<T>([&](auto... m) {
      const auto add = [&](const auto& member) {
        if (offset_of(member.pointer) == *about.address_offset())
          key.address_key = to_c(texts_.emplace_back(prefix + std::string{member.name}));
      };
      (add(m), ...);
    });
  }

  // Adds the key if it has a limit, a flag, a resource, a description or a default; then the keys
  // inside its value.
  template <class V>
  void add(const std::string& path, actord_config_key key, const V& defaults) {
    if constexpr (std::is_same_v<V, Bytes>) key.flags |= ACTORD_SIZE;
    if constexpr (Enumerated<V>) {
      static const std::vector<actord_str> words = names<V>();
      key.words = words.data();
      key.n_words = words.size();
    }
    const bool says_something = key.flags != 0 || key.doc.size != 0 || key.n_words != 0 ||
                                key.least.kind != ACTORD_NULL || key.most.kind != ACTORD_NULL ||
                                key.resource != 0 || key.default_value.size != 0;
    if (says_something) {
      key.struct_size = sizeof key;
      key.path = to_c(texts_.emplace_back(path));
      pointers_.push_back(&keys_.emplace_back(key));
    }
    if constexpr (Described<V>) add_members<V>(path + '.', defaults);
    else if constexpr (Map<V>) add_elements<typename V::mapped_type>(path);
    else if constexpr (List<V>) add_elements<typename V::value_type>(path);
  }

  template <class E>
  void add_elements(const std::string& path) {
    add<Plain<E>>(path + ".*", nothing(), Plain<E>{});
  }

  static actord_config_key nothing() {
    actord_config_key key{};
    key.least = key.most = no_bound;
    return key;
  }

  template <Enumerated V>
  static std::vector<actord_str> names() {
    std::vector<actord_str> words;
    for (const auto& known : enumerators<V>) words.push_back(to_c(known.name));
    return words;
  }

  std::deque<std::string> texts_;
  std::deque<actord_config_key> keys_;
  std::vector<const actord_config_key*> pointers_;
};

template <Described T>
[[gnu::cold]] const auto& config_keys() {
  struct Found : ConfigKeys {
    Found() { add_members<T>("", T{}); }
  };
  static const Found found;
  return found.pointers();
}

}  // namespace actord::detail
