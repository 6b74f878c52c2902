// SPDX-License-Identifier: Apache-2.0
//
// What actord-sim can play: a profile turns a seed into a run and says which rule broke, if one
// did. sim_main.cpp lists them all; it knows nothing else of any.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace actord::sim {

/// How one seed went.
struct Outcome {
  std::string violation;         // empty: none; else the rule's number and what happened
  std::uint64_t schedules = 1;   // that were played for this seed
  std::uint64_t events = 0;      // messages, hooks, verdicts: whatever the profile counts as one
  std::uint64_t trace_hash = 0;  // of everything seen, in its order; equal seeds, equal hashes
};

struct RunOptions {
  bool is_traced = false;  // every event as a line on stdout
  std::uint64_t until = std::numeric_limits<std::uint64_t>::max();  // events; stops there, for gdb
};

/// Stateless: the same seed gives the same outcome in any process, whatever was played before.
struct Profile {
  std::string_view name;
  std::string_view about;  // one line of the usage text
  Outcome (*play)(std::uint64_t seed, const RunOptions& options);
  std::uint64_t seeds = 0;  // how many different ones there are, counted from 1; 0: no end of them
  /// A shorter run with the same violation, told as text; null where there is none to be had. Takes
  /// no longer than about `within_ns`.
  std::string (*shrink)(std::uint64_t seed, std::int64_t within_ns) = nullptr;
};

}  // namespace actord::sim
