// SPDX-License-Identifier: Apache-2.0
#include "config/config_diff.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "config/effective.hpp"
#include "settings/content.hpp"

namespace actord::config {

namespace {

using Values = std::unordered_map<std::string_view, const EffectiveValue*>;

Values by_key(const std::vector<EffectiveValue>& values) {
  Values found;
  for (const EffectiveValue& value : values) found.emplace(value.key, &value);
  return found;
}

/// Scratch values (vars, x-...) are not compared.
bool is_compared(const EffectiveValue& value) {
  return !value.key.starts_with("vars.") && !value.key.starts_with("x-");
}

/// The text that is compared. It is the real value also for secrets, so it must not be shown.
std::string compared_text(const EffectiveValue& value) {
  return value.value ? settings::canonical_text(value.value) : value.text;
}

KeyChange change(const EffectiveValue* older, const EffectiveValue* newer) {
  const EffectiveValue& any = newer != nullptr ? *newer : *older;
  KeyChange change;
  change.key = any.key;
  if (any.setting != nullptr) change.reload = any.setting->reload;
  if (older != nullptr) change.from = older->text, change.from_origin = older->origin;
  if (newer != nullptr) change.to = newer->text, change.to_origin = newer->origin;
  return change;
}

// ---- merges -------------------------------------------------------------------------------------

/// Whether `origin` lies inside the object literal that begins at `begin`: behind it in the same
/// file, or in a file that is included there.
bool is_within(const hocon::Tree& tree, hocon::Origin origin, const hocon::Origin& begin) {
  while (origin.known() && origin.file != begin.file) {
    const std::string& name = tree.sources()[origin.file].name;
    const auto& files = tree.files();
    const auto file = std::find_if(files.begin(), files.end(),
                                   [&](const auto& each) { return each.name == name; });
    if (file == files.end()) return false;
    origin = file->included_from;
  }
  return origin.known() &&
         (origin.line > begin.line || (origin.line == begin.line && origin.column >= begin.column));
}

/// Whether the object was written in braces at `origin`, and not as part of a longer key such as
/// a.b.
bool is_literal(const hocon::Tree& tree, const hocon::Origin& origin) {
  const std::string_view text = tree.sources().text({origin, 1});
  return text.starts_with('{');
}

using Origins = std::vector<hocon::Origin>;

/// Adds a merge if the newest literal of `object` contains a change and does not mention all
/// members.
void find_merge(const hocon::Tree& tree, const hocon::Value& object, const Origins& changed,
                ConfigDiff& diff) {
  const hocon::Origin begin = object.origin();
  if (!begin.known() || !is_literal(tree, begin)) return;
  if (std::none_of(changed.begin(), changed.end(),
                   [&](const hocon::Origin& each) { return is_within(tree, each, begin); }))
    return;
  Merge merge{object.path(), origin_text(tree, begin), {}};
  for (std::size_t i = 0; i < object.size(); ++i) {
    const hocon::Member member = object.at(i);
    const std::string origin = origin_text(tree, member.value.origin());
    if (!is_within(tree, member.value.origin(), begin) && origin != built_in)
      merge.kept.push_back(std::string{member.key} + " (" + origin + ')');
  }
  if (!merge.kept.empty()) diff.merges.push_back(std::move(merge));
}

/// Finds the merges in all objects that contain a changed value.
void find_merges(const hocon::Tree& newer, ConfigDiff& diff) {
  std::vector<hocon::Value> values;
  Origins changed;
  for (const KeyChange& change : diff.changes) {
    if (const hocon::Value value = newer.find(change.key)) {
      values.push_back(value);
      changed.push_back(value.origin());
    }
  }
  std::set<std::string> seen;
  for (const hocon::Value& value : values) {
    for (hocon::Value above = value.parent(); above && above.parent(); above = above.parent()) {
      if (!seen.insert(above.path()).second) break;
      if (above.is_object()) find_merge(newer, above, changed, diff);
    }
  }
}

}  // namespace

ConfigDiff diff_between(const hocon::Tree& older, const hocon::Tree& newer) {
  const std::vector<EffectiveValue> before = effective_values(older);
  const std::vector<EffectiveValue> after = effective_values(newer);
  const Values known = by_key(before);
  const Values kept = by_key(after);
  ConfigDiff diff;
  for (const EffectiveValue& value : after) {
    if (!is_compared(value)) continue;
    const auto was = known.find(value.key);
    if (was == known.end()) diff.changes.push_back(change(nullptr, &value));
    else if (compared_text(*was->second) != compared_text(value))
      diff.changes.push_back(change(was->second, &value));
  }
  for (const EffectiveValue& value : before) {
    if (is_compared(value) && kept.find(value.key) == kept.end())
      diff.changes.push_back(change(&value, nullptr));
  }
  find_merges(newer, diff);
  return diff;
}

}  // namespace actord::config
