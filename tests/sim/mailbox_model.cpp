// SPDX-License-Identifier: Apache-2.0
//
// The model of the one-word mailbox with injected bugs, each of which the search must find. Without
// a bug it is a profile of actord-sim: --profile exhaustive.
//
//   mailbox_model [--all]               explores the small configurations, or the large ones too
//   mailbox_model --bug NAME [--trace]  the same with that bug; --trace prints the steps to it
//   mailbox_model --bugs                injects one bug after another; each must be found
//
// Exits 1 on a violation, and on a bug that is not found.
#include <algorithm>
#include <cstdio>
#include <string_view>

#include "sim/mailbox_search.hpp"

namespace {

using namespace actord::sim::mailbox;

/// True if nothing is violated.
bool explore_all(Bug bug, bool with_large, bool is_traced) {
  return std::ranges::all_of(configurations(), [&](const Configuration& configuration) {
    if (configuration.has(large) && !with_large) return true;
    const Explored explored = explore(configuration, bug, is_traced);
    if (!explored.violation.empty()) std::printf("violation: %s\n", explored.violation.c_str());
    else if (bug == Bug::none)
      std::printf("%-50s%9zu states: holds\n", configuration.name, explored.states);
    std::fflush(stdout);
    return explored.violation.empty();
  });
}

bool finds_every_bug() {
  bool is_found = true;
  for (const NamedBug& bug : bugs) {
    std::printf("%-24s", bug.name);
    if (explore_all(bug.bug, false, false)) {
      std::puts("NOT FOUND");
      is_found = false;
    }
  }
  return is_found;
}

int usage() {
  std::fputs("usage: mailbox_model [--all | --bugs | --bug NAME] [--trace]\n", stderr);
  for (const NamedBug& bug : bugs) std::fprintf(stderr, "  %-24s%s\n", bug.name, bug.what);
  return 64;
}

}  // namespace

int main(int argc, char** argv) {
  bool with_large = false, is_traced = false;
  Bug bug = Bug::none;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--bugs") return finds_every_bug() ? 0 : 1;
    if (argument == "--all") {
      with_large = true;
    } else if (argument == "--trace") {
      is_traced = true;
    } else if (argument == "--bug" && i + 1 < argc) {
      const std::string_view wanted = argv[++i];
      const auto* const found = std::ranges::find(bugs, wanted, &NamedBug::name);
      if (found == std::end(bugs)) return usage();
      bug = found->bug;
    } else {
      return usage();
    }
  }
  return explore_all(bug, with_large, is_traced) ? 0 : 1;
}
