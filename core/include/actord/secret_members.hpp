// SPDX-License-Identifier: Apache-2.0
//
// The members of a message type that are never shown, as its about() says (about.hpp).
#pragma once

#include <string>
#include <vector>

#include <actord/about.hpp>

namespace actord::detail {

/// A copy of the text that lives as long as the process, as the tables that point to it. An empty
/// text takes no memory: a key with nothing to say is in no table that would own it.
[[gnu::cold]] inline actord_str keep_text(std::string_view text) {
  if (text.empty()) return {"", 0};
  auto* const kept = new char[text.size() + 1];
  text.copy(kept, text.size());
  return {kept, text.size()};
}

/// Adds the paths of plugin.h, "cards.*.pin", of the secrets within that type.
[[gnu::cold]] inline void add_secrets(std::vector<actord_str>& paths, const actord_data_type& type,
                                      const std::string& path) {
  if ((type.flags & ACTORD_DATA_ABOUT) == 0) return;
  if (type.kind == ACTORD_DATA_OPTIONAL) return add_secrets(paths, *type.element, path);
  if (type.kind != ACTORD_DATA_STRUCT) return add_secrets(paths, *type.element, path + ".*");
  const actord_data_struct& of = *type.of.members;
  for (std::size_t i = 0; i < of.n_members; ++i) {
    const actord_data_member& member = of.members[i];
    std::string inner = path;
    inner.append(path.empty() ? "" : ".").append(detail::view(member.name));
    const actord_data_about* const about = about_member(of, member.offset);
    if (about != nullptr && (about->flags & ACTORD_SECRET) != 0) paths.push_back(keep_text(inner));
    else add_secrets(paths, *member.type, inner);
  }
}

/// Never destroyed, as the table of the message type.
template <Described T>
const std::vector<actord_str>& secret_members() {
  static const auto& paths = [&]() -> const std::vector<actord_str>& {
    auto& made = *new std::vector<actord_str>;
    add_secrets(made, data_type<T>, {});
    return made;
  }();
  return paths;
}

}  // namespace actord::detail
