// SPDX-License-Identifier: Apache-2.0
//
// What actord-sim can run. A profile turns a seed into a run and reports the rule that broke, if
// any. sim_main.cpp lists all profiles and knows nothing else of them.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace actord::sim {

/// The result of one seed.
struct Outcome {
  std::string violation;         // empty: none; else the rule's number and what happened
  std::uint64_t schedules = 1;   // that were run for this seed
  std::uint64_t events = 0;      // messages, hooks, verdicts: as the profile counts them
  std::uint64_t trace_hash = 0;  // of all events, in their order; equal seeds give equal hashes
};

struct RunOptions {
  bool is_traced = false;  // every event as a line on stdout
  // the run stops after this event, for gdb
  std::uint64_t until = std::numeric_limits<std::uint64_t>::max();
};

/// Stateless: a seed gives the same outcome in any process, whatever ran before.
struct Profile {
  std::string_view name;
  std::string_view about;  // one line of the usage text
  Outcome (*play)(std::uint64_t seed, const RunOptions& options);
  std::uint64_t seeds = 0;  // how many different ones there are, from 1; 0: no limit
  /// Finds a shorter run with the same violation and returns it as text, within about `within_ns`.
  /// Null if the profile cannot shrink.
  std::string (*shrink)(std::uint64_t seed, std::int64_t within_ns) = nullptr;
};

}  // namespace actord::sim
