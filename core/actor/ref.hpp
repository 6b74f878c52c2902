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

}  // namespace actord::actor
