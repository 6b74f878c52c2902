// SPDX-License-Identifier: Apache-2.0
//
// What becomes of a message for which a bounded mailbox has no room.
#pragma once

#include <cstdint>
#include <string_view>

namespace actord::actor {

enum class Overflow : std::uint8_t {
  unset,        // not configured
  drop_new,     // it becomes a dead letter
  drop_old,     // it is taken, and the oldest message becomes a dead letter instead
  fail_sender,  // it becomes a dead letter, and the actor that has sent it fails
  wait  // it is taken, and the actor that has sent it handles no message until there is room
};

constexpr std::string_view name_of(Overflow overflow) noexcept {
  constexpr std::string_view names[] = {"drop-new", "drop-new", "drop-old", "fail-sender", "wait"};
  return names[static_cast<std::size_t>(overflow)];
}

}  // namespace actord::actor
