// SPDX-License-Identifier: Apache-2.0
#include "settings/object_reader.hpp"

#include <algorithm>

#include "hocon/units.hpp"

namespace actord::settings {

using hocon::Value;

namespace {

// As a person would say it: whole units only.
std::string duration_text(std::int64_t ns) {
  struct Unit {
    std::int64_t ns;
    std::string_view name;
  };
  constexpr Unit units[] = {{86'400'000'000'000, " d"}, {3'600'000'000'000, " h"},
                            {60'000'000'000, " min"},   {1'000'000'000, " s"},
                            {1'000'000, " ms"},         {1000, " us"}};
  for (const Unit& unit : units) {
    if (ns != 0 && ns % unit.ns == 0) return std::to_string(ns / unit.ns).append(unit.name);
  }
  return std::to_string(ns) + " ns";
}

std::string number_text(double number) {
  std::string text = std::to_string(number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

ObjectReader::ObjectReader(Findings& findings, const Value& object, std::string pattern)
    : findings_(findings), pattern_(std::move(pattern)) {
  if (!object || object.is_null()) return;
  if (object.is_object()) object_ = object;
  else
    findings_.add(object.mismatch("an object", "write " + std::string{object.key()} + " { ... }"));
}

Value ObjectReader::take(std::string_view key) {
  findings_.asked(pattern_of(key));
  taken_.push_back(key);
  const Value value = object_.member(key);
  return value && !value.is_null() ? value : Value{};
}

ObjectReader ObjectReader::section(std::string_view key) {
  const Value value = take(key);
  return {findings_, value, pattern_of(key)};
}

std::vector<hocon::Member> ObjectReader::take_all() {
  findings_.asked(pattern_of("*"));
  std::vector<hocon::Member> members;
  for (std::size_t i = 0; exists() && i < object_.size(); ++i) {
    const hocon::Member member = object_.at(i);
    taken_.push_back(member.key);
    if (!member.value.is_null()) members.push_back(member);  // null takes an inherited member away
  }
  return members;
}

void ObjectReader::read(std::string_view key, bool& out) {
  const Value value = take(key);
  if (!value) return;
  if (const auto truth = findings_.take(value.as_bool())) out = *truth;
}

void ObjectReader::read(std::string_view key, std::string& out) {
  const Value value = take(key);
  if (!value) return;
  if (const auto text = findings_.take(value.as_string())) out = *text;
}

void ObjectReader::read(std::string_view key, double& out, double least, double most) {
  const Value value = take(key);
  if (!value) return;
  const auto number = findings_.take(value.as_double());
  if (!number) return;
  if (*number >= least && *number <= most) out = *number;
  else
    findings_.add(
        value.mismatch("a number from " + number_text(least) + " to " + number_text(most)));
}

void ObjectReader::read_duration(std::string_view key, std::int64_t& out_ns, std::int64_t least_ns,
                                 std::int64_t most_ns) {
  const Value value = take(key);
  if (!value) return;
  const auto ns = findings_.take(value.as_duration_ns());
  if (!ns) return;
  if (*ns >= least_ns && *ns <= most_ns) {
    out_ns = *ns;
    return;
  }
  std::string wanted = "a duration of at least " + duration_text(least_ns);
  if (most_ns != std::numeric_limits<std::int64_t>::max()) {
    wanted = "a duration from " + duration_text(least_ns) + " to " + duration_text(most_ns);
  }
  findings_.add(value.mismatch(wanted));
}

void ObjectReader::finish(std::initializer_list<ForeignKey> foreign) {
  for (std::size_t i = 0; exists() && i < object_.size(); ++i) {
    const hocon::Member member = object_.at(i);
    if (std::find(taken_.begin(), taken_.end(), member.key) != taken_.end()) continue;
    findings_.add(at_key(member.value.reject("unknown key \"" + member.value.path() + '"',
                                             help_for(member, foreign)),
                         member.key));
  }
}

std::string ObjectReader::help_for(const hocon::Member& unknown,
                                   std::initializer_list<ForeignKey> foreign) const {
  for (const ForeignKey& each : foreign) {
    if (!meant_name(unknown.key, taken_).empty() || meant_name(unknown.key, {each.theirs}).empty())
      continue;
    return "it is called \"" + std::string{each.ours} + "\" here";
  }
  const bool looks_like_actor = unknown.value.is_object() && (unknown.value.member("behaviour") ||
                                                              unknown.value.member("children"));
  const bool has_children = std::find(taken_.begin(), taken_.end(), "children") != taken_.end();
  if (looks_like_actor && has_children)
    return "actors below another one stand in its children { ... }";
  return did_you_mean(unknown.key, taken_);
}

bool is_word(const Value& value, std::string_view word) {
  return value && (value.is_string() || value.is_boolean()) && value.text() == word;
}

hocon::Diagnostic no_such_word(const Value& value, const std::vector<std::string_view>& words,
                               std::string_view wanted) {
  std::string expected{wanted};
  if (expected.empty()) expected = (words.size() > 1 ? "one of " : "") + joined(words);
  const bool is_text = value.is_string() || value.is_boolean();
  const std::string_view meant = is_text ? meant_name(value.text(), words) : std::string_view{};
  return value.mismatch(
      expected, meant.empty() ? std::string{} : "did you mean \"" + std::string{meant} + "\"?");
}

}  // namespace actord::settings
