// SPDX-License-Identifier: Apache-2.0
//
// Where a function lies in the file that it was loaded from: the same place in each process that
// has loaded the file.
#pragma once

#include <actord/plugin.h>

#include <cstdint>
#include <optional>

namespace actord::link {

/// A place in the file of that plugin. None: `function` is no part of it.
std::optional<std::uint64_t> place_of(const void* function, const actord_plugin& plugin);
/// Null: there is nothing of the file at that place.
void* function_at(std::uint64_t place, const actord_plugin& plugin);

}  // namespace actord::link
