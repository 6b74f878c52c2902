// SPDX-License-Identifier: Apache-2.0
#include "ctl/field_type.hpp"

#include <algorithm>
#include <array>

namespace actord::ctl {

namespace {

constexpr FieldTypeInC bool_in_c = {"bool",          "bool",    "boolean", "int32_t", " != 0",
                                    "true or false", "boolean", "BOOL",    "i"};
constexpr FieldTypeInC int_in_c = {"int",        "int64_t", "integer", "int64_t", "",
                                   "an integer", "integer", "INT",     "i"};
constexpr FieldTypeInC uint_in_c = {"uint",     "uint64_t", "natural",
                                    "uint64_t", "",         "an integer that is not negative",
                                    "natural",  "UINT",     "u"};
constexpr FieldTypeInC double_in_c = {"double",   "double", "real",   "double", "",
                                      "a number", "real",   "DOUBLE", "d"};
constexpr FieldTypeInC ref_in_c = {
    "ref", "actord_ref", "ref", "actord_ref", "", "the path of a living actor", "ref", "REF", "u"};
constexpr FieldTypeInC duration_in_c = {"duration", "int64_t",  "duration",
                                        "int64_t",  "",         "a duration such as 500ms",
                                        "duration", "DURATION", "i"};

struct Known {
  std::string_view name, boundary, cxx, initial, sample, header;
  bool is_loggable = true;
  const FieldTypeInC* in_c = nullptr;
};

constexpr std::array simple_types = {
    Known{"bool", "bool", "bool", " = false", "true", {}, true, &bool_in_c},
    Known{"int", "int64", "std::int64_t", " = 0", "7", "cstdint", true, &int_in_c},
    Known{"uint", "uint64", "std::uint64_t", " = 0", "7", "cstdint", true, &uint_in_c},
    Known{"double", "double", "double", " = 0", "0.5", {}, true, &double_in_c},
    Known{"text", "text", "std::string", "", "\"hello\"", "string"},
    Known{"duration", "duration", "std::chrono::nanoseconds", "{}", "\"5s\"", "chrono", true,
          &duration_in_c},
    Known{"ref", "ref", "actord::Ref", "", {}, {}, true, &ref_in_c},
    Known{"bytes", "int64", "actord::Bytes", "", "\"64k\"", {}, false},
    Known{"float", "float", "float", " = 0", "0.5", {}},
    Known{"int8", "int8", "std::int8_t", " = 0", "7", "cstdint"},
    Known{"int16", "int16", "std::int16_t", " = 0", "7", "cstdint"},
    Known{"int32", "int32", "std::int32_t", " = 0", "7", "cstdint"},
    Known{"int64", "int64", "std::int64_t", " = 0", "7", "cstdint", true, &int_in_c},
    Known{"uint8", "uint8", "std::uint8_t", " = 0", "7", "cstdint"},
    Known{"uint16", "uint16", "std::uint16_t", " = 0", "7", "cstdint"},
    Known{"uint32", "uint32", "std::uint32_t", " = 0", "7", "cstdint"},
    Known{"uint64", "uint64", "std::uint64_t", " = 0", "7", "cstdint", true, &uint_in_c},
};

struct Container {
  std::string_view name, cxx, header, begin, end;  // begin, end: around the sample of an element
};
constexpr std::array container_types = {
    Container{"list", "std::vector<", "vector", "[", "]"},
    Container{"map", "std::map<std::string, ", "map", "{\"key\": ", "}"},
    Container{"optional", "std::optional<", "optional", "", ""},
};

FieldType made_of(const Known& known) {
  FieldType type{std::string{known.boundary},
                 std::string{known.cxx},
                 std::string{known.initial},
                 std::string{known.sample},
                 {},
                 known.is_loggable,
                 known.in_c};
  if (!known.header.empty()) type.headers.emplace(known.header);
  return type;
}

FieldType made_of(const Container& container, FieldType element) {
  FieldType type = std::move(element);
  type.boundary = std::string{container.name} + '<' + type.boundary + '>';
  type.cxx = std::string{container.cxx} + type.cxx + '>';
  type.initial.clear();
  if (!type.sample.empty())
    type.sample = std::string{container.begin} + type.sample + std::string{container.end};
  type.headers.emplace(container.header);
  if (container.name == "map") type.headers.emplace("string");
  type.is_loggable = false;
  type.in_c = nullptr;
  return type;
}

}  // namespace

std::optional<FieldType> field_type(std::string_view written) {
  if (const auto known = std::ranges::find(simple_types, written, &Known::name);
      known != simple_types.end())
    return made_of(*known);
  const std::size_t open = written.find('<');
  if (open == written.npos || !written.ends_with('>')) return std::nullopt;
  const auto container =
      std::ranges::find(container_types, written.substr(0, open), &Container::name);
  if (container == container_types.end()) return std::nullopt;
  auto element = field_type(written.substr(open + 1, written.size() - open - 2));
  if (!element) return std::nullopt;
  return made_of(*container, *std::move(element));
}

std::string field_type_names(bool in_c) {
  std::string names;
  for (const Known& each : simple_types) {
    if (in_c && each.in_c == nullptr) continue;
    names.append(names.empty() ? "" : ", ").append(each.name);
  }
  return in_c ? names : names + ", list<T>, map<T>, optional<T>";
}

}  // namespace actord::ctl
