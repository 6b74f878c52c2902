// SPDX-License-Identifier: Apache-2.0
#include "measuring.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace actord::bench {

namespace {

std::int64_t clock_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

double cpu_s() { return static_cast<double>(clock_ns(CLOCK_PROCESS_CPUTIME_ID)) * 1e-9; }

double measure_tick() {
  const std::int64_t start_ns = monotonic_ns();
  const std::uint64_t start = ticks();
  std::int64_t end_ns = start_ns;
  while (end_ns - start_ns < 20'000'000) end_ns = monotonic_ns();
  return static_cast<double>(end_ns - start_ns) / static_cast<double>(ticks() - start);
}

}  // namespace

void check(bool is_right, std::string_view what) {
  if (is_right) return;
  std::fprintf(stderr, "bench: wrong result: %.*s\n", static_cast<int>(what.size()), what.data());
  _exit(70);
}

std::int64_t monotonic_ns() noexcept { return clock_ns(CLOCK_MONOTONIC); }

double ns_per_tick() {
  static const double ns = measure_tick();
  return ns;
}

Stopwatch::Stopwatch() : start_ns_(monotonic_ns()), start_cpu_s_(cpu_s()) {}

double Stopwatch::seconds() const { return static_cast<double>(monotonic_ns() - start_ns_) * 1e-9; }

double Stopwatch::cpu_seconds() const { return cpu_s() - start_cpu_s_; }

void sleep_ms(int ms) {
  const std::int64_t end_ns = monotonic_ns() + std::int64_t{ms} * 1'000'000;
  while (monotonic_ns() < end_ns) poll(nullptr, 0, ms);
}

double resident_bytes() {
  long all = 0, resident = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  check(file != nullptr && std::fscanf(file, "%ld %ld", &all, &resident) == 2, "/proc/self/statm");
  std::fclose(file);
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double peak_resident_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

double Latencies::us(double part) {
  check(!spans_.empty(), "no latency was measured");
  const auto at = std::min(static_cast<std::size_t>(static_cast<double>(spans_.size()) * part),
                           spans_.size() - 1);
  std::ranges::nth_element(spans_, spans_.begin() + static_cast<std::ptrdiff_t>(at));
  return static_cast<double>(spans_[at]) * ns_per_tick() * 1e-3;
}

}  // namespace actord::bench
