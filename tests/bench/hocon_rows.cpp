// SPDX-License-Identifier: Apache-2.0
//
// A megabyte of nested configuration, from text to the resolved tree.
#include <string>

#include "hocon/source.hpp"
#include "rows.hpp"

namespace actord::bench {

namespace {

// Objects three deep with numbers, texts, lists, durations and a substitution each.
std::string config_of(std::size_t bytes) {
  std::string text = "vars { pause = 250 ms, place = \"/var/lib/actord\" }\n";
  for (int group = 0; text.size() < bytes; ++group) {
    text += "group-" + std::to_string(group) + " {\n";
    for (int actor = 0; actor < 10; ++actor) {
      text += "  actor-" + std::to_string(actor) +
              " {\n    behaviour = \"crawler/Fetcher\"\n    config {\n      place = ${vars.place}\n"
              "      pause = ${vars.pause}, weight = 12.5, attempts = 5\n"
              "      names = [alpha, beta, \"gamma delta\"]\n    }\n  }\n";
    }
    text += "}\n";
  }
  return text;
}

}  // namespace

Figures run_hocon(const Plan& plan) {
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    std::string text = config_of(is_warm_up ? 20'000 : 1'000'000);
    const Stopwatch watch;
    hocon::Source source;
    source.add_text("bench.conf", std::move(text));
    const auto tree = source.resolve();
    const double seconds = watch.seconds();
    check(tree.ok(), "hocon: an error in the configuration");
    return {{"hocon_ms", seconds * 1e3, "ms"}};
  });
}

}  // namespace actord::bench
