// SPDX-License-Identifier: Apache-2.0
#include "settings/content.hpp"

#include <algorithm>
#include <vector>

#include "hocon/render.hpp"

namespace actord::settings {

using hocon::Member;
using hocon::Value;

namespace {

// Recursion is bounded: the nesting of the tree is limited.
void append(std::string& out, const Value& value, std::string_view without) {
  if (!value.is_object() && !value.is_array()) {
    if (value.is_string()) hocon::append_json_string(out, value.text());
    else out += value.text();
    return;
  }
  std::vector<Member> members;
  members.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) members.push_back(value.at(i));
  if (value.is_object()) {
    std::ranges::sort(members, {}, &Member::key);
    if (!without.empty()) std::erase_if(members, [&](const Member& m) { return m.key == without; });
  }
  out += value.is_object() ? '{' : '[';
  for (const Member& member : members) {
    if (value.is_object()) {
      hocon::append_json_string(out, member.key);
      out += ':';
    }
    append(out, member.value, {});
    out += ',';
  }
  out += value.is_object() ? '}' : ']';
}

}  // namespace

std::string canonical_text(const Value& value, std::string_view without) {
  std::string content;
  if (value) append(content, value, without);
  return content;
}

}  // namespace actord::settings
