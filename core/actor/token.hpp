// SPDX-License-Identifier: Apache-2.0
//
// What a timer, or the answer to an ask, is about: a kind and, for most, a place in a table.
#pragma once

#include <cstdint>

namespace actord::actor::token {

enum class Kind : std::uint8_t {
  ask,              // an ask of an actor, by its key in a table: the answer, or the timeout
  key,              // a timer of an actor, by its key in a table
  receive_timeout,  // the receive timeout
  backoff,          // the delay before a restart
  message,          // an envelope that nobody's timer sends, by its address
  periodic          // a message that is sent again and again, by its number
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
