// SPDX-License-Identifier: Apache-2.0
//
// The models of the run queue's lock and of sleeping workers, with injected bugs, each of which the
// search must find.
//
//   sched_model [--all]               explores the small configurations, or the large ones too
//   sched_model --bug NAME [--trace]  the same with that bug; --trace prints the steps to it
//   sched_model --bugs                injects one bug after another; each must be found
//
// Exits 1 on a violation, and on a bug that is not found.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>

#include "sim/sleep_model.hpp"
#include "sim/steal_model.hpp"

namespace {

using actord::sim::Found;

/// True if nothing is violated.
template <class Model, class Configurations, class Bug>
bool explore(const Configurations& configurations, Bug bug, bool is_traced, bool with_large) {
  return std::ranges::all_of(configurations, [&](const auto& configuration) {
    if (configuration.is_large && !with_large) return true;
    const Found found = actord::sim::search(Model(configuration, bug), is_traced);
    if (!found.violation.empty())
      std::printf("violation: %s: %s\n", configuration.name, found.violation.c_str());
    else if (bug == Bug::none)
      std::printf("%-60s%9zu states%5zu ends: holds\n", configuration.name, found.states,
                  found.ends);
    std::fflush(stdout);
    return found.violation.empty();
  });
}

bool explore_steal(actord::sim::steal::Bug bug, bool is_traced, bool with_large) {
  using namespace actord::sim::steal;
  return explore<Model>(configurations, bug, is_traced, with_large);
}
bool explore_sleep(actord::sim::sleeping::Bug bug, bool is_traced, bool with_large) {
  using namespace actord::sim::sleeping;
  return explore<Model>(configurations, bug, is_traced, with_large);
}

/// Calls act(bug, explore) for each bug of both models.
template <class Act>
void each_bug(Act&& act) {
  for (const auto& bug : actord::sim::steal::bugs)
    act(bug, [&](bool is_traced) { return explore_steal(bug.bug, is_traced, false); });
  for (const auto& bug : actord::sim::sleeping::bugs)
    act(bug, [&](bool is_traced) { return explore_sleep(bug.bug, is_traced, false); });
}

bool finds_every_bug() {
  bool is_found = true;
  each_bug([&](const auto& bug, const auto& explore_with) {
    std::printf("%-24s", bug.name);
    if (!explore_with(false)) return;
    std::puts("NOT FOUND");
    is_found = false;
  });
  return is_found;
}

int usage() {
  std::fputs("usage: sched_model [--all | --bugs | --bug NAME [--trace]]\n", stderr);
  each_bug([](const auto& bug, const auto&) {
    std::fprintf(stderr, "  %-24s%s\n", bug.name, bug.what);
  });
  return 64;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (argc == 1 || (first == "--all" && argc == 2)) {
    const bool holds = explore_steal(actord::sim::steal::Bug::none, true, argc == 2) &&
                       explore_sleep(actord::sim::sleeping::Bug::none, true, argc == 2);
    return holds ? 0 : 1;
  }
  if (first == "--bugs" && argc == 2) return finds_every_bug() ? 0 : 1;
  if (first != "--bug" || argc < 3) return usage();
  const bool is_traced = argc == 4 && std::string_view{argv[3]} == "--trace";
  int result = 64;
  each_bug([&](const auto& bug, const auto& explore_with) {
    if (std::string_view{bug.name} == argv[2]) result = explore_with(is_traced) ? 0 : 1;
  });
  return result == 64 ? usage() : result;
}
