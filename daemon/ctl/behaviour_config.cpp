// SPDX-License-Identifier: Apache-2.0
#include "ctl/behaviour_config.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "config/runtime.hpp"
#include "hocon/key_path.hpp"
#include "message/message_type.hpp"
#include "schema/config_rules.hpp"
#include "sdk/config_fields.hpp"
#include "sdk/config_value.hpp"
#include "settings/findings.hpp"

namespace actord::ctl {

namespace {

using Path = std::vector<std::string>;

std::string text_of(std::span<const std::string> path) {
  return hocon::to_text(std::vector<std::string_view>(path.begin(), path.end()));
}

/// How many elements of the path lead to the config object of a behaviour; 0: none do.
std::size_t config_depth(const Path& path) {
  for (std::size_t depth = 1; depth < path.size(); ++depth) {
    const schema::SettingKey* const key = schema::key_for(text_of({path.data(), depth}));
    if (key != nullptr && key->type == schema::Type::object) return depth;
  }
  return 0;
}

/// The T of optional<T>; other types unchanged.
std::string_view without_optional(std::string_view type) {
  constexpr std::string_view head = "optional<";
  return type.starts_with(head) ? type.substr(head.size(), type.size() - head.size() - 1) : type;
}

struct Declared {
  std::string behaviour;
  std::vector<sdk::ConfigField> fields;
};

/// The type declared at the path, found through members of members; an error if no such key is
/// declared.
base::Result<std::string_view, UnknownKey> type_at(const Declared& declared, const Path& path,
                                                   std::size_t depth) {
  std::vector<sdk::ConfigField> fields = declared.fields;
  std::string_view type;
  for (std::size_t i = depth; i < path.size(); ++i) {
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const auto& each) {
      return sdk::is_same_key(path[i], each.name);
    });
    if (field == fields.end()) {
      std::vector<std::string> names;
      for (const sdk::ConfigField& each : fields) names.push_back(each.written());
      return UnknownKey{"the config of " + declared.behaviour + " has no key " + path[i],
                        settings::suggestion_for(path[i], {names.begin(), names.end()})};
    }
    type = without_optional(field->type);
    if (type.starts_with("map<"))
      return type.substr(4, type.size() - 5);  // the operator chooses the names
    fields = type.starts_with("{") ? sdk::fields_of(type.substr(1, type.size() - 2))
                                   : std::vector<sdk::ConfigField>{};
  }
  return type;
}

/// What the value at the path names, such as "a folder that is read"; empty: nothing.
std::string resource_at(const actord_behaviour& table, const Path& path, std::size_t depth) {
  std::string key;
  for (std::size_t i = depth; i < path.size(); ++i) key += (key.empty() ? "" : ".") + path[i];
  for (const actord_config_key* const rule : schema::ConfigRules(table).all()) {
    if (sdk::is_same_key(key, message::view(rule->path))) return schema::resource_text(*rule);
  }
  return {};
}

}  // namespace

bool lies_in_behaviour_config(const schema::SettingKey& setting, const Path& path) {
  return setting.type == schema::Type::object && config_depth(path) != 0;
}

base::Result<void, UnknownKey> explain_behaviour_config(const config::Configuration& configuration,
                                                        const Path& path, Explanation& out) {
  const std::size_t depth = config_depth(path);
  const hocon::Value node = configuration.settings.tree.find(text_of({path.data(), depth - 1}));
  const hocon::Value behaviour = node.member("behaviour");
  if (behaviour && !behaviour.is_null() && !behaviour.is_string()) {
    out.remark = "its range is not known: " + behaviour.mismatch("a behaviour").message;
    return {};
  }
  if (!behaviour || behaviour.is_null()) {
    return UnknownKey{"no behaviour is set for " + text_of({path.data(), depth - 1}),
                      "the plugin of the behaviour defines the keys of its config"};
  }
  log::Hub hub(&base::monotonic_ns);  // no sink reads from this hub
  config::Runtime runtime(configuration, hub, 1);
  const auto failures = runtime.load_plugins(configuration.settings);
  const auto found = runtime.actors().behaviours().find(behaviour.text());
  if (!failures.empty() || !found) {
    out.remark = "its range is not known: " +
                 (failures.empty() ? found.error().what : failures.front().error.reason);
    return {};
  }
  const actord_behaviour& table = (*found)->table;
  const Declared declared{(*found)->name, sdk::fields_of(table.config, table.n_config)};
  const auto type = type_at(declared, path, depth);
  if (!type) return type.error();
  out.type = *type;
  out.doc =
      "A key in the config of " + declared.behaviour + ": " + std::string{message::view(table.doc)};
  if (message::view(table.doc).empty())
    out.doc = "A key in the config of " + declared.behaviour + "; its plugin documents it.";
  if (const std::string what = resource_at(table, path, depth); !what.empty())
    out.doc += " Its value names " + what + '.';
  if (!out.value && out.members.empty())
    out.remark = "not set: the default of the behaviour applies";
  return {};
}

}  // namespace actord::ctl
