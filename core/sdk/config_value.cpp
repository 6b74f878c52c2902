// SPDX-License-Identifier: Apache-2.0
#include "sdk/config_value.hpp"

#include <algorithm>
#include <charconv>

#include "actor/failure.hpp"
#include "hocon/units.hpp"
#include "message/data_values.hpp"
#include "message/message_type.hpp"
#include "message/report.hpp"

namespace actord::sdk {

using hocon::Kind;
using hocon::Value;
using message::view;

namespace {

actord_str to_c(std::string_view text) noexcept { return {text.data(), text.size()}; }

char folded(char c) noexcept { return c == '-' ? '_' : c; }

bool is_whole(std::string_view number) noexcept { return hocon::parse_integer(number).has_value(); }

template <class From, class To>
std::int32_t give(const base::Result<From, hocon::Diagnostic>& read, To* out) {
  if (!read) return 0;
  *out = *read;
  return 1;
}

}  // namespace

bool is_same_key(std::string_view key, std::string_view member) noexcept {
  return std::equal(key.begin(), key.end(), member.begin(), member.end(),
                    [](char a, char b) { return folded(a) == folded(b); });
}

Value member_of(const Value& object, std::string_view name) {
  if (!object || !object.is_object()) return {};
  if (Value literal = object.member(name)) return literal;
  if (name.find_first_of("-_") == name.npos) return {};
  for (std::size_t i = 0; i < object.size(); ++i) {
    if (const hocon::Member member = object.at(i); is_same_key(member.key, name))
      return member.value;
  }
  return {};
}

/// The functions behind the pointers of actord_reader. Each is called only with values of its
/// reader.
struct ConfigCalls {
  static const ConfigReader& reader(actord_value in) {
    return *static_cast<const ConfigReader*>(in.reader);
  }
  static Value value(actord_value in) { return reader(in).value_of(in); }
  static actord_value wrap(actord_value in, const Value& found) {
    return {in.reader, found.node()};
  }

  static std::int32_t kind(actord_value in) {
    const Value v = value(in);
    switch (v ? v.kind() : Kind::null) {
      case Kind::null: return ACTORD_NULL;
      case Kind::boolean: return ACTORD_BOOL;
      case Kind::number: return is_whole(v.text()) ? ACTORD_INT : ACTORD_DOUBLE;
      case Kind::string: return ACTORD_TEXT;
      case Kind::object: return ACTORD_MAP;
      case Kind::array: return ACTORD_LIST;
    }
    return ACTORD_NULL;
  }

  static std::size_t size(actord_value in) {
    const Value v = value(in);
    if (!v) return 0;
    const auto* visible_members = reader(in).visible_members(v);
    return visible_members != nullptr ? visible_members->size() : v.size();
  }

  static actord_value at(actord_value in, std::size_t index, actord_str* key) {
    if (index >= size(in)) return {in.reader, nullptr};
    const Value v = value(in);
    const auto* visible_members = reader(in).visible_members(v);
    const hocon::Member member =
        v.at(visible_members != nullptr ? (*visible_members)[index] : index);
    if (key != nullptr) *key = to_c(member.key);
    return wrap(in, member.value);
  }

  static actord_value member(actord_value in, actord_str name) {
    const Value found = member_of(value(in), view(name));
    return wrap(in, found && !found.is_null() ? found : Value{});
  }

  static std::int32_t boolean(actord_value in, std::int32_t* out) {
    const Value v = value(in);
    return v ? give(v.as_bool(), out) : 0;
  }

  static std::int32_t integer(actord_value in, std::int64_t* out) {
    const Value v = value(in);
    return v ? give(v.as_int64(), out) : 0;
  }

  // as_int64() cannot read a number beyond int64. If such a number is written in digits only, it is
  // read as uint64.
  static std::int32_t natural(actord_value in, std::uint64_t* out) {
    const Value v = value(in);
    if (!v) return 0;
    if (const auto small = v.as_int64(0)) return give(small, out);
    if (!v.is_number() && !v.is_string()) return 0;
    const std::string_view text = v.text();
    std::uint64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc{} || end != text.data() + text.size()) return 0;
    *out = number;
    return 1;
  }

  static std::int32_t real(actord_value in, double* out) {
    const Value v = value(in);
    return v ? give(v.as_double(), out) : 0;
  }

  static std::int32_t text(actord_value in, actord_str* out) {
    const Value v = value(in);
    if (!v || !(v.is_string() || v.is_number() || v.is_boolean())) return 0;
    *out = to_c(v.text());
    return 1;
  }

  static std::int32_t ref(actord_value in, actord_ref* out) {
    const ConfigReader& from = reader(in);
    const Value v = value(in);
    if (!v || !v.is_string() || !from.find_) return 0;
    const actord_ref found = from.find_(v.text());
    if (found == 0) return 0;
    *out = found;
    return 1;
  }

  static std::int32_t duration(actord_value in, std::int64_t* out_ns) {
    const Value v = value(in);
    return v ? give(v.as_duration_ns(), out_ns) : 0;
  }

  static std::int32_t bytes(actord_value in, std::int64_t* out) {
    const Value v = value(in);
    return v ? give(v.as_bytes(), out) : 0;
  }

  static actord_status reject(actord_value in, actord_str reason, actord_errors* errors) {
    if (const auto& rejected = reader(in).rejected_) {
      rejected(value(in), view(reason));
      return ACTORD_FAILED;
    }
    std::string what = "config: " + std::string{view(reason)};
    if (const Value v = value(in)) {
      const std::string path = v.path();
      what = hocon::format(v.reject(path.empty() ? std::string{view(reason)}
                                                 : path + ": " + std::string{view(reason)}));
      what.pop_back();  // the trailing newline
    }
    if (errors == nullptr) return ACTORD_FAILED;
    return message::report(*errors, what, actor::causes::config_error);
  }
};

ConfigReader::ConfigReader(hocon::Tree tree, Find find, Rejected rejected)
    : actord_reader{sizeof(actord_reader), &ConfigCalls::kind,    &ConfigCalls::size,
                    &ConfigCalls::at,      &ConfigCalls::member,  &ConfigCalls::boolean,
                    &ConfigCalls::integer, &ConfigCalls::natural, &ConfigCalls::real,
                    &ConfigCalls::text,    &ConfigCalls::ref,     &ConfigCalls::duration,
                    &ConfigCalls::bytes,   &ConfigCalls::reject,  &message::read_data},
      tree_(std::move(tree)),
      find_(std::move(find)),
      rejected_(std::move(rejected)) {
  find_visible_members(tree_.root());
}

// Recursion: as deep as the tree; the parser has limited that depth.
void ConfigReader::find_visible_members(const Value& value) {
  std::size_t nulls = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Value child = value.at(i).value;
    nulls += child.is_null() ? 1 : 0;
    find_visible_members(child);
  }
  if (nulls == 0 || !value.is_object()) return;
  std::vector<std::size_t>& positions = visible_members_[value.node()];
  positions.reserve(value.size() - nulls);
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (!value.at(i).value.is_null()) positions.push_back(i);
  }
}

const std::vector<std::size_t>* ConfigReader::visible_members(const Value& object) const {
  const auto found = visible_members_.find(object.node());
  return found == visible_members_.end() ? nullptr : &found->second;
}

}  // namespace actord::sdk
