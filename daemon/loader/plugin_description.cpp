// SPDX-License-Identifier: Apache-2.0
//
// Each function members() lists the members of one kind of table. A Writer and a Reader both go
// through the lists, so that neither can forget a member that the other one has.
#include "loader/plugin_description.hpp"

#include <concepts>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "message/complete.hpp"
#include "message/message_type.hpp"
#include "system/declared_types.hpp"

namespace actord::loader {

namespace {

using Json = nlohmann::json;

using message::HasSize;

// ---- the tables ---------------------------------------------------------------------------------

template <class Archive>
void members(Archive& archive, actord_member& it) {
  archive.value("name", it.name);
  archive.value("type", it.type);
  archive.value("offset", it.offset);
}

template <class Archive>
void members(Archive& archive, actord_message_type& it) {
  archive.value("flags", it.flags);
  archive.value("name", it.name);
  archive.list("members", it.members, it.n_members);
  archive.value("size", it.size);
  archive.value("align", it.align);
  archive.value("library", it.library);
  archive.place("id", it.id);
  archive.function("move", it.move);
  archive.function("copy", it.copy);
  archive.function("destroy", it.destroy);
  archive.value("family", it.family);
  archive.list("secrets", it.secrets, it.n_secrets);
  archive.list("dropped", it.dropped, it.n_dropped);
}

template <class Archive>
void members(Archive& archive, actord_case& it) {
  archive.value("type", it.type);
  archive.function("handle", it.handle);
}

template <class Archive>
void members(Archive& archive, actord_receive& it) {
  archive.value("name", it.name);
  std::size_t n = it.n_cases;
  archive.list("cases", it.cases, n);
  it.n_cases = static_cast<std::uint32_t>(n);
  archive.function("otherwise", it.otherwise);
}

template <class Archive>
void members(Archive& archive, actord_rule& it) {
  archive.value("type", it.type);
  archive.value("directive", it.directive);
  archive.value("level", it.level);
}

template <class Archive>
void members(Archive& archive, actord_backoff& it) {
  archive.value("min_ns", it.min_ns);
  archive.value("max_ns", it.max_ns);
  archive.value("reset_after_ns", it.reset_after_ns);
  archive.value("random_factor", it.random_factor);
  archive.value("capacity", it.capacity);
}

template <class Archive>
void members(Archive& archive, actord_strategy& it) {
  archive.value("kind", it.kind);
  archive.value("max_restarts", it.max_restarts);
  archive.value("within_ns", it.within_ns);
  archive.list("rules", it.rules, it.n_rules);
  archive.value("otherwise", it.otherwise);
  archive.value("is_logging", it.is_logging);
  archive.table("backoff", it.backoff);
}

template <class Archive>
void members(Archive& archive, actord_configurator& it) {
  archive.value("flags", it.flags);
  archive.value("name", it.name);
  archive.value("doc", it.doc);
  archive.table("strategy", it.strategy);
  archive.function("decide", it.decide);
}

template <class Archive>
void members(Archive& archive, actord_bound& it) {
  archive.value("kind", it.kind);
  archive.value("bits", it.value.u);  // of whichever kind
}

template <class Archive>
void members(Archive& archive, actord_config_key& it) {
  archive.value("flags", it.flags);
  archive.value("path", it.path);
  archive.value("doc", it.doc);
  archive.part("least", it.least);
  archive.part("most", it.most);
  archive.list("words", it.words, it.n_words);
  archive.value("resource", it.resource);
  archive.value("use", it.use);
  archive.value("folder", it.folder);
  archive.value("address_key", it.address_key);
  archive.list("schemes", it.schemes, it.n_schemes);
  archive.value("default_value", it.default_value);
}

template <class Archive>
void members(Archive& archive, actord_persistence& it) {
  archive.value("flags", it.flags);
  archive.function("restore", it.restore);
  archive.function("replay", it.replay);
  archive.function("recovered", it.recovered);
  archive.function("persisted", it.persisted);
}

template <class Archive>
void members(Archive& archive, actord_behaviour& it) {
  archive.value("flags", it.flags);
  archive.value("name", it.name);
  archive.value("doc", it.doc);
  archive.value("size", it.size);
  archive.value("align", it.align);
  archive.tables("receives", it.receives, it.n_receives);
  archive.list("config", it.config, it.n_config);
  archive.table("strategy", it.strategy);
  archive.function("create", it.create);
  archive.function("destroy", it.destroy);
  archive.function("pre_start", it.pre_start);
  archive.function("post_stop", it.post_stop);
  archive.function("pre_restart", it.pre_restart);
  archive.function("post_restart", it.post_restart);
  archive.function("decide", it.decide);
  archive.function("log_failure", it.log_failure);
  archive.function("child_terminated", it.child_terminated);
  archive.function("review", it.review);
  archive.value("stash_capacity", it.stash_capacity);
  archive.tables("config_keys", it.config_keys, it.n_config_keys);
  archive.function("validate", it.validate);
  archive.table("persistence", it.persistence);
}

template <class Archive>
void members(Archive& archive, actord_type_chain& it) {
  archive.list("types", it.types, it.n_types);
}

template <class Archive>
void members(Archive& archive, actord_plugin& it) {
  archive.value("abi_major", it.abi_major);
  archive.value("abi_minor", it.abi_minor);
  archive.value("flags", it.flags);
  archive.value("name", it.name);
  archive.value("version", it.version);
  archive.value("doc", it.doc);
  archive.tables("behaviours", it.behaviours, it.n_behaviours);
  archive.tables("messages", it.messages, it.n_messages);
  archive.tables("configurators", it.configurators, it.n_configurators);
  archive.list("failures", it.failures, it.n_failures);
  archive.function("attach", it.attach);
}

// ---- from tables to JSON ------------------------------------------------------------------------

class Writer {
 public:
  template <class T>
  static Json written(const T& table) {
    if constexpr (std::same_as<T, actord_str>) {
      return message::view(table);
    } else {
      Writer writer;
      T copy = message::complete(table);
      members(writer, copy);
      return std::move(writer.json_);
    }
  }

  template <class T>
  void value(const char* name, const T& from) {
    if constexpr (std::same_as<T, actord_str>) json_[name] = message::view(from);
    else json_[name] = from;
  }
  template <class T>
  void part(const char* name, const T& from) {
    json_[name] = written(from);
  }
  template <class T>
  void list(const char* name, const T* items, std::size_t n) {
    Json& all = json_[name] = Json::array();
    for (const T& item : std::span{items, n}) all.push_back(written(item));
  }
  template <class T>
  void tables(const char* name, const T* const* items, std::size_t n) {
    Json& all = json_[name] = Json::array();
    for (const T* item : std::span{items, n}) all.push_back(written(*item));
  }
  template <class T>
  void table(const char* name, const T* from) {
    if (from != nullptr) json_[name] = written(*from);
  }
  template <class R, class... Arguments>
  void function(const char* name, R (*pointer)(Arguments...)) {
    json_[name] = pointer != nullptr;
  }
  template <class T>
  void place(const char*, const T*) {}

 private:
  Json json_ = Json::object();
};

// ---- and back -----------------------------------------------------------------------------------

/// Stands for a function of the plugin.
template <class R, class... Arguments>
R absent(Arguments...) {
  if constexpr (std::same_as<R, actord_status>) return ACTORD_FAILED;
}

/// A member that is missing, or is something else than it should be, stays null: table_fault()
/// finds those that may not be.
class Reader {
 public:
  Reader(const Json& json, std::pmr::memory_resource& memory) : json_(json), memory_(memory) {}

  template <class T>
  void value(const char* name, T& to) {
    const auto found = json_.find(name);
    if (found == json_.end()) return;
    if constexpr (std::same_as<T, actord_str>) {
      to = text(*found);
    } else if constexpr (std::floating_point<T>) {
      if (found->is_number()) to = found->template get<T>();
    } else {
      if (found->is_number_integer()) to = static_cast<T>(found->template get<std::int64_t>());
    }
  }
  template <class T>
  void part(const char* name, T& to) {
    if (const auto found = json_.find(name); found != json_.end()) read(*found, to);
  }
  template <class T>
  void list(const char* name, const T*& items, std::size_t& n) {
    const Json& all = list_of(name);
    T* const to = allocate<T>(n = all.size());
    for (std::size_t i = 0; i < n; ++i) read(all[i], to[i]);
    items = n == 0 ? nullptr : to;
  }
  template <class T>
  void tables(const char* name, const T* const*& items, std::size_t& n) {
    const Json& all = list_of(name);
    const T** const to = allocate<const T*>(n = all.size());
    for (std::size_t i = 0; i < n; ++i) to[i] = read_table<T>(all[i]);
    items = n == 0 ? nullptr : to;
  }
  template <class T>
  void table(const char* name, const T*& to) {
    if (const auto found = json_.find(name); found != json_.end()) to = read_table<T>(*found);
  }
  template <class R, class... Arguments>
  void function(const char* name, R (*&pointer)(Arguments...)) {
    const auto found = json_.find(name);
    if (found != json_.end() && *found == true) pointer = &absent<R, Arguments...>;
  }
  template <class T>
  void place(const char*, T*& to) {
    to = allocate<T>(1);
  }

  template <class T>
  void read(const Json& json, T& to) {
    if constexpr (std::same_as<T, actord_str>) {
      to = text(json);
    } else {
      if constexpr (HasSize<T>) to.struct_size = sizeof to;
      Reader reader(json.is_object() ? json : empty, memory_);
      members(reader, to);
    }
  }

 private:
  static inline const Json empty = Json::object();

  template <class T>
  const T* read_table(const Json& json) {
    T* const to = allocate<T>(1);
    read(json, *to);
    return to;
  }
  /// All of them null.
  template <class T>
  T* allocate(std::size_t n) {
    static_assert(std::is_trivially_destructible_v<T>);
    T* const items = static_cast<T*>(memory_.allocate(n * sizeof(T), alignof(T)));
    std::uninitialized_value_construct_n(items, n);
    return items;
  }
  actord_str text(const Json& json) {
    if (!json.is_string()) return {};
    const std::string& from = json.get_ref<const std::string&>();
    if (from.empty()) return {};
    char* const copy = allocate<char>(from.size());
    from.copy(copy, from.size());
    return {copy, from.size()};
  }
  const Json& list_of(const char* name) const {
    const auto found = json_.find(name);
    return found != json_.end() && found->is_array() ? *found : empty;
  }

  const Json& json_;
  std::pmr::memory_resource& memory_;
};

}  // namespace

// With the types that the plugin imports as if it had tables of them: the reader of the description
// has no other ones.
nlohmann::json PluginDescription::written(const actord_plugin& plugin) {
  actord_plugin whole = message::complete(plugin);
  const auto declared = system::declared_types(plugin);
  if (!declared) return Writer::written(whole);
  std::vector<const actord_message_type*> messages;
  for (const system::DeclaredType& type : *declared) messages.push_back(type.table);
  whole.messages = messages.data();
  whole.n_messages = messages.size();
  return Writer::written(whole);
}

std::shared_ptr<const PluginDescription> PluginDescription::read(const nlohmann::json& json) {
  if (!json.is_object()) return nullptr;
  const std::shared_ptr<PluginDescription> description{new PluginDescription};
  Reader(json, description->memory_).read(json, description->table_);
  return description;
}

}  // namespace actord::loader
