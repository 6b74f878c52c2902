// SPDX-License-Identifier: Apache-2.0
#include "settings/config_check.hpp"

#include <algorithm>
#include <charconv>
#include <span>

#include "message/masking_writer.hpp"
#include "message/message_type.hpp"
#include "schema/setting_codes.hpp"
#include "sdk/config_fields.hpp"
#include "sdk/config_value.hpp"

namespace actord::settings {

using hocon::Member;
using hocon::Value;
using message::view;
using sdk::ConfigField;

namespace {

// ---- types as text, in the spelling of plugin.h

// The T of name<T>; nullopt if the type has another name.
std::optional<std::string_view> inner(std::string_view type, std::string_view name) {
  if (!type.starts_with(name) || type.size() < name.size() + 2) return std::nullopt;
  if (type[name.size()] != '<' || type.back() != '>') return std::nullopt;
  return type.substr(name.size() + 1, type.size() - name.size() - 2);
}

unsigned bits_of(std::string_view digits) {
  unsigned bits = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  return bits;
}

std::optional<std::uint64_t> natural_of(const Value& value) {
  if (!value.is_number() && !value.is_string()) return std::nullopt;
  std::uint64_t natural = 0;
  const std::string_view text = value.text();
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), natural);
  const bool is_whole = failed == std::errc{} && end == text.data() + text.size() && !text.empty();
  return is_whole ? std::optional{natural} : std::nullopt;
}

// Whether a valid value violates a bound: the lower one for way = -1, the upper one for way = 1.
bool is_beyond(const Value& value, const actord_bound& bound, int way) {
  const auto beyond = [way](auto number, auto limit) {
    return way < 0 ? number < limit : number > limit;
  };
  switch (bound.kind) {
    case ACTORD_INT:
      if (const auto number = value.as_int64()) return beyond(*number, bound.value.i);
      if (const auto size = value.as_bytes()) return beyond(*size, bound.value.i);
      return false;
    case ACTORD_UINT: {
      const auto number = natural_of(value);
      if (number) return beyond(*number, bound.value.u);
      const auto written = value.as_int64(0);  // covers spellings such as 1e3
      return written && beyond(static_cast<std::uint64_t>(*written), bound.value.u);
    }
    case ACTORD_DOUBLE: {
      const auto number = value.as_double();
      return number && beyond(*number, bound.value.d);
    }
    case ACTORD_DURATION: {
      const auto ns = value.as_duration_ns();
      return ns && beyond(*ns, bound.value.i);
    }
    default: return false;
  }
}

class Check {
 public:
  /// `secrets`: the paths of further secret members.
  Check(Findings& findings, schema::ConfigRules rules, std::span<const actord_str> secrets = {})
      : findings_(findings), rules_(rules), secrets_(secrets) {}

  void members(const Value& object, const std::vector<ConfigField>& fields,
               const std::string& prefix) {
    std::vector<std::string> names;
    for (const ConfigField& field : fields) names.push_back(field.written());
    std::vector<Value> seen(fields.size()), taken_away(fields.size());
    for (std::size_t i = 0; i < object.size() && !findings_.is_full(); ++i) {
      const Member member = object.at(i);
      const auto known = std::find_if(fields.begin(), fields.end(), [&](const ConfigField& field) {
        return sdk::is_same_key(member.key, field.name);
      });
      if (known == fields.end()) {
        findings_.add_unknown(member, suggestion_for(member.key, {names.begin(), names.end()}));
        continue;
      }
      const auto at = static_cast<std::size_t>(known - fields.begin());
      if (member.value.is_null()) {
        taken_away[at] = member.value;
        continue;
      }
      Value& other = seen[at];
      if (other) reject_repeated(member, other);
      other = member.value;
      this->member(member.value, known->type, prefix + std::string{known->name});
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const bool is_needed =
          schema::has_flag(rules_.find(prefix + std::string{fields[i].name}), ACTORD_REQUIRED);
      if (is_needed && !seen[i]) reject_missing(object, names[i], taken_away[i]);
    }
  }

 private:
  // Checks a value against its type and the rules for its path.
  void member(const Value& value, std::string_view type, const std::string& path) {
    const actord_config_key* const rule = rules_.find(path);
    const bool was_secret = std::exchange(
        is_secret_, schema::has_flag(rule, ACTORD_SECRET) || is_secret_ ||
                        std::ranges::find(secrets_, path, &message::view) != secrets_.end());
    const std::size_t before = n_findings_;
    this->type(value, type, path);
    if (rule != nullptr && n_findings_ == before) {
      bounds(value, *rule);
      words(value, *rule);
    }
    is_secret_ = was_secret;
  }

  void bounds(const Value& value, const actord_config_key& rule) {
    if (is_beyond(value, rule.least, -1) || is_beyond(value, rule.most, 1))
      add(value.mismatch(schema::bounds_text(rule)));
  }

  // Names of enumerators are compared as keys are.
  void words(const Value& value, const actord_config_key& rule) {
    if (rule.n_words == 0 || value.is_null()) return;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < rule.n_words; ++i) {
      if (sdk::is_same_key(value.text(), view(rule.words[i]))) return;
      names.push_back(ConfigField{view(rule.words[i]), {}}.written());
    }
    add(unknown_word(value, std::vector<std::string_view>{names.begin(), names.end()}));
  }

  // A type that this version does not know is checked only by the plugin.
  void type(const Value& value, std::string_view type, const std::string& path) {
    if (const auto wrapped = inner(type, "optional")) {
      if (!value.is_null()) this->type(value, *wrapped, path);
    } else if (const auto element = inner(type, "list")) {
      list(value, *element, path + ".*");
    } else if (const auto mapped = inner(type, "map")) {
      map(value, *mapped, path + ".*");
    } else if (type.size() >= 2 && type.front() == '{' && type.back() == '}') {
      object(value, type.substr(1, type.size() - 2), path);
    } else {
      scalar(value, type);
    }
  }

  void object(const Value& value, std::string_view inside, const std::string& path) {
    if (value.is_object()) members(value, sdk::fields_of(inside), path + '.');
    else add(value.mismatch("an object"));
  }

  void map(const Value& value, std::string_view type, const std::string& path) {
    if (!value.is_object()) return add(value.mismatch("an object"));
    for (std::size_t i = 0; i < value.size() && !findings_.is_full(); ++i) {
      const Value element = value.at(i).value;
      if (!element.is_null()) member(element, type, path);
    }
  }

  void list(const Value& value, std::string_view type, const std::string& path) {
    if (!value.is_array()) return add(value.mismatch("a list", "write it in brackets: [a, b, c]"));
    for (std::size_t i = 0; i < value.size() && !findings_.is_full(); ++i)
      member(value.at(i).value, type, path);
  }

  void integer(const Value& value, std::string_view type) {
    const bool is_signed = type.starts_with("int");
    const unsigned bits = bits_of(type.substr(is_signed ? 3 : 4));
    // int64 also declares sizes ("64k"). uint64 has values beyond the range of as_int64().
    if (bits == 64 && is_signed && value.as_bytes()) return;
    if (bits == 64 && !is_signed && natural_of(value)) return;
    if (bits == 64) return take(value.as_int64(is_signed ? INT64_MIN : 0));
    const std::int64_t most = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
    take(value.as_int64(is_signed ? -most - 1 : 0, most));
  }

  void scalar(const Value& value, std::string_view type) {
    if (type == "bool") take(value.as_bool());
    else if (type.starts_with("int") || type.starts_with("uint")) integer(value, type);
    else if (type == "float" || type == "double") take(value.as_double());
    else if (type == "duration") take(value.as_duration_ns());
    else if (type == "text" || type == "ref") take(value.as_string());
  }

  // ---- reporting

  template <class T>
  void take(base::Result<T, hocon::Diagnostic> read) {
    if (!read) add(std::move(read).error());
  }

  void add(hocon::Diagnostic finding) {
    ++n_findings_;
    if (is_secret_) {  // hides the value and its line
      finding.message.erase(std::min(finding.message.find(", got "), finding.message.size()));
      finding.snippet_line.clear();
    }
    findings_.add(std::move(finding));
  }

  void reject_repeated(const Member& member, const Value& other) {
    hocon::Diagnostic twice =
        member.value.reject("\"" + std::string{member.key} + "\" and \"" +
                                std::string{other.key()} + "\" are the same key",
                            "keep one of them");
    add(at_key(coded(schema::codes::conflict, std::move(twice)), member.key));
  }

  void reject_missing(const Value& object, const std::string& name, const Value& taken_away) {
    if (taken_away)
      return add(coded(schema::codes::needed, taken_away.reject(object.path() + " needs " + name,
                                                                "null removes the value")));
    hocon::Diagnostic missing = object.reject(object.path() + " needs " + name);
    add(at_key(coded(schema::codes::needed, std::move(missing)), object.key()));
  }

  Findings& findings_;
  schema::ConfigRules rules_;
  const std::span<const actord_str> secrets_;
  bool is_secret_ = false;
  std::size_t n_findings_ = 0;
};

}  // namespace

void check_config(Findings& findings, const Value& config, const actord_behaviour& behaviour,
                  std::string_view behaviour_name) {
  if (behaviour.n_config == 0) {
    if (config.size() == 0) return;
    return findings.add(
        at_key(config.reject(std::string{behaviour_name} + " takes no config", "leave config out"),
               config.key()));
  }
  Check(findings, schema::ConfigRules(behaviour))
      .members(config, sdk::fields_of(behaviour.config, behaviour.n_config), "");
}

void check_no_config(Findings& findings, const Value& actor, const actord_behaviour& behaviour,
                     std::string_view behaviour_name) {
  const schema::ConfigRules rules(behaviour);
  std::string needed;
  for (const ConfigField& field : sdk::fields_of(behaviour.config, behaviour.n_config)) {
    if (!schema::has_flag(rules.find(field.name), ACTORD_REQUIRED)) continue;
    needed.append(needed.empty() ? "" : ", ").append(field.written()).append(" = ...");
  }
  if (needed.empty()) return;
  findings.add(
      coded(schema::codes::needed, actor.reject(std::string{behaviour_name} + " needs a config",
                                                "as in config { " + needed + " }")));
}

void check_message(Findings& findings, const Value& fields, const actord_message_type& type) {
  Check(findings, {}, message::secrets_of(type))
      .members(fields, sdk::fields_of(type.members, type.n_members), "");
}

}  // namespace actord::settings
