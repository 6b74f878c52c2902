// SPDX-License-Identifier: Apache-2.0
//
// The address of what a message can be sent to, in 64 bits: an actor, by the index of its cell and
// the generation of the cell's tenant, or an ask that waits for its answer
// (core/decisions/0006-refs-of-answers.md).
//
// A plain value without a reference count. It never dangles, since cells are in an arena that stays
// mapped as long as the system. A message to a ref of a former generation, or to an ask that is
// over, becomes a dead letter.
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

// ---- asks: the two highest bits are 1 0, then the index of the asker's cell and the ask's number

inline constexpr int ask_number_bits = 36, cell_index_bits = 26;
inline constexpr std::uint64_t max_ask_number = (std::uint64_t{1} << ask_number_bits) - 1;
inline constexpr std::uint32_t max_cell_index = (std::uint32_t{1} << cell_index_bits) - 1;

/// The ref to which the asker in this cell is answered. `number` is the ask's key in its AskTable.
constexpr Ref make_answer_ref(std::uint32_t asker_index, std::uint64_t number) noexcept {
  return std::uint64_t{2} << 62 | std::uint64_t{asker_index} << ask_number_bits | number;
}
constexpr bool is_answer_ref(Ref ref) noexcept { return ref >> 62 == 2; }
constexpr std::uint32_t asker_index_of(Ref answer_ref) noexcept {
  return static_cast<std::uint32_t>(answer_ref >> ask_number_bits) & max_cell_index;
}
constexpr std::uint64_t ask_number_of(Ref answer_ref) noexcept {
  return answer_ref & max_ask_number;
}

// Two refs of no cell: a message to them is not delivered.
inline constexpr Ref dead_letters = make_ref(0xffff'ffff, 1);
/// Stands for the parent of the root guardian. Logs messages to it and ignores them; the root's own
/// failures go to Environment::root_failed() (supervision.md 106, 107).
inline constexpr Ref bubble_walker = make_ref(0xffff'fffe, 1);

}  // namespace actord::actor
