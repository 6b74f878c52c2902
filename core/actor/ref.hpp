// SPDX-License-Identifier: Apache-2.0
//
// The address of an actor: the index of its cell and the generation of the cell's tenant, in 64
// bits.
//
// A value without a count: it never dangles, for cells lie in an arena that is never unmapped; a
// ref whose generation has passed only leads to dead letters.
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

// Addresses that no cell has: nobody lives there, and what is sent there ends there.
inline constexpr Ref dead_letters = make_ref(0xffff'ffff, 1);
/// Takes what the root guardian itself fails with (supervision.md 106, 107).
inline constexpr Ref bubble_walker = make_ref(0xffff'fffe, 1);

}  // namespace actord::actor
