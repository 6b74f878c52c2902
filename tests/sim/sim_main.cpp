// SPDX-License-Identifier: Apache-2.0
//
// actord-sim: runs seeds until ten have broken a rule, the time is over or all have run. The
// profile decides what a seed means; tests/sim/README.md explains the output.
#include <cinttypes>
#include <cstdio>

#include "base/clock.hpp"
#include "sim/companions_profile.hpp"
#include "sim/crash_line.hpp"
#include "sim/hierarchy.hpp"
#include "sim/isolation_profile.hpp"
#include "sim/journal_profile.hpp"
#include "sim/mailbox_search.hpp"
#include "sim/sim_options.hpp"
#include "sim/small_scope.hpp"
#include "sim/step_profile.hpp"
#include "sim/swarm.hpp"

namespace {

using namespace actord::sim;

constexpr std::uint64_t violations_max = 10;  // a run stops after so many
constexpr std::int64_t second_ns = 1'000'000'000;

/// The first profile is the default.
const Profile profiles[] = {
    swarm_profile,      hierarchy_profile, isolation_profile, journal_profile,
    companions_profile, small_profile,     step_profile,      exhaustive_profile,
};

struct Totals {
  std::uint64_t schedules = 0, events = 0, violations = 0, hash = 0;
};

// Runs a seed, twice if the options say so; two runs with different traces are a violation.
Outcome play(const SimOptions& options, std::uint64_t seed) {
  now_running(options.profile->name, seed);
  Outcome outcome = options.profile->play(seed, options.play);
  if (!options.runs_twice || !outcome.violation.empty()) return outcome;
  RunOptions again = options.play;
  again.is_traced = false;
  if (options.profile->play(seed, again).trace_hash != outcome.trace_hash)
    outcome.violation = "39: two runs of this seed differ";
  return outcome;
}

void tell_violation(const SimOptions& options, std::uint64_t seed, const Outcome& outcome,
                    bool is_first) {
  const auto name = static_cast<int>(options.profile->name.size());
  std::printf("violation %s\n  seed %" PRIu64
              " of profile %.*s\n  replay: actord-sim --profile %.*s"
              " --seed %" PRIu64 " --trace\n",
              outcome.violation.c_str(), seed, name, options.profile->name.data(), name,
              options.profile->name.data(), seed);
  std::fflush(stdout);
  if (options.profile->shrink == nullptr || !(is_first || options.shrinks)) return;
  const std::int64_t limit = options.shrinks ? 86'400 * second_ns : 55 * second_ns;
  std::printf("%s", options.profile->shrink(seed, limit).c_str());
}

Totals run_all(const SimOptions& options, std::int64_t start) {
  Totals totals;
  const std::uint64_t last_of_all = options.profile->seeds;
  for (std::uint64_t seed = options.first;; ++seed) {
    if (options.seeds != 0 && seed - options.first >= options.seeds) break;
    if (last_of_all != 0 && seed > last_of_all) break;
    if (options.seconds > 0 &&
        static_cast<double>(actord::base::monotonic_ns() - start) > options.seconds * 1e9)
      break;
    const Outcome outcome = play(options, seed);
    totals.schedules += outcome.schedules;
    totals.events += outcome.events;
    totals.hash = totals.hash * 31 + outcome.trace_hash;
    if (outcome.violation.empty()) continue;
    tell_violation(options, seed, outcome, totals.violations == 0);
    if (++totals.violations == violations_max) break;
  }
  return totals;
}

}  // namespace

int main(int argc, char** argv) {
  const ParsedOptions parsed =
      parse_options({argv + 1, static_cast<std::size_t>(argc - 1)}, profiles);
  if (!parsed.options) {
    std::fprintf(stderr, "actord-sim: %s\n%s", parsed.error.c_str(), usage_text(profiles).c_str());
    return 64;
  }
  if (parsed.options->wants_help) return std::printf("%s", usage_text(profiles).c_str()), 0;
  tell_crashes();
  const std::int64_t start = actord::base::monotonic_ns();
  const Totals totals = run_all(*parsed.options, start);
  const double seconds = static_cast<double>(actord::base::monotonic_ns() - start) * 1e-9;
  std::printf("trace %016" PRIx64 "\n", totals.hash);
  std::printf("%" PRIu64 " schedules, %" PRIu64 " events, %.0f schedules/s, %" PRIu64
              " violations\n",
              totals.schedules, totals.events, static_cast<double>(totals.schedules) / seconds,
              totals.violations);
  return totals.violations == 0 ? 0 : 1;
}
