// SPDX-License-Identifier: Apache-2.0
//
// Random trees under random failures: one seed builds a tree, throws everything at it that the core
// can meet, lets it come to rest and checks what must hold whatever happened.
#pragma once

#include <cstdint>
#include <string>

namespace actord::swarm {

struct Outcome {
  std::string violation;  // empty: none
  std::uint64_t events = 0;
  std::uint64_t trace_hash = 0;  // of everything the actors saw, in order
};

/// Plays one seed. The same seed gives the same outcome in any process. `is_traced`: every step on
/// stdout.
Outcome play(std::uint64_t seed, bool is_traced = false);

}  // namespace actord::swarm
