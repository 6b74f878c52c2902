// SPDX-License-Identifier: Apache-2.0
#include "app/verb_arguments.hpp"

#include <algorithm>

namespace actord::app {

using wire::Json;

namespace {

std::string form_of(const VerbArgument& argument) {
  const std::string name = '"' + std::string{argument.name} + '"';
  switch (argument.kind) {
    case VerbArgument::Kind::text: return "a text " + name;
    case VerbArgument::Kind::flag: return "true or false for " + name;
    case VerbArgument::Kind::number: break;
  }
  if (argument.max == UINT64_MAX)
    return "a number " + name + " of at least " + std::to_string(argument.min);
  return "a number " + name + " from " + std::to_string(argument.min) + " to " +
         std::to_string(argument.max);
}

bool has_form(const Json& value, const VerbArgument& argument) {
  switch (argument.kind) {
    case VerbArgument::Kind::text: return value.is_string();
    case VerbArgument::Kind::flag: return value.is_boolean();
    case VerbArgument::Kind::number: break;
  }
  if (!value.is_number_unsigned()) return false;
  const auto number = value.get<std::uint64_t>();
  return number >= argument.min && number <= argument.max;
}

}  // namespace

std::string argument_fault(const Json& given, std::span<const VerbArgument> known) {
  for (const VerbArgument& each : known) {
    const auto found = given.find(each.name);
    const bool is_absent = found == given.end();
    if (is_absent ? each.is_needed : !has_form(*found, each)) return "needs " + form_of(each);
  }
  for (const auto& [name, value] : given.items()) {
    if (std::ranges::find(known, name, &VerbArgument::name) == known.end())
      return "has no argument \"" + name + '"';
  }
  return {};
}

std::uint64_t number_in(const Json& given, std::string_view name) {
  const auto found = given.find(name);
  return found == given.end() ? 0 : found->get<std::uint64_t>();
}

bool flag_in(const Json& given, std::string_view name) {
  const auto found = given.find(name);
  return found != given.end() && found->get<bool>();
}

std::chrono::milliseconds timeout_in(const Json& given) {
  return std::chrono::milliseconds{number_in(given, timeout_argument.name)};
}

}  // namespace actord::app
