// SPDX-License-Identifier: Apache-2.0
//
// Every interleaving of the one-word mailbox, explored: senders of messages and of orders, two
// workers, a cell that dies and is given to a new tenant. The steps stand in mailbox_protocol.hpp.
//
// States that differ in the names of blocks or of workers alone are one; visited ones are known by
// 64-bit fingerprints. Not here: memory orders, for the model is sequentially consistent (the
// thread sanitizer runs tests/unit/actor/mailbox_threads_test.cpp).
#pragma once

#include <span>
#include <string>

#include "sim/mailbox_protocol.hpp"
#include "sim/profile.hpp"

namespace actord::sim::mailbox {

/// Small ones first; those that have the trait `large` take seconds each.
std::span<const Configuration> configurations();

struct Explored {
  std::string violation;  // empty: it holds in every state
  std::size_t states = 0;
  std::size_t ends = 0;  // states in which nobody can move
  std::size_t depth = 0;
  std::uint64_t hash = 0;  // of the states, in the order of the search
};

/// The whole of a configuration, with a bug put in. `is_traced`: the way to a violation on stdout.
Explored explore(const Configuration& configuration, Bug bug, bool is_traced);

}  // namespace actord::sim::mailbox

namespace actord::sim {

/// A seed is a configuration, an event a state, a schedule a state in which runs end.
Outcome run_exhaustive(std::uint64_t seed, const RunOptions& options);

inline const Profile exhaustive_profile{
    "exhaustive", "every state of the mailbox word; a seed is a configuration of senders",
    &run_exhaustive, mailbox::configurations().size()};

}  // namespace actord::sim
