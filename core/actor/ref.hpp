// SPDX-License-Identifier: Apache-2.0
//
// The address of an actor: the index of its cell and the generation of the cell's tenant, in 64
// bits.
//
// A plain value without a reference count. It never dangles, since cells are in an arena that stays
// mapped as long as the system. A message to a ref of a former generation becomes a dead letter.
#pragma once

#include <actord/plugin.h>

#include <cstdint>

namespace actord::actor {

using Ref = actord_ref;

inline constexpr Ref nobody = 0;

constexpr std::uint32_t index_of(Ref ref) noexcept { return static_cast<std::uint32_t>(ref >> 32); }
constexpr std::uint32_t generation_of(Ref ref) noexcept { return static_cast<std::uint32_t>(ref); }
constexpr Ref make_ref(std::uint32_t index, std::uint32_t generation) noexcept {
  return static_cast<Ref>(index) << 32 | generation;
}

// Two refs of no cell: a message to them is not delivered.
inline constexpr Ref dead_letters = make_ref(0xffff'ffff, 1);
/// Stands for the parent of the root guardian. Logs messages to it and ignores them; the root's own
/// failures go to Environment::root_failed() (supervision.md 106, 107).
inline constexpr Ref bubble_walker = make_ref(0xffff'fffe, 1);

}  // namespace actord::actor
