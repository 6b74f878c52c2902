// SPDX-License-Identifier: Apache-2.0
//
// The command line of actord-sim, as data.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/profile.hpp"

namespace actord::sim {

struct SimOptions {
  const Profile* profile = nullptr;  // never null once parsed
  std::uint64_t first = 1;           // seed
  std::uint64_t seeds = 0;           // how many; 0: until the time is over
  double seconds = 0;                // 0: until the seeds are done
  RunOptions play;
  bool shrinks = false;  // every violation, however long it takes; else the first one, for a minute
  bool runs_twice = false;
  bool wants_help = false;
};

/// The options, or in one sentence why they are refused. The program's name is not an argument.
struct ParsedOptions {
  std::optional<SimOptions> options;
  std::string error;
};
ParsedOptions parse_options(std::span<char* const> arguments, std::span<const Profile> profiles);

std::string usage_text(std::span<const Profile> profiles);

/// The candidate that `word` was probably meant to be; empty if none is near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace actord::sim
