// SPDX-License-Identifier: Apache-2.0
#include "settings/object_reader.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "base/duration_text.hpp"
#include "base/suggestion.hpp"
#include "hocon/units.hpp"
#include "schema/setting_codes.hpp"

namespace actord::settings {

using hocon::Value;

ObjectReader::ObjectReader(Findings& findings, const Value& object,
                           const schema::SettingKey& section)
    : findings_(findings), section_(section) {
  if (!object || object.is_null()) return;
  if (object.is_object()) object_ = object;
  else
    findings_.add(object.mismatch("an object", "write " + std::string{object.key()} + " { ... }"));
}

const schema::SettingKey& ObjectReader::key(std::string_view name) const {
  const schema::SettingKey* const found = section_.member(name);
  ACTORD_ASSERT(found != nullptr);  // only keys of the schema may be read
  return *found;
}

Value ObjectReader::take(std::string_view name) {
  findings_.note_read(key(name));
  // A key that may be a word or something else is taken twice, and named once.
  if (std::ranges::find(taken_, name) == taken_.end()) taken_.push_back(name);
  const Value value = object_.member(name);
  return value && !value.is_null() ? value : Value{};
}

ObjectReader ObjectReader::section(std::string_view name) {
  const Value value = take(name);
  return {findings_, value, key(name)};
}

std::vector<hocon::Member> ObjectReader::take_all() {
  findings_.note_read(key("*"));
  std::vector<hocon::Member> members;
  for (std::size_t i = 0; exists() && i < object_.size(); ++i) {
    const hocon::Member member = object_.at(i);
    taken_.push_back(member.key);
    if (!member.value.is_null()) members.push_back(member);  // null removes an inherited member
  }
  return members;
}

void ObjectReader::read(std::string_view name, bool& out) {
  std::optional<bool> found;
  read(name, found);
  out = found.value_or(out);
}

void ObjectReader::read(std::string_view name, std::optional<bool>& out) {
  const Value value = take(name);
  if (!value) return;
  if (const auto truth = findings_.take(value.as_bool())) out = *truth;
}

void ObjectReader::read(std::string_view name, std::string& out) {
  const Value value = take(name);
  if (!value) return;
  if (const auto text = findings_.take(value.as_string())) out = *text;
}

void ObjectReader::read(std::string_view name, double& out) {
  const Value value = take(name);
  if (!value) return;
  const auto number = findings_.take(value.as_double());
  if (!number) return;
  const auto min = static_cast<double>(key(name).min), max = static_cast<double>(key(name).max);
  if (*number >= min && *number <= max) out = *number;
  else
    findings_.add(value.mismatch("a number from " + std::to_string(key(name).min) + " to " +
                                 std::to_string(key(name).max)));
}

void ObjectReader::read_duration(std::string_view name, std::int64_t& out_ns) {
  const Value value = take(name);
  if (!value) return;
  const auto ns = findings_.take(value.as_duration_ns());
  if (!ns) return;
  const auto [min_ns, max_ns] = std::pair{key(name).min, key(name).max};
  if (*ns >= min_ns && *ns <= max_ns) {
    out_ns = *ns;
    return;
  }
  std::string wanted = min_ns == 1 ? "a duration of more than 0"
                                   : "a duration of at least " + base::duration_text(min_ns);
  if (max_ns != schema::SettingKey::no_max) {
    wanted =
        "a duration from " + base::duration_text(min_ns) + " to " + base::duration_text(max_ns);
  }
  findings_.add(value.mismatch(wanted));
}

std::optional<std::int64_t> size_within(Findings& findings, const Value& value,
                                        const schema::SettingKey& key) {
  const auto bytes = value.as_bytes();
  if (bytes && *bytes >= key.min && *bytes <= key.max) return *bytes;
  const bool may_be_a_word = value.is_string() && !key.words.empty();
  if (bytes) findings.add(value.mismatch(schema::range_text(key)));
  else
    findings.add(may_be_a_word ? unknown_word(value, key.words, schema::range_text(key))
                               : bytes.error());
  return std::nullopt;
}

void ObjectReader::finish(std::initializer_list<EquivalentKey> equivalents) {
  for (std::size_t i = 0; exists() && i < object_.size() && !findings_.is_full(); ++i) {
    const hocon::Member member = object_.at(i);
    if (std::find(taken_.begin(), taken_.end(), member.key) != taken_.end()) continue;
    findings_.add_unknown(member, help_for(member, equivalents));
  }
  report_missing();
}

void ObjectReader::report_missing() const {
  if (!exists()) return;
  const std::string name{object_.key()};
  std::string sample;
  for (const schema::SettingKey* const each : section_.members) {
    if (!each->is_needed) continue;
    sample.append(sample.empty() ? "" : ", ").append(each->own_name());
    sample.append(" = ").append(each->example);
  }
  for (const schema::SettingKey* const each : section_.members) {
    const Value value = object_.member(each->own_name());
    if (!each->is_needed || (value && !value.is_null())) continue;
    findings_.add(coded(schema::codes::needed,
                        object_.reject(name + " needs " + std::string{each->own_name()},
                                       "as in " + name + " { " + sample + " }")));
  }
}

std::string ObjectReader::help_for(const hocon::Member& unknown,
                                   std::initializer_list<EquivalentKey> equivalents) const {
  for (const EquivalentKey& each : equivalents) {
    if (!meant_name(unknown.key, taken_).empty() || meant_name(unknown.key, {each.theirs}).empty())
      continue;
    return "its name is \"" + std::string{each.ours} + "\" in actord";
  }
  const bool looks_like_actor = unknown.value.is_object() && (unknown.value.member("behaviour") ||
                                                              unknown.value.member("children"));
  if (looks_like_actor && section_.member("children") != nullptr)
    return "put the children of an actor into its children { ... }";
  return suggestion_for_key(unknown.key, taken_);
}

bool is_word(const Value& value, std::string_view word) {
  return value && (value.is_string() || value.is_boolean()) && value.text() == word;
}

bool is_off(const Value& value) {
  if (!value) return false;
  const auto truth = value.as_bool();
  return truth && !*truth;
}

hocon::Diagnostic unknown_word(const Value& value, std::span<const std::string_view> words,
                               std::string_view wanted) {
  std::string expected{wanted};
  if (expected.empty()) expected = (words.size() > 1 ? "one of " : "") + base::joined(words);
  const bool is_text = value.is_string() || value.is_boolean();
  const std::string_view meant =
      is_text ? meant_name(value.text(), {words.begin(), words.end()}) : std::string_view{};
  return value.mismatch(expected, base::did_you_mean(meant));
}

std::optional<hocon::Diagnostic> number_error(const Value& value,
                                              std::span<const std::string_view> words) {
  if (words.empty() || !value.is_string() || hocon::parse_integer(value.text()))
    return std::nullopt;
  return unknown_word(value, words, base::joined(words) + " or a number");
}

}  // namespace actord::settings
