// SPDX-License-Identifier: Apache-2.0
#include "settings/config_check.hpp"

#include <algorithm>
#include <charconv>

#include "sdk/config_fields.hpp"
#include "sdk/config_value.hpp"

namespace actord::settings {

using hocon::Member;
using hocon::Value;
using sdk::ConfigField;

namespace {

void check_type(Findings& findings, const Value& value, std::string_view type);

// ---- types in words, as plugin.h spells them

// The T of name<T>; nothing if the type is another.
std::optional<std::string_view> inner(std::string_view type, std::string_view name) {
  if (!type.starts_with(name) || type.size() < name.size() + 2) return std::nullopt;
  if (type[name.size()] != '<' || type.back() != '>') return std::nullopt;
  return type.substr(name.size() + 1, type.size() - name.size() - 2);
}

// ---- objects

void check_members(Findings& findings, const Value& object,
                   const std::vector<ConfigField>& fields) {
  std::vector<std::string> names;
  for (const ConfigField& field : fields) names.push_back(field.written());
  std::vector<Value> seen(fields.size());
  for (std::size_t i = 0; i < object.size(); ++i) {
    const Member member = object.at(i);
    const auto known = std::find_if(fields.begin(), fields.end(), [&](const ConfigField& field) {
      return sdk::is_same_key(member.key, field.name);
    });
    if (known == fields.end()) {
      findings.add(
          at_key(member.value.reject("unknown key \"" + member.value.path() + '"',
                                     did_you_mean(member.key, {names.begin(), names.end()})),
                 member.key));
      continue;
    }
    Value& other = seen[static_cast<std::size_t>(known - fields.begin())];
    if (other) {
      findings.add(at_key(member.value.reject("\"" + std::string{member.key} + "\" and \"" +
                                                  std::string{other.key()} + "\" are the same key",
                                              "keep one of them"),
                          member.key));
    }
    other = member.value;
    check_type(findings, member.value, known->type);
  }
}

void check_object(Findings& findings, const Value& value, std::string_view inside) {
  if (value.is_object()) check_members(findings, value, sdk::fields_of(inside));
  else findings.add(value.mismatch("an object"));
}

void check_map(Findings& findings, const Value& value, std::string_view type) {
  if (!value.is_object()) return findings.add(value.mismatch("an object"));
  for (std::size_t i = 0; i < value.size(); ++i) check_type(findings, value.at(i).value, type);
}

void check_list(Findings& findings, const Value& value, std::string_view type) {
  if (!value.is_array())
    return findings.add(value.mismatch("a list", "write it in brackets: [a, b, c]"));
  for (std::size_t i = 0; i < value.size(); ++i) check_type(findings, value.at(i).value, type);
}

// ---- scalars

unsigned bits_of(std::string_view digits) {
  unsigned bits = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  return bits;
}

void check_integer(Findings& findings, const Value& value, std::string_view type) {
  const bool is_signed = type.starts_with("int");
  const unsigned bits = bits_of(type.substr(is_signed ? 3 : 4));
  // int64 is also how a size is declared ("64k"), and uint64 reaches beyond what as_int64 can tell.
  if (bits == 64 && is_signed && value.as_bytes()) return;
  std::uint64_t natural = 0;
  const std::string_view text =
      value.is_number() || value.is_string() ? value.text() : std::string_view{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), natural);
  if (bits == 64 && !is_signed && failed == std::errc{} && end == text.data() + text.size() &&
      !text.empty())
    return;
  if (bits == 64)
    return static_cast<void>(findings.take(value.as_int64(is_signed ? INT64_MIN : 0)));
  const std::int64_t most = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  findings.take(value.as_int64(is_signed ? -most - 1 : 0, most));
}

void check_scalar(Findings& findings, const Value& value, std::string_view type) {
  if (type == "bool") findings.take(value.as_bool());
  else if (type.starts_with("int") || type.starts_with("uint"))
    check_integer(findings, value, type);
  else if (type == "float" || type == "double") findings.take(value.as_double());
  else if (type == "duration") findings.take(value.as_duration_ns());
  else if (type == "text" || type == "ref") findings.take(value.as_string());
}

// A type that this version does not know is the plugin's to check.
void check_type(Findings& findings, const Value& value, std::string_view type) {
  if (const auto wrapped = inner(type, "optional")) {
    if (!value.is_null()) check_type(findings, value, *wrapped);
  } else if (const auto element = inner(type, "list")) {
    check_list(findings, value, *element);
  } else if (const auto mapped = inner(type, "map")) {
    check_map(findings, value, *mapped);
  } else if (type.size() >= 2 && type.front() == '{' && type.back() == '}') {
    check_object(findings, value, type.substr(1, type.size() - 2));
  } else {
    check_scalar(findings, value, type);
  }
}

}  // namespace

void check_config(Findings& findings, const Value& config, const actord_behaviour& behaviour,
                  std::string_view behaviour_name) {
  if (behaviour.n_config == 0) {
    if (config.size() == 0) return;
    return findings.add(
        at_key(config.reject(std::string{behaviour_name} + " takes no config", "leave config out"),
               config.key()));
  }
  check_members(findings, config, sdk::fields_of(behaviour.config, behaviour.n_config));
}

void check_message(Findings& findings, const Value& fields, const actord_message_type& type) {
  check_members(findings, fields, sdk::fields_of(type.members, type.n_members));
}

}  // namespace actord::settings
