// SPDX-License-Identifier: Apache-2.0
#include "loader/plugin_table.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <string_view>

#include "base/utf8.hpp"
#include "message/message_type.hpp"
#include "system/declared_types.hpp"

namespace actord::loader {

namespace {

using message::view;

constexpr std::size_t list_size_max = 4096;  // limit for each list of a plugin; more is an error
constexpr std::uint32_t align_max = 4096;
constexpr std::size_t type_chain_max = 256;       // a type and its bases
constexpr std::size_t type_name_size_max = 4096;  // bytes; templates have long names

bool is_text(actord_str text) { return text.data != nullptr || text.size == 0; }
bool is_name(actord_str text) { return text.data != nullptr && text.size != 0; }

// Whether the text can be the printed name of a type, as messages show it.
bool is_type_name(actord_str text) {
  if (!is_name(text) || text.size > type_name_size_max) return false;
  const std::string_view name = view(text);
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  return base::utf8::find_invalid(name) == name.npos && std::ranges::none_of(name, is_control);
}

bool has_storage(std::uint32_t size, std::uint32_t align) {
  return size != 0 && std::has_single_bit(align) && align <= align_max && size % align == 0;
}

template <class T>
bool is_list(const T* items, std::size_t n) {
  return n <= list_size_max && (n == 0 || items != nullptr);
}

// Each overload returns what is wrong with one table; null: nothing.

const char* fault_of(const actord_message_type& type) {
  if (!ACTORD_HAS(actord_message_type, &type, read)) return "its table is too short";
  if (!is_name(type.name)) return "it has no name";
  if (type.id == nullptr) return "it has no place for its id";
  if (!has_storage(type.size, type.align)) return "its size or alignment is impossible";
  if (!is_list(type.members, type.n_members)) return "its list of members is broken";
  const bool is_trivial = (type.flags & ACTORD_TRIVIAL) != 0;
  if (!is_trivial && (type.move == nullptr || type.copy == nullptr || type.destroy == nullptr)) {
    return "it lacks move, copy or destroy";
  }
  return nullptr;
}

const char* fault_of(const actord_receive& receive) {
  if (!ACTORD_HAS(actord_receive, &receive, otherwise)) return "a table of handlers is too short";
  if (!is_list(receive.cases, receive.n_cases)) return "a list of handlers is broken";
  for (std::size_t i = 0; i < receive.n_cases; ++i) {
    if (!is_name(receive.cases[i].type)) return "a handler has no message type";
    if (receive.cases[i].handle == nullptr) return "a handler is missing";
  }
  return nullptr;
}

const char* fault_of(const actord_strategy& strategy) {
  if (!ACTORD_HAS(actord_strategy, &strategy, backoff)) return "its strategy's table is too short";
  if (!is_list(strategy.rules, strategy.n_rules)) return "its strategy's rules are broken";
  if (strategy.within_ns == 0) return "its strategy has an empty window (within = 0)";
  return nullptr;
}

const char* fault_of_resource(const actord_config_key& key) {
  if (!ACTORD_HAS(actord_config_key, &key, n_schemes)) return nullptr;
  constexpr const char* broken = "the resource of a key of its config is broken";
  if (!is_text(key.folder) || !is_text(key.address_key)) return broken;
  if (!is_list(key.schemes, key.n_schemes)) return broken;
  const std::span schemes{key.schemes, key.n_schemes};
  return std::ranges::all_of(schemes, &is_name) ? nullptr : broken;
}

const char* fault_of(const actord_config_key& key) {
  if (!ACTORD_HAS(actord_config_key, &key, n_words)) return "a key of its config is too short";
  if (!is_name(key.path) || !is_text(key.doc)) return "a key of its config has no path";
  if (!is_list(key.words, key.n_words)) return "the words of a key of its config are broken";
  for (std::size_t i = 0; i < key.n_words; ++i) {
    if (!is_name(key.words[i])) return "the words of a key of its config are broken";
  }
  if (ACTORD_HAS(actord_config_key, &key, default_value) && !is_text(key.default_value))
    return "the default of a key of its config is broken";
  return fault_of_resource(key);
}

const char* fault_of_config(const actord_behaviour& behaviour) {
  if (!is_list(behaviour.config, behaviour.n_config)) return "its list of config members is broken";
  if (!ACTORD_HAS(actord_behaviour, &behaviour, n_config_keys)) return nullptr;
  if (!is_list(behaviour.config_keys, behaviour.n_config_keys))
    return "its list of config keys is broken";
  for (std::size_t i = 0; i < behaviour.n_config_keys; ++i) {
    if (behaviour.config_keys[i] == nullptr) return "a key of its config is missing";
    if (const char* const fault = fault_of(*behaviour.config_keys[i])) return fault;
  }
  return nullptr;
}

const char* fault_of(const actord_behaviour& behaviour) {
  if (!ACTORD_HAS(actord_behaviour, &behaviour, child_terminated)) return "its table is too short";
  if (!is_name(behaviour.name)) return "it has no name";
  if (behaviour.create == nullptr || behaviour.destroy == nullptr)
    return "it lacks create or destroy";
  if (!has_storage(behaviour.size, behaviour.align)) return "its size or alignment is impossible";
  if (!is_list(behaviour.receives, behaviour.n_receives) || behaviour.n_receives == 0) {
    return "it has no table of handlers";
  }
  for (std::size_t i = 0; i < behaviour.n_receives; ++i) {
    if (behaviour.receives[i] == nullptr) return "a table of handlers is missing";
    if (const char* const fault = fault_of(*behaviour.receives[i])) return fault;
  }
  if (const char* const fault = fault_of_config(behaviour)) return fault;
  if (ACTORD_HAS(actord_behaviour, &behaviour, persistence) && behaviour.persistence != nullptr) {
    const actord_persistence& persistence = *behaviour.persistence;
    if (!ACTORD_HAS(actord_persistence, &persistence, persisted))
      return "its table of persistence is too short";
    if (persistence.replay == nullptr || persistence.persisted == nullptr)
      return "it is persistent and lacks replay or persisted";
  }
  return behaviour.strategy != nullptr ? fault_of(*behaviour.strategy) : nullptr;
}

const char* fault_of(const actord_configurator& configurator) {
  if (!ACTORD_HAS(actord_configurator, &configurator, decide)) return "its table is too short";
  if (!is_name(configurator.name)) return "it has no name";
  if (configurator.strategy == nullptr) return "it has no strategy";
  return fault_of(*configurator.strategy);
}

const char* fault_of(const actord_type_chain& failure) {
  if (failure.n_types == 0 || failure.n_types > type_chain_max || failure.types == nullptr)
    return "its list of types is broken";
  for (std::size_t i = 0; i < failure.n_types; ++i) {
    if (!is_type_name(failure.types[i])) return "the name of a type is broken";
  }
  return nullptr;
}

// What is wrong with the failures that the plugin declares; empty: nothing, or it is older.
std::string fault_in_failures(const actord_plugin& plugin) {
  if (!ACTORD_HAS(actord_plugin, &plugin, n_failures)) return {};
  if (!is_list(plugin.failures, plugin.n_failures)) return "its list of failures is broken";
  for (std::size_t i = 0; i < plugin.n_failures; ++i) {
    if (const char* const fault = fault_of(plugin.failures[i]))
      return std::string{"failure "}.append(std::to_string(i)).append(": ").append(fault);
  }
  return {};
}

// What is wrong with the types that it imports; empty: nothing, or it is older.
std::string fault_in_imports(const actord_plugin& plugin) {
  if (!ACTORD_HAS(actord_plugin, &plugin, n_imports)) return {};
  if (!is_list(plugin.imports, plugin.n_imports)) return "its list of imports is broken";
  for (const actord_import& import : std::span{plugin.imports, plugin.n_imports}) {
    if (!is_name(import.name) || !is_text(import.library)) return "an import has no name";
    if (import.id == nullptr)
      return std::string{"the import "}
          .append(view(import.name))
          .append(" has no place for its id");
  }
  const auto declared = system::declared_types(plugin);
  return declared ? std::string{} : declared.error().what;
}

template <class Table>
std::string fault_in(const char* kind, const Table* const* tables, std::size_t n) {
  std::string text;
  if (!is_list(tables, n)) return text.append("its list of ").append(kind).append("s is broken");
  for (std::size_t i = 0; i < n; ++i) {
    const char* const fault = tables[i] != nullptr ? fault_of(*tables[i]) : "it is missing";
    if (fault == nullptr) continue;
    return text.append(kind).append(" ").append(std::to_string(i)).append(": ").append(fault);
  }
  return {};
}

}  // namespace

std::string table_fault(const actord_plugin* plugin) {
  if (plugin == nullptr) return "its entry function returns no table";
  if (!ACTORD_HAS(actord_plugin, plugin, detach)) return "its table is too short";
  if (plugin->abi_major != ACTORD_ABI_MAJOR)
    return "its table is of another interface than its note";
  if (!is_name(plugin->name) || !is_text(plugin->version) || !is_text(plugin->doc)) {
    return "its table has no name";
  }
  std::string fault = fault_in("message", plugin->messages, plugin->n_messages);
  if (fault.empty()) fault = fault_in("behaviour", plugin->behaviours, plugin->n_behaviours);
  if (fault.empty())
    fault = fault_in("configurator", plugin->configurators, plugin->n_configurators);
  if (fault.empty()) fault = fault_in_failures(*plugin);
  if (fault.empty()) fault = fault_in_imports(*plugin);
  return fault;
}

}  // namespace actord::loader
