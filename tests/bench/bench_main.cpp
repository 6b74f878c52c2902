// SPDX-License-Identifier: Apache-2.0
//
// Runs rows, each five times in a process of its own after a warm-up, and prints medians.
//
//   actord-bench [ROW…] [--workers N] [--runs N] [--json]
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <map>

#include "rig.hpp"

namespace {

using actord::bench::Figure;
using actord::bench::Figures;

struct Row {
  const char* name;
  Figures (*run)(unsigned workers, bool is_warm_up);
};

constexpr Row rows[] = {{"pingpong", &actord::bench::run_pingpong},
                        {"many2one", &actord::bench::run_many2one},
                        {"forkjoin", &actord::bench::run_forkjoin},
                        {"idle_bytes", &actord::bench::run_idle_bytes},
                        {"failure1", &actord::bench::run_failure1}};

struct Request {
  std::vector<const Row*> wanted;
  unsigned workers = 0;
  int runs = 5;
  bool is_json = false;
};

int usage(const char* why) {
  std::fprintf(
      stderr,
      "actord-bench: %s\nusage: actord-bench [ROW...] [--workers N] [--runs N] [--json]\nrows:",
      why);
  for (const Row& row : rows) std::fprintf(stderr, " %s", row.name);
  std::fputc('\n', stderr);
  return 64;
}

// One run in a child, so that one row's memory is not the next one's; figures come back as lines.
bool run_once(const Row& row, unsigned workers, std::map<std::string, std::vector<double>>& values,
              std::map<std::string, std::string>& units) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    row.run(workers, true);
    std::FILE* const out = fdopen(ends[1], "w");
    for (const Figure& f : row.run(workers, false)) {
      std::fprintf(out, "%s %.17g %s\n", f.row.c_str(), f.value, f.unit.c_str());
    }
    std::fclose(out);
    _exit(0);
  }
  close(ends[1]);
  std::FILE* const in = fdopen(ends[0], "r");
  char name[64], unit[64];
  for (double value; std::fscanf(in, "%63s %lg %63s", name, &value, unit) == 3;) {
    values[name].push_back(value);
    units[name] = unit;
  }
  std::fclose(in);
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

int main(int argc, char** argv) {
  Request request;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--json") {
      request.is_json = true;
    } else if ((word == "--workers" || word == "--runs") && i + 1 < argc) {
      const std::string_view text = argv[++i];
      int n = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
      if (error != std::errc{} || end != text.data() + text.size() || n <= 0)
        return usage("a number above 0 is wanted");
      if (word == "--runs") request.runs = n;
      else request.workers = static_cast<unsigned>(n);
    } else {
      const auto* const row =
          std::ranges::find_if(rows, [&](const Row& r) { return r.name == word; });
      if (row == std::end(rows)) return usage(("no row or option " + std::string{word}).c_str());
      request.wanted.push_back(row);
    }
  }
  if (request.wanted.empty()) {
    for (const Row& row : rows) request.wanted.push_back(&row);
  }
  if (request.is_json) std::printf("[");
  bool is_first = true;
  for (const Row* row : request.wanted) {
    std::map<std::string, std::vector<double>> values;
    std::map<std::string, std::string> units;
    for (int i = 0; i < request.runs; ++i) {
      if (!run_once(*row, request.workers, values, units)) {
        std::fprintf(stderr, "actord-bench: a run of %s failed\n", row->name);
        return 70;
      }
    }
    for (auto& [name, each] : values) {
      std::ranges::sort(each);
      const double median = each[each.size() / 2];
      if (request.is_json) {
        std::printf(
            "%s\n  {\"row\": \"%s\", \"median\": %.6g, \"min\": %.6g, \"max\": %.6g, \"unit\": "
            "\"%s\"}",
            is_first ? "" : ",", name.c_str(), median, each.front(), each.back(),
            units[name].c_str());
      } else {
        std::printf("%-20s %14.1f %-12s (min %.1f, max %.1f)\n", name.c_str(), median,
                    units[name].c_str(), each.front(), each.back());
      }
      is_first = false;
      std::fflush(stdout);
    }
  }
  if (request.is_json) std::printf("\n]\n");
  return 0;
}
