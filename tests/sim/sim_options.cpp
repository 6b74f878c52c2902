// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_options.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace actord::sim {

namespace {

constexpr std::uint64_t seeds_by_default = 1'000;

constexpr std::string_view names[] = {"--profile", "--seed",  "--seeds",  "--seconds",
                                      "--trace",   "--until", "--shrink", "--check-determinism",
                                      "--help"};

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1] ? 1 : 0);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row.back();
}

template <class Number>
bool read(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size();
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view meant = nearest(word, candidates);
  return meant.empty() ? std::string{} : ". Did you mean " + std::string{meant} + '?';
}

const Profile* find(std::string_view name, std::span<const Profile> profiles) {
  const auto found = std::ranges::find(profiles, name, &Profile::name);
  return found == profiles.end() ? nullptr : &*found;
}

// Sets one option to its value. Returns what is wrong with it, or an empty text.
std::string set(SimOptions& options, std::string_view name, std::string_view value,
                std::span<const Profile> profiles, bool& has_seed) {
  if (name == "--profile") {
    options.profile = find(value, profiles);
    if (options.profile != nullptr) return {};
    std::vector<std::string_view> known;
    for (const Profile& profile : profiles) known.push_back(profile.name);
    return "there is no profile " + std::string{value} + did_you_mean(value, known);
  }
  bool is_good = false;
  if (name == "--seed") is_good = has_seed = read(value, options.first);
  else if (name == "--seeds") is_good = read(value, options.seeds) && options.seeds != 0;
  else if (name == "--seconds") is_good = read(value, options.seconds) && options.seconds > 0;
  else is_good = read(value, options.play.until);
  return is_good ? std::string{}
                 : std::string{name} + " wants a number above 0, not " + std::string{value};
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t least = std::max<std::size_t>(word.size() / 3, 2) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t d = distance(word, candidate);
    if (d < least) least = d, best = candidate;
  }
  return best;
}

ParsedOptions parse_options(std::span<char* const> arguments, std::span<const Profile> profiles) {
  SimOptions options;
  options.profile = &profiles.front();
  bool has_seed = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    if (word == "--trace") options.play.is_traced = true;
    else if (word == "--shrink") options.shrinks = true;
    else if (word == "--check-determinism") options.runs_twice = true;
    else if (word == "--help") options.wants_help = true;
    else if (std::ranges::find(names, word) == std::end(names)) {
      return {{}, "there is no option " + std::string{word} + did_you_mean(word, names)};
    } else if (i + 1 == arguments.size()) {
      return {{}, std::string{word} + " wants a value"};
    } else if (std::string error = set(options, word, arguments[++i], profiles, has_seed);
               !error.empty()) {
      return {{}, std::move(error)};
    }
  }
  if (options.seeds == 0 && options.seconds == 0) options.seeds = has_seed ? 1 : seeds_by_default;
  return {options, {}};
}

std::string usage_text(std::span<const Profile> profiles) {
  std::string text =
      "usage: actord-sim [--profile NAME] [--seed N] [--seeds N] [--seconds S] [--trace]\n"
      "                  [--until N] [--shrink] [--check-determinism] [--help]\n"
      "  --profile NAME       what is played:\n";
  for (const Profile& profile : profiles) {
    text.append("      ").append(profile.name);
    text.append(profile.name.size() < 15 ? 15 - profile.name.size() : 1, ' ');
    text.append(profile.about).append("\n");
  }
  return text +
         "  --seed N             this one; with --seeds or --seconds the first\n"
         "  --seeds N            how many, default 1000\n"
         "  --seconds S          until the time is over\n"
         "  --trace              every event on a line\n"
         "  --until N            stop at the N-th event of a seed (a trap, for a debugger)\n"
         "  --shrink             look for a shorter run with the same violation, without limit\n"
         "  --check-determinism  play each seed twice and compare the trace hashes\n"
         "Exits 0 without violations, 1 with, 64 if it is not understood.\n";
}

}  // namespace actord::sim
