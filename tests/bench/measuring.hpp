// SPDX-License-Identifier: Apache-2.0
//
// What a row measures with: clocks, the memory and the CPU time of this process, percentiles.
#pragma once

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

/// Ends the process with a line on standard error and status 70 unless the result is right: a row
/// that did other work has no figure.
void check(bool is_right, std::string_view what);

std::int64_t monotonic_ns() noexcept;

/// The time stamp counter where there is one, as reading a clock costs more than an ask takes.
inline std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return static_cast<std::uint64_t>(monotonic_ns());
#endif
}
/// Measured once, over 20 ms, at the first call.
double ns_per_tick();

/// Since its construction.
class Stopwatch {
 public:
  Stopwatch();
  double seconds() const;
  double cpu_seconds() const;  // of all threads of this process

 private:
  std::int64_t start_ns_;
  double start_cpu_s_;
};

/// Lets time pass that belongs to what is measured: something falls asleep, or stays idle.
void let_pass(int ms);

double resident_bytes();
double peak_resident_mb();

/// Spans of ticks, of which microseconds are wanted.
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
