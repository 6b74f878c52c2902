// SPDX-License-Identifier: Apache-2.0
#include "message/type_text.hpp"

#include <algorithm>

namespace actord::message {

std::optional<std::string_view> argument_of(std::string_view type, std::string_view outer) {
  const bool is_it = type.size() > outer.size() + 1 && type.starts_with(outer) &&
                     type[outer.size()] == '<' && type.back() == '>';
  if (!is_it) return std::nullopt;
  return type.substr(outer.size() + 1, type.size() - outer.size() - 2);
}

namespace {

// Takes the next "name:type" off the list.
NamedType take_member(std::string_view& list) {
  const std::size_t colon = list.find(':');
  if (colon == list.npos) {
    list = {};
    return {};
  }
  int depth = 0;
  std::size_t end = colon + 1;
  for (; end < list.size(); ++end) {
    const char c = list[end];
    if (c == '<' || c == '{') ++depth;
    else if (c == '>' || c == '}') --depth;
    else if (c == ',' && depth == 0) break;
  }
  const NamedType found{list.substr(0, colon), list.substr(colon + 1, end - colon - 1)};
  list.remove_prefix(std::min(end + 1, list.size()));
  return found;
}

}  // namespace

std::vector<NamedType> members_in(std::string_view type) {
  std::vector<NamedType> members;
  for (std::string_view list = type.substr(1, type.size() - 2); !list.empty();)
    members.push_back(take_member(list));
  return members;
}

}  // namespace actord::message
