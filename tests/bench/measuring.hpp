// SPDX-License-Identifier: Apache-2.0
//
// The measuring tools of the rows: clocks, memory and CPU time of this process, percentiles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace actord::bench {

struct Figure {
  std::string row;
  double value;
  std::string unit;
};
using Figures = std::vector<Figure>;

/// Ends the process with a line on standard error and status 70 unless the result is right, since a
/// row with a wrong result must not have a figure.
void check(bool is_right, std::string_view what);

std::int64_t monotonic_ns() noexcept;

/// The time stamp counter if the CPU has one, since to read a clock takes longer than an ask.
inline std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return static_cast<std::uint64_t>(monotonic_ns());
#endif
}
/// Measured once, over 20 ms, at the first call.
double ns_per_tick();

/// Measures the time since its construction.
class Stopwatch {
 public:
  Stopwatch();
  double seconds() const;
  double cpu_seconds() const;  // of all threads of this process

 private:
  std::int64_t start_ns_;
  double start_cpu_s_;
};

/// Sleeps for `ms` as part of what is measured: workers fall asleep, or a system stays idle.
void sleep_ms(int ms);

double resident_bytes();
double peak_resident_mb();

/// The value in the middle of those that are sorted. There is one.
inline double median(std::vector<double> all) {
  std::ranges::sort(all);
  return all[all.size() / 2];
}

/// Collects spans in ticks, and gives their percentiles in microseconds.
class Latencies {
 public:
  explicit Latencies(std::size_t expected) { spans_.reserve(expected); }
  void add(std::uint64_t from, std::uint64_t to) { spans_.push_back(to > from ? to - from : 0); }
  std::size_t count() const noexcept { return spans_.size(); }
  double us(double part);

 private:
  std::vector<std::uint64_t> spans_;
};

}  // namespace actord::bench
