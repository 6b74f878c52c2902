// SPDX-License-Identifier: Apache-2.0
//
// actord-sim: plays seeds until one breaks a rule.
//
//   actord-sim [--seed N] [--seeds N] [--trace] [--check-determinism]
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/clock.hpp"
#include "swarm.hpp"

namespace {

int usage(const char* why) {
  std::fprintf(stderr,
               "actord-sim: %s\n"
               "usage: actord-sim [--seed N] [--seeds N] [--trace] [--check-determinism]\n"
               "  --seed N             the first seed, default 1; without --seeds the only one\n"
               "  --seeds N            how many seeds\n"
               "  --trace              print what the actors see\n"
               "  --check-determinism  play each seed twice and compare the trace hashes\n",
               why);
  return 64;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t first = 1, count = 1;
  bool is_traced = false, plays_twice = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool has_number = i + 1 < argc;
    if (word == "--seed" && has_number) first = std::strtoull(argv[++i], nullptr, 10);
    else if (word == "--seeds" && has_number) count = std::strtoull(argv[++i], nullptr, 10);
    else if (word == "--trace") is_traced = true;
    else if (word == "--check-determinism") plays_twice = true;
    else return usage("unknown option");
  }
  const std::int64_t start = actord::base::monotonic_ns();
  std::uint64_t events = 0, violations = 0, hash = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    actord::swarm::Outcome outcome = actord::swarm::play(seed, is_traced);
    if (plays_twice && outcome.violation.empty() &&
        actord::swarm::play(seed).trace_hash != outcome.trace_hash) {
      outcome.violation = "two runs of this seed differ";
    }
    events += outcome.events;
    hash = hash * 31 + outcome.trace_hash;
    if (outcome.violation.empty()) continue;
    ++violations;
    std::printf("seed %llu: %s\n  replay: actord-sim --seed %llu --trace\n",
                static_cast<unsigned long long>(seed), outcome.violation.c_str(),
                static_cast<unsigned long long>(seed));
    if (violations == 10) break;
  }
  const double seconds = static_cast<double>(actord::base::monotonic_ns() - start) * 1e-9;
  std::printf("%llu schedules, %llu events, %.0f schedules/s, %llu violations, trace %016llx\n",
              static_cast<unsigned long long>(count), static_cast<unsigned long long>(events),
              static_cast<double>(count) / seconds, static_cast<unsigned long long>(violations),
              static_cast<unsigned long long>(hash));
  return violations == 0 ? 0 : 1;
}
