// SPDX-License-Identifier: Apache-2.0
//
// Runs rows, each run in a process of its own after a warm-up. bench.py drives it beside the peers.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <map>

#include "rows.hpp"

namespace {

using actord::bench::Figure;
using actord::bench::Figures;
using actord::bench::Plan;
using actord::bench::Row;

constexpr int exit_usage = 64, exit_wrong = 70;
constexpr unsigned longest_run_s = 300;  // SIGALRM ends a run that takes longer

struct Request {
  std::vector<const Row*> wanted;
  Plan plan;
  int runs = 5;
  bool is_raw = false;
};

int usage(const std::string& why) {
  std::fprintf(stderr,
               "actord-bench: %s\n"
               "usage: actord-bench [ROW...] [--runs N] [--workers N] [--raw] [--check]\n"
               "       actord-bench ROW --length N [--workers N]\n"
               "  --raw     figures of each run instead of medians\n"
               "  --check   warm-ups only: is what they do right?\n"
               "  --length  in this process, without a warm-up, for counting instructions\n"
               "rows:",
               why.c_str());
  for (const Row& row : actord::bench::all_rows())
    std::fprintf(stderr, " %.*s", static_cast<int>(row.name.size()), row.name.data());
  std::fputc('\n', stderr);
  return exit_usage;
}

bool take_number(std::string_view text, std::int64_t& n) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  return error == std::errc{} && end == text.data() + text.size() && n > 0;
}

// Reads the command line into `request`. Returns an error text; empty: none.
std::string read(int argc, char** argv, Request& request) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--raw") {
      request.is_raw = true;
    } else if (word == "--check") {
      request.plan.is_check = true;
      request.runs = 1;
    } else if (word == "--workers" || word == "--runs" || word == "--length") {
      std::int64_t n = 0;
      if (++i == argc || !take_number(argv[i], n))
        return std::string{word} + " wants a number above 0";
      if (word == "--runs") request.runs = static_cast<int>(n);
      else if (word == "--workers") request.plan.workers = static_cast<unsigned>(n);
      else request.plan.length = n;
    } else {
      const auto rows = actord::bench::all_rows();
      const auto row = std::ranges::find(rows, word, &Row::name);
      if (row == rows.end()) return "no row or option " + std::string{word};
      request.wanted.push_back(&*row);
    }
  }
  if (request.plan.length != 0 && request.wanted.size() != 1) return "--length wants one row";
  if (request.wanted.empty()) {
    for (const Row& row : actord::bench::all_rows()) {
      if (!row.is_extra) request.wanted.push_back(&row);
    }
  }
  return {};
}

// One run in a child process, so that the memory of one row does not count for the next. The child
// writes its figures as lines to a pipe.
bool run_once(const Row& row, const Plan& plan, Figures& figures) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    alarm(longest_run_s);
    const Figures found = row.run(plan);
    std::FILE* const out = fdopen(ends[1], "w");
    for (const Figure& f : found)
      std::fprintf(out, "%s %.17g %s\n", f.row.c_str(), f.value, f.unit.c_str());
    std::fclose(out);
    _exit(0);
  }
  close(ends[1]);
  std::FILE* const in = fdopen(ends[0], "r");
  char name[64], unit[64];
  for (double value; std::fscanf(in, "%63s %lg %63s", name, &value, unit) == 3;)
    figures.push_back({name, value, unit});
  std::fclose(in);
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0;
}

void print_medians(const std::vector<Figures>& runs) {
  for (std::size_t i = 0; i < runs.front().size(); ++i) {
    std::vector<double> values;
    for (const Figures& figures : runs) values.push_back(figures[i].value);
    std::ranges::sort(values);
    const Figure& first = runs.front()[i];
    std::printf("%-28s %14.6g %-10s (min %.6g, max %.6g)\n", first.row.c_str(),
                values[values.size() / 2], first.unit.c_str(), values.front(), values.back());
  }
}

bool run(const Row& row, const Request& request) {
  std::vector<Figures> runs(static_cast<std::size_t>(request.runs));
  for (Figures& figures : runs) {
    if (!run_once(row, request.plan, figures)) return false;
    if (!request.is_raw) continue;
    for (const Figure& f : figures)
      std::printf("%s %.17g %s\n", f.row.c_str(), f.value, f.unit.c_str());
  }
  if (!request.is_raw) print_medians(runs);
  std::fflush(stdout);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Request request;
  if (const std::string wrong = read(argc, argv, request); !wrong.empty()) return usage(wrong);
  if (request.plan.length != 0) {
    request.wanted.front()->run(request.plan);
    return 0;
  }
  for (const Row* row : request.wanted) {
    if (run(*row, request)) continue;
    std::fprintf(stderr, "actord-bench: a run of %.*s failed\n", static_cast<int>(row->name.size()),
                 row->name.data());
    return exit_wrong;
  }
  return 0;
}
