// SPDX-License-Identifier: Apache-2.0
//
// The 64-bit token of a timer or of an ask says what it is for: a kind, and a key or number that
// depends on the kind.
#pragma once

#include <cstdint>

namespace actord::actor::token {

enum class Kind : std::uint8_t {
  ask,              // an actor's ask, by its key in Asks: the answer or the timeout
  key,              // an actor's timer, by its key in the TimerTable
  receive_timeout,  // an actor's receive timeout, by a number
  backoff,          // the delay before an actor's restart, by a number
  message,          // a message that the system's scheduler sends once, by its envelope's address
  periodic,         // a message that the system's scheduler sends periodically, by a number
  room,             // how long an actor waits for room in a mailbox, by a number
  journal           // how long an actor waits for its events, by the number of its recovery
};

inline constexpr int rest_bits = 61;

constexpr std::uint64_t make(Kind kind, std::uint64_t rest) noexcept {
  return static_cast<std::uint64_t>(kind) << rest_bits | rest;
}
constexpr Kind kind_of(std::uint64_t token) noexcept {
  return static_cast<Kind>(token >> rest_bits);
}
constexpr std::uint64_t rest_of(std::uint64_t token) noexcept {
  return token & ((std::uint64_t{1} << rest_bits) - 1);
}

}  // namespace actord::actor::token
