// SPDX-License-Identifier: Apache-2.0
//
// The message types of a plugin: those of which it brings a table, and actord's own, which it
// imports.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.hpp"

// Declared here, because <actord/actord.hpp> has to come before <actord/plugin.h>.
struct actord_message_type;
struct actord_plugin;

namespace actord::system {

/// The tables of actord's own message types.
std::span<const actord_message_type* const> builtin_types();

struct DeclaredType {
  const actord_message_type* table;
  std::uint32_t* id;  // an actord_type_id: where the plugin reads it
};

/// In the order of the plugin's lists, the imports last. An import that actord does not know is
/// left out: the plugin was built for a newer one, and its id stays 0. The error says which type
/// the plugin has in another layout.
base::Result<std::vector<DeclaredType>> declared_types(const actord_plugin& plugin);

}  // namespace actord::system
