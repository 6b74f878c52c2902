// SPDX-License-Identifier: Apache-2.0
//
// Reads configurations, from the text to the resolved tree: a large one, a very large one, and long
// chains of substitutions.
#include <string>

#include "hocon/source.hpp"
#include "rows.hpp"

namespace actord::bench {

namespace {

// Objects three deep with numbers, texts, lists, durations and a substitution each.
std::string config_of(std::size_t bytes) {
  constexpr std::size_t group_most = 3'000;
  std::string text;
  text.reserve(bytes + group_most);  // no more, since the memory of the text is measured
  text += "vars { pause = 250 ms, place = \"/var/lib/actord\" }\n";
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

// A chain: the value of each key is a substitution of the key before.
std::string chain_of(int length) {
  std::string text = "a0 = 1\n";
  for (int i = 1; i < length; ++i)
    text += "a" + std::to_string(i) + " = ${a" + std::to_string(i - 1) + "}\n";
  return text;
}

std::string appends_of(int length) {
  std::string text;
  for (int i = 0; i < length; ++i) text += "list += " + std::to_string(i) + "\n";
  return text;
}

// Returns the seconds that it takes; `holds` checks the tree.
template <class Holds>
double seconds_of(std::string text, Holds holds) {
  const Stopwatch watch;
  hocon::Source source;
  source.add_text("bench.conf", std::move(text));
  const auto tree = source.resolve();
  const double seconds = watch.seconds();
  check(tree.ok() && holds(*tree), "hocon: not the tree that was written");
  return seconds;
}

}  // namespace

Figures run_hocon(const Plan& plan) {
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const std::size_t megabyte = is_warm_up ? 20'000 : 1'000'000;
    const int links = is_warm_up ? 20 : 2'000;
    const auto is_nested = [](const hocon::Tree& tree) {
      return tree.find("group-0.actor-9.config.place").text() == "/var/lib/actord";
    };
    std::string text = config_of(megabyte);
    const auto bytes = static_cast<double>(text.size());
    const double before = resident_bytes() - bytes;  // the text is part of the cost
    const double nested = seconds_of(std::move(text), is_nested);
    const double peak = peak_resident_mb() * 1024 * 1024 - before;
    const double large = seconds_of(config_of(10 * megabyte), is_nested);
    const double chain = seconds_of(chain_of(links), [&](const hocon::Tree& tree) {
      return tree.find("a" + std::to_string(links - 1)).text() == "1";
    });
    const double appends = seconds_of(appends_of(links), [&](const hocon::Tree& tree) {
      return tree.find("list").size() == static_cast<std::size_t>(links);
    });
    return {{"hocon_ms", nested * 1e3, "ms"},
            {"hocon_bytes", peak / bytes, "B/B"},
            {"hocon_10mb_s", large, "s"},
            {"hocon_chain_ms", chain * 1e3, "ms"},
            {"hocon_append_ms", appends * 1e3, "ms"}};
  });
}

}  // namespace actord::bench
