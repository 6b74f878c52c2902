// SPDX-License-Identifier: Apache-2.0
//
// Explores every interleaving of the one-word mailbox: senders of messages and of system messages,
// two workers, and a cell that dies and is given to a new tenant. The steps are in
// mailbox_protocol.hpp.
//
// States that differ only in the names of blocks or of workers are one; visited states are known by
// 64-bit fingerprints. Not here: memory orders, because the model is sequentially consistent (the
// thread sanitizer runs tests/unit/actor/mailbox_threads_test.cpp).
#pragma once

#include <span>
#include <string>

#include "sim/mailbox_protocol.hpp"
#include "sim/profile.hpp"

namespace actord::sim::mailbox {

/// Small configurations first; those with the trait `large` take seconds each.
std::span<const Configuration> configurations();

struct Explored {
  std::string violation;  // empty: none in any state
  std::size_t states = 0;
  std::size_t ends = 0;  // states in which no thread can move
  std::size_t depth = 0;
  std::uint64_t hash = 0;  // of the states, in the order of the search
};

/// Explores a whole configuration, with one bug. `is_traced`: prints the path to a violation.
Explored explore(const Configuration& configuration, Bug bug, bool is_traced);

}  // namespace actord::sim::mailbox

namespace actord::sim {

/// A seed is a configuration, an event a state, a schedule a state in which no thread can move.
Outcome run_exhaustive(std::uint64_t seed, const RunOptions& options);

inline const Profile exhaustive_profile{
    "exhaustive", "every state of the mailbox word; a seed is a configuration of senders",
    &run_exhaustive, mailbox::configurations().size()};

}  // namespace actord::sim
