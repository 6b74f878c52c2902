// SPDX-License-Identifier: Apache-2.0
#include "system/declared_types.hpp"

#include <actord/actord.hpp>

#include <algorithm>
#include <array>
#include <string>

#include "message/message_type.hpp"

namespace actord::system {

using message::view;

namespace {

template <class... M>
std::span<const actord_message_type* const> tables_of(Messages<M...>) {
  static const std::array tables{detail::message_table<M>()...};
  return tables;
}

// What ACTORD_MESSAGE checks of the messages of others.
template <class... M>
constexpr bool are_complete(Messages<M...>) {
  return !(detail::takes_fields<M, detail::members_of<M>.size + 1> || ...);
}
static_assert(are_complete(detail::BuiltinMessages{}), "a field is missing from a list of fields");
static_assert(!detail::builtin_library.empty(),
              "plugins take the layout of these messages from a "
              "libstdc++ without checked containers");

const actord_message_type* find_builtin(std::string_view name) {
  const std::span all = builtin_types();
  const auto found =
      std::ranges::find(all, name, [](const auto* type) { return view(type->name); });
  return found == all.end() ? nullptr : *found;
}

bool is_as_here(const actord_import& import, const actord_message_type& type) {
  const bool is_trivial = (type.flags & ACTORD_TRIVIAL) != 0;
  return import.size == type.size && import.align == type.align &&
         (is_trivial || view(import.library) == detail::builtin_library);
}

}  // namespace

std::span<const actord_message_type* const> builtin_types() {
  return tables_of(detail::BuiltinMessages{});
}

base::Result<std::vector<DeclaredType>> declared_types(const actord_plugin& plugin) {
  std::vector<DeclaredType> types;
  for (const actord_message_type* const type : std::span{plugin.messages, plugin.n_messages})
    types.push_back({type, type->id});
  if (!ACTORD_HAS(actord_plugin, &plugin, n_imports)) return types;
  for (const actord_import& import : std::span{plugin.imports, plugin.n_imports}) {
    const actord_message_type* const type = find_builtin(view(import.name));
    // A message of actord's that a plugin lists itself is imported, too. Its table comes first: it
    // may be of another library.
    const auto is_listed = [&](const DeclaredType& each) {
      return view(each.table->name) == view(import.name);
    };
    if (type == nullptr || std::ranges::any_of(types, is_listed)) continue;
    if (!is_as_here(import, *type))
      return base::Error{"it has the message type " + std::string{view(import.name)} +
                         " in another layout than actord: build it again, with the C++ library "
                         "that actord is built with or with actord's own table of the type"};
    types.push_back({type, import.id});
  }
  return types;
}

}  // namespace actord::system
