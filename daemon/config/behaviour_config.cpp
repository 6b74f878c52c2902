// SPDX-License-Identifier: Apache-2.0
#include "config/behaviour_config.hpp"

#include <algorithm>

#include "base/suggestion.hpp"
#include "hocon/key_path.hpp"
#include "message/message_type.hpp"
#include "schema/config_rules.hpp"
#include "sdk/config_fields.hpp"
#include "sdk/config_value.hpp"
#include "settings/findings.hpp"

namespace actord::config {

namespace {

using Path = std::vector<std::string>;
using Fields = std::vector<sdk::ConfigField>;

std::string dotted(std::span<const std::string> path) {
  return hocon::to_text(std::vector<std::string_view>(path.begin(), path.end()));
}

/// How many elements of the path lead to the config object of a behaviour; 0: none do.
std::size_t config_depth(const Path& path) {
  for (std::size_t depth = 1; depth < path.size(); ++depth) {
    const schema::SettingKey* const key = schema::key_for(dotted({path.data(), depth}));
    if (key != nullptr && key->type == schema::Type::object) return depth;
  }
  return 0;
}

/// The T of optional<T>; other types unchanged.
std::string_view without_optional(std::string_view type) {
  constexpr std::string_view head = "optional<";
  return type.starts_with(head) ? type.substr(head.size(), type.size() - head.size() - 1) : type;
}

/// The members of a struct type {...}; none of other types.
Fields members_of(std::string_view type) {
  type = without_optional(type);
  return type.starts_with("{") ? sdk::fields_of(type.substr(1, type.size() - 2)) : Fields{};
}

std::vector<std::string> written(const Fields& fields) {
  std::vector<std::string> names;
  for (const sdk::ConfigField& each : fields) names.push_back(each.written());
  return names;
}

struct Declared {
  std::string_view type;  // without optional<>
  std::string rule_path;  // as in ConfigRules: "chaos.probability", "shelves.*.mode"
};

/// What is declared at the path, found through members of members; an error if no such key is
/// declared.
base::Result<Declared, UnknownKey> declared_at(const actor::Behaviour& behaviour, const Path& path,
                                               std::size_t depth) {
  Fields fields = sdk::fields_of(behaviour.table.config, behaviour.table.n_config);
  Declared found;
  for (std::size_t i = depth; i < path.size(); ++i) {
    if (!found.rule_path.empty()) found.rule_path += '.';
    if (found.type.starts_with("map<")) {  // the operator chooses the names
      found.type = without_optional(found.type.substr(4, found.type.size() - 5));
      found.rule_path += '*';
    } else {
      const auto field = std::find_if(fields.begin(), fields.end(), [&](const auto& each) {
        return sdk::is_same_key(path[i], each.name);
      });
      if (field == fields.end()) {
        const std::vector<std::string> names = written(fields);
        return UnknownKey{"the config of " + behaviour.name + " has no key " + path[i],
                          settings::suggestion_for(path[i], {names.begin(), names.end()})};
      }
      found.type = without_optional(field->type);
      found.rule_path += field->name;
    }
    fields = members_of(found.type);
  }
  return found;
}

std::string words_text(const actord_config_key& rule) {
  std::string text;
  for (std::size_t i = 0; i < rule.n_words; ++i) {
    text += i == 0 ? "" : " | ";
    text += sdk::ConfigField{message::view(rule.words[i]), {}}.written();
  }
  return text;
}

/// A key that is not set: its default, or why it has none.
void explain_absence(const actord_config_key* rule, const std::string& behaviour,
                     Explanation& out) {
  const bool tells_defaults = rule != nullptr && ACTORD_HAS(actord_config_key, rule, default_value);
  if (schema::has_flag(rule, ACTORD_REQUIRED)) {
    out.remark = "not set: " + behaviour + " needs it";
  } else if (!out.default_value.empty()) {
    out.value = out.default_value;
    out.remark = "the default of " + behaviour;
  } else {
    out.remark = tells_defaults ? "not set, and " + behaviour + " tells no default"
                                : "not set: the default of the behaviour applies";
  }
}

void explain_rule(const actord_config_key* rule, Explanation& out) {
  if (rule == nullptr) return;
  if (schema::has_flag(rule, ACTORD_SIZE)) out.type = "size";
  out.range = rule->n_words != 0 ? words_text(*rule) : schema::bounds_text(*rule);
  out.default_value = schema::default_text(*rule);
  out.is_secret = out.is_secret || schema::has_flag(rule, ACTORD_SECRET);
}

/// The sentence of the key, if there is one, and that of its behaviour.
std::string doc_of(const actor::Behaviour& behaviour, const actord_config_key* rule) {
  const std::string_view of_key = rule != nullptr ? message::view(rule->doc) : std::string_view{};
  const std::string_view of_behaviour = message::view(behaviour.table.doc);
  std::string doc{of_key};
  if (!doc.empty()) doc += ' ';
  doc += "A key in the config of " + behaviour.name;
  if (of_behaviour.empty()) return doc + (of_key.empty() ? "; its plugin documents it." : ".");
  return doc.append(": ").append(of_behaviour);
}

}  // namespace

bool lies_in_behaviour_config(const schema::SettingKey& setting, const Path& path) {
  return setting.type == schema::Type::object && config_depth(path) != 0;
}

base::Result<void, UnknownKey> explain_behaviour_config(const Configuration& configuration,
                                                        const Path& path, KnownPlugins& plugins,
                                                        Explanation& out) {
  const std::size_t depth = config_depth(path);
  const hocon::Value node = configuration.settings.tree.find(dotted({path.data(), depth - 1}));
  const hocon::Value name = node.member("behaviour");
  if (name && !name.is_null() && !name.is_string()) {
    out.remark = "its range is not known: " + name.mismatch("a behaviour").message;
    return {};
  }
  if (!name || name.is_null()) {
    return UnknownKey{"no behaviour is set for " + dotted({path.data(), depth - 1}),
                      "the plugin of the behaviour defines the keys of its config"};
  }
  const auto found = plugins.behaviours().find(name.text());
  if (!found) {
    const std::string& failure = plugins.failure();
    out.remark = "its range is not known: " + (failure.empty() ? found.error().what : failure);
    return {};
  }
  const actor::Behaviour& behaviour = **found;
  const auto declared = declared_at(behaviour, path, depth);
  if (!declared) return declared.error();
  const actord_config_key* const rule =
      schema::ConfigRules(behaviour.table).find(declared->rule_path);
  out.type = declared->type.starts_with("{") ? "object" : declared->type;
  explain_rule(rule, out);
  out.doc = doc_of(behaviour, rule);
  const std::string what = rule != nullptr ? schema::resource_text(*rule) : std::string{};
  if (!what.empty()) out.doc += " Its value names " + what + '.';
  if (out.value && !out.is_secret && !out.default_value.empty())
    out.overrides.push_back({"the default of " + behaviour.name, out.default_value});
  if (const Fields members = members_of(declared->type); !members.empty())
    out.members = written(members);
  else if (!out.value && out.members.empty()) explain_absence(rule, behaviour.name, out);
  return {};
}

std::vector<std::string> behaviour_keys(const Configuration& configuration, const Path& path,
                                        KnownPlugins& plugins) {
  const hocon::Value node =
      configuration.settings.tree.find(dotted({path.data(), path.size() - 1}));
  const hocon::Value name = node.member("behaviour");
  if (!name || !name.is_string()) return {};
  const auto found = plugins.behaviours().find(name.text());
  if (!found) return {};
  return written(sdk::fields_of((*found)->table.config, (*found)->table.n_config));
}

}  // namespace actord::config
