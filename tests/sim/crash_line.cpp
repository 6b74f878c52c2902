// SPDX-License-Identifier: Apache-2.0
#include "sim/crash_line.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <csignal>
#include <cstdio>

namespace actord::sim {

namespace {

// The line is written in advance, so that the handler has nothing to format.
std::array<char, 256> line;
std::size_t line_size = 0;

// The process may have died on a full stack, so the handler has its own.
alignas(16) std::array<std::byte, 64 * 1024> handler_stack;

void on_crash(int signal) {
  constexpr std::string_view what = "violation crash\n";
  if (write(STDOUT_FILENO, what.data(), what.size()) < 0 ||
      write(STDOUT_FILENO, line.data(), line_size) < 0)
    _exit(1);
  raise(signal);  // the default action, once the handler has returned
}

}  // namespace

// A sanitizer reports crashes by itself.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

void tell_crashes() {
  if (is_sanitized) return;
  stack_t stack{};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = &on_crash;
  action.sa_flags = SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL})
    sigaction(signal, &action, nullptr);
}

void now_running(std::string_view profile, std::uint64_t seed) {
  const auto size = static_cast<int>(profile.size());
  const int n = std::snprintf(line.data(), line.size(),
                              "  seed %" PRIu64
                              " of profile %.*s\n  replay: actord-sim --profile "
                              "%.*s --seed %" PRIu64 " --trace\n",
                              seed, size, profile.data(), size, profile.data(), seed);
  line_size = n > 0 ? std::min(static_cast<std::size_t>(n), line.size() - 1) : 0;
}

}  // namespace actord::sim
