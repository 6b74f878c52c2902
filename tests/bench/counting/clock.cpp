// SPDX-License-Identifier: Apache-2.0
//
// A monotonic clock that is one microsecond later each time it is read. ./dev bench --instructions
// preloads it.
//
// The scheduler reads the clock to decide how often a worker looks around and when a slice ends.
// With the real clock these decisions, and so the counts, would change from run to run: valgrind is
// some fifty times slower than the machine, and the machine may be busy.
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <ctime>

namespace {

constexpr std::int64_t ns_per_s = 1'000'000'000, step_ns = 1'000;

long real_time(clockid_t clock, timespec* time) { return syscall(SYS_clock_gettime, clock, time); }

// The clock starts with the real time, since the kernel compares the deadline of a sleeping thread
// with its own clock.
std::int64_t start_ns() {
  timespec time{};
  real_time(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * ns_per_s + time.tv_nsec;
}

std::atomic<std::int64_t> now_ns{start_ns()};

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (clock != CLOCK_MONOTONIC) return static_cast<int>(real_time(clock, time));
  const std::int64_t ns = now_ns.fetch_add(step_ns, std::memory_order_relaxed) + step_ns;
  time->tv_sec = ns / ns_per_s;
  time->tv_nsec = ns % ns_per_s;
  return 0;
}
