// SPDX-License-Identifier: Apache-2.0
#include "config/explanation.hpp"

#include <algorithm>
#include <set>

#include "actor/strategy.hpp"
#include "base/suggestion.hpp"
#include "config/behaviour_config.hpp"
#include "config/configured_keys.hpp"
#include "config/effective.hpp"
#include "config/failure_names.hpp"
#include "hocon/key_path.hpp"
#include "hocon/render.hpp"
#include "hocon/secrets.hpp"
#include "os/process.hpp"
#include "schema/schema.hpp"
#include "settings/strategy_reader.hpp"
#include "settings/strategy_text.hpp"

namespace actord::config {

namespace {

using hocon::Value;
using schema::SettingKey;
using Path = std::vector<std::string>;

constexpr std::size_t via_max = 16;
constexpr std::size_t line_max = 100;

std::string text_of(std::span<const std::string> path) {
  return hocon::to_text(std::vector<std::string_view>(path.begin(), path.end()));
}

std::string_view name_of(schema::Type type) {
  using schema::Type;
  switch (type) {
    case Type::section:
    case Type::names:
    case Type::object: return "object";
    case Type::boolean: return "bool";
    case Type::integer: return "int";
    case Type::number: return "number";
    case Type::duration: return "duration";
    case Type::size: return "size";
    case Type::text: return "text";
    case Type::path: return "path";
    case Type::list: return "list";
    case Type::word: break;
  }
  return "word";
}

// ---- origins ------------------------------------------------------------------------------------

/// A piece of a source without control characters, shortened for a terminal.
std::string printable(std::string_view source) {
  std::string text{source};
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  if (text.size() > line_max) text.replace(line_max, text.npos, "...");
  return text;
}

/// The definition alone, such as "level = ${vars.level}", because its line may hold other
/// definitions.
std::string definition_of(const Value& value) {
  std::string_view source = value.written();
  if (value.is_object() || value.is_array()) {
    // The brackets may contain secrets.
    const bool is_literal = source.starts_with('{') || source.starts_with('[');
    source = source.substr(0, is_literal ? 1 : 0);
  }
  const bool is_quoted = !source.empty() && !value.is_secret();
  return hocon::quoted_key(value.key()) + " = " + (is_quoted ? printable(source) : shown(value));
}

/// The paths of the substitutions in a piece of source.
std::vector<std::string> references_in(std::string_view text) {
  std::vector<std::string> paths;
  for (std::size_t at = text.find("${"); at != text.npos; at = text.find("${", at)) {
    const std::size_t end = text.find('}', at);
    if (end == text.npos) break;
    std::string_view path = text.substr(at + 2, end - at - 2);
    if (path.starts_with("?")) path.remove_prefix(1);
    paths.emplace_back(path);
    at = end;
  }
  return paths;
}

/// Collects what a value refers to, into Explanation::via.
class Trail {
 public:
  Trail(const hocon::Tree& tree, Explanation& out) : tree_(tree), out_(out) {}

  /// Adds the values that `value` refers to, recursively.
  void follow(const Value& value, bool is_shown) {
    const hocon::Origin at = value.origin();
    if (!at.known()) return;
    for (const std::string& path : references_in(value.written())) step(path, is_shown);
    const hocon::Origin source = value.source_origin();
    if (out_.via.empty() && source.known() && !(source == at) && value.kind() < hocon::Kind::object)
      out_.via.push_back(
          {origin_text(tree_, source), is_shown ? shown(value) : std::string{hocon::secret_word}});
  }

 private:
  void step(const std::string& path, bool is_shown) {
    if (!seen_.insert(path).second || out_.via.size() >= via_max) return;
    if (const Value value = tree_.find(path)) {
      const bool may_be_shown = is_shown && !value.is_secret();
      out_.via.push_back(
          {origin_text(tree_, value.origin()),
           path + " = " + (may_be_shown ? shown(value) : std::string{hocon::secret_word})});
      return follow(value, may_be_shown);
    }
    if (os::environment_variable(path.c_str())) out_.via.push_back({"environment", path});
  }

  const hocon::Tree& tree_;
  Explanation& out_;
  std::set<std::string> seen_;
};

void explain_value(const hocon::Tree& tree, const Value& value, Explanation& out) {
  out.is_secret = value.is_secret();
  const auto written = [&](const hocon::Origin& origin, std::string text) {
    return Written{origin_text(tree, origin),
                   out.is_secret ? std::string{hocon::secret_word} : std::move(text)};
  };
  if (!value.is_object()) {
    out.value = shown(value);
    out.from = written(value.origin(), definition_of(value));
    Trail(tree, out).follow(value, !out.is_secret);
  } else {
    for (std::size_t i = 0; i < value.size(); ++i)
      out.members.push_back(hocon::quoted_key(value.at(i).key));
    out.from = written(value.origin(), definition_of(value));
  }
  for (const hocon::Overridden& hidden : value.overridden())
    out.overrides.push_back(written(hidden.origin, printable(hidden.text)));
}

void explain_setting(const SettingKey& setting, Explanation& out) {
  out.type = name_of(setting.type);
  if (setting.type != schema::Type::section && setting.type != schema::Type::names)
    out.range = schema::range_text(setting);
  out.reload = schema::name_of(setting.reload);
  out.doc = setting.doc;
  if (!out.members.empty() || out.value) return;
  for (const SettingKey* member : setting.members) out.members.emplace_back(member->own_name());
}

// ---- strategies by name -------------------------------------------------------------------------

/// How many elements of the path lead to the supervisor strategy that contains the key; 0: none
/// does.
std::size_t strategy_depth(const Path& path) {
  for (std::size_t depth = path.size() - 1; depth > 1; --depth) {
    if (path[depth - 1].ends_with("supervisor-strategy")) return depth;
  }
  return 0;
}

std::string quoted(std::string_view name) { return '`' + std::string{name} + '`'; }

/// Explains a key of a strategy that is set by name instead of as an object.
void explain_named_strategy(const Configuration& configuration, const Path& path, std::size_t depth,
                            Explanation& out) {
  const settings::Settings& all = configuration.settings;
  const bool is_guardian = path[depth - 1].starts_with("guardian");
  Value chosen = all.tree.find(text_of({path.data(), depth}));
  if (is_guardian && all.guardian.value) chosen = all.guardian.value;  // whichever key sets it
  if (chosen && chosen.is_null()) chosen = {};
  const std::span<const std::string> rest{path.data() + depth, path.size() - depth};
  if (chosen && chosen.is_object()) return;  // an object: the defaults of the schema apply
  const std::string_view name = chosen ? chosen.text() : "default";
  const auto strategy = settings::strategy_named(name);
  if (chosen) out.from = Written{origin_text(all.tree, chosen.origin()), definition_of(chosen)};
  if (!strategy && name.find('/') == name.npos) {
    out.remark = "the value that is set is not a strategy";
    return;
  }
  if (!strategy) {
    out.remark = "decided by the configurator " + quoted(name);
    return;
  }
  out.value = settings::value_text(*strategy, rest);
  out.remark = "from the strategy " + quoted(name);
  if (!out.value) out.remark = "the strategy " + quoted(name) + " has no such member";
  if (!chosen) {
    out.remark +=
        is_guardian
            ? ", which applies if none is set"
            : ", which applies if neither a deployment pattern nor the behaviour's code sets one";
  }
}

void explain_default(const Configuration& configuration, const Path& path,
                     const SettingKey& setting, Explanation& out) {
  if (const std::size_t depth = strategy_depth(path); depth != 0)
    explain_named_strategy(configuration, path, depth, out);
  if (out.value || !out.remark.empty()) return;
  if (!setting.default_value.empty()) {
    out.value = std::string{setting.default_value};
    out.from = Written{std::string{built_in}, {}};
  } else {
    out.remark = "not set";
  }
}

// ---- unknown keys -------------------------------------------------------------------------------

/// Keys of the schema whose last name is the same, for a key written in the wrong section.
std::string elsewhere(std::string_view name) {
  std::string found;
  for (const SettingKey& key : schema::keys()) {
    if (key.own_name() == name && found.size() < 200)
      found.append(found.empty() ? "" : ", ").append(key.path);
  }
  return found;
}

UnknownKey unknown_key(const Path& path) {
  UnknownKey unknown{"unknown key " + text_of(path), {}};
  std::size_t known = 0;
  const SettingKey* section = nullptr;
  while (known < path.size()) {
    const SettingKey* const next = schema::key_for(text_of({path.data(), known + 1}));
    if (next == nullptr) break;
    section = next;
    ++known;
  }
  if (section == nullptr) {
    unknown.help = "all keys of actord are below actord";
    if (schema::key_for("actord." + text_of(path)) != nullptr)
      unknown.help = base::did_you_mean("actord." + text_of(path));
    return unknown;
  }
  std::vector<std::string_view> names;
  for (const SettingKey* member : section->members) names.push_back(member->own_name());
  const std::string_view meant = settings::meant_name(path[known], names);
  if (!meant.empty()) {
    Path better = path;
    better[known] = meant;
    if (schema::key_for(text_of(better)) == nullptr) better.resize(known + 1);
    unknown.help = base::did_you_mean(text_of(better));
  } else if (const std::string other = elsewhere(path.back()); !other.empty()) {
    unknown.help = '"' + path.back() + "\" exists as " + other;
  } else if (!names.empty()) {
    unknown.help = text_of({path.data(), known}) + " has: " + base::joined(names);
  }
  return unknown;
}

}  // namespace

std::string environment_name_of(const std::vector<std::string>& path) {
  std::string name{layers::variable_prefix};
  for (const std::string& element : path) {
    if (&element != &path.front()) name += '_';
    for (const char c : element) {
      const bool is_plain =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!is_plain && c != '-' && c != '_') return {};
      name += is_plain ? std::string(1, c) : c == '-' ? "__" : "___";
    }
  }
  return name;
}

namespace {

/// Adds the default to the values that a written one overrides.
void add_overridden_default(Explanation& out) {
  if (out.default_value.empty() || out.is_secret || !out.value || !out.from) return;
  if (out.from->origin == built_in) return;
  if (!out.overrides.empty() && out.overrides.back().origin == built_in) return;
  out.overrides.push_back({std::string{built_in}, out.default_value});
}

/// Explains a key of the schema. `is_set`: the configuration gives it a value.
void explain_own_key(const Configuration& configuration, const Path& path,
                     const SettingKey& setting, bool is_set, KnownPlugins& plugins,
                     Explanation& out) {
  explain_setting(setting, out);
  out.default_value = setting.default_value;
  if (setting.own_name() == "decider") out.failures = failure_names(plugins.behaviours());
  if (setting.type == schema::Type::object) {
    std::vector<std::string> declared = behaviour_keys(configuration, path, plugins);
    if (!declared.empty()) out.members = std::move(declared);
  }
  if (is_set) add_overridden_default(out);
  else explain_default(configuration, path, setting, out);
}

/// The key of the node of the actor at `path`.
base::Result<std::string, UnknownKey> key_of(const std::vector<settings::Node>& user,
                                             std::string_view path) {
  const std::vector<ConfiguredActor> actors = configured_actors(user);
  std::vector<std::string_view> paths;
  for (const ConfiguredActor& each : actors) {
    if (each.path == path) return each.key;
    paths.push_back(each.path);
  }
  return UnknownKey{"no actor is configured at " + std::string{path},
                    base::did_you_mean(base::nearest_of(path, paths))};
}

}  // namespace

base::Result<Explanation, UnknownKey> explain(const Configuration& configuration,
                                              std::string_view key, KnownPlugins& plugins) {
  std::string key_of_actor;
  if (key.starts_with('/')) {
    auto found = key_of(configuration.settings.user, key);
    if (!found) return found.error();
    key = key_of_actor = std::move(*found);
  }
  const auto path = hocon::parse_path(key);
  if (!path) {
    return UnknownKey{hocon::quoted_for_message(key) + " is not a key",
                      "a key is made of names with dots between them: actord.log.level"};
  }
  const hocon::Tree& tree = configuration.settings.tree;
  Explanation out;
  out.key = text_of(*path);
  const Value value = tree.find(out.key);
  const bool is_set = value && !value.is_null();
  if (is_set) explain_value(tree, value, out);
  const SettingKey* const setting = schema::key_for(out.key);
  if (setting == nullptr) {
    if (!is_set || path->front() == "actord") return unknown_key(*path);
    out.doc = "Not a key of actord: for substitutions, or for other programs.";
    return out;
  }
  if (lies_in_behaviour_config(*setting, *path)) {
    out.reload = schema::name_of(setting->reload);
    const auto found = explain_behaviour_config(configuration, *path, plugins, out);
    if (!found) return found.error();
  } else {
    explain_own_key(configuration, *path, *setting, is_set, plugins, out);
  }
  const std::string variable = environment_name_of(*path);
  if (!value.exists() || !value.is_object()) {
    if (!variable.empty() && !os::environment_variable(variable.c_str()))
      out.environment = variable;
  }
  return out;
}

}  // namespace actord::config
