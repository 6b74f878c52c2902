// SPDX-License-Identifier: Apache-2.0
//
// The types of members in the words of plugin.h: "list<text>", "{name:text,age:int32}".
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace actord::message {

struct NamedType {
  std::string_view name, type;
};

/// "list<T>" is ("list", "T"); nullopt: the type has no such argument.
std::optional<std::string_view> argument_of(std::string_view type, std::string_view outer);
/// The members of a type such as "{name:T,other:list<U>}".
std::vector<NamedType> members_in(std::string_view type);
/// Whether it is such a type.
inline bool is_struct(std::string_view type) {
  return type.starts_with('{') && type.ends_with('}');
}

}  // namespace actord::message
