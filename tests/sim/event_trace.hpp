// SPDX-License-Identifier: Apache-2.0
//
// What happens in a run, for profiles without a witness of their own: a line for each event if the
// run is traced, and the hash of all of them.
#pragma once

#include <cinttypes>
#include <cstdio>
#include <string>

#include "sim/profile.hpp"

namespace actord::sim {

class EventTrace {
 public:
  explicit EventTrace(const RunOptions& options) : options_(options) {}

  void add(const char* what, std::uint64_t who, std::uint64_t detail = 0) {
    ++events_;
    for (const char* c = what; *c != '\0'; ++c)
      hash_ = (hash_ ^ static_cast<unsigned char>(*c)) * prime;
    hash_ = (hash_ ^ who ^ detail << 20) * prime;
    if (options_.is_traced)
      std::printf("%6" PRIu64 "  %4" PRIu64 "  %s %" PRIu64 "\n", events_, who, what, detail);
    if (events_ == options_.until) __builtin_trap();
  }
  /// The outcome of the run, whose first violation is that one.
  Outcome outcome(std::string violation) const { return {std::move(violation), 1, events_, hash_}; }

 private:
  static constexpr std::uint64_t prime = 0x100000001b3u;  // FNV-1a's

  const RunOptions& options_;
  std::uint64_t events_ = 0, hash_ = 0xcbf29ce484222325u;
};

}  // namespace actord::sim
