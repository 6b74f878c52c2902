// SPDX-License-Identifier: Apache-2.0
//
//   caf-bench ROW [--workers N] [--check]
//
// One run of a row, after a warm-up; prints a line "figure value unit" for each figure. A wrong
// result ends with status 70.
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "caf_rows.hpp"

namespace {

using namespace caf_bench;

struct Row {
  std::string_view name;
  Figures (*run)(caf::actor_system& system, bool is_warm_up);
};

constexpr Row rows[] = {
    {"pingpong", &run_pingpong},
    {"ring", &run_ring},
    {"many2one", &run_many2one},
    {"forkjoin", &run_forkjoin},
    {"big", &run_big},
    {"tree1m", &run_tree},
    {"spawnstop", &run_spawnstop},
    {"idle_bytes", &run_idle_bytes},
    {"failure1", &run_failure1},
    {"failure1000", &run_failure1000},
    {"ask", &run_ask},
    {"ask_sleeping", &run_ask_sleeping},
    {"timers", &run_timers},
};

}  // namespace

int main(int argc, char** argv) {
  const Row* wanted = nullptr;
  bool is_check = false;
  caf::actor_system_config config;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--check") is_check = true;
    if (word == "--workers" && i + 1 < argc)
      config.set("scheduler.max-threads", std::stoul(argv[++i]));
    for (const Row& row : rows) {
      if (row.name == word) wanted = &row;
    }
  }
  if (wanted == nullptr) {
    std::fprintf(stderr, "caf-bench: which row?\n");
    return 64;
  }
  caf::actor_system system(config);
  Figures figures = wanted->run(system, true);
  if (!is_check) {
    figures = wanted->run(system, false);
    for (const auto& f : figures)
      std::printf("%s %.17g %s\n", f.row.c_str(), f.value, f.unit.c_str());
  }
  std::fflush(stdout);
  _exit(0);  // players that refer to each other never end by themselves
}
