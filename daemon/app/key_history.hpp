// SPDX-License-Identifier: Apache-2.0
//
// Since when each key of the running configuration has had its value.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "hocon/tree.hpp"

namespace actord::app {

/// Threads: only the event loop's. Memory: an entry for each key that a reload has ever changed.
class KeyHistory {
 public:
  /// A generation of the configuration, and when it took effect: ns since 1970, UTC.
  struct Moment {
    std::uint64_t generation = 1;
    std::int64_t wall_ns = 0;
  };

  /// The moment at which that generation takes effect, if it does now.
  static Moment moment_of(std::uint64_t generation);

  explicit KeyHistory(Moment start) : start_(start) {}

  /// A reload has replaced `older` by `newer`. Scratch values (vars, x-...) are not compared.
  void record(const hocon::Tree& older, const hocon::Tree& newer, Moment moment);
  /// The last change of the key, of a key in it, or of a value that contains it; the start if there
  /// was none.
  Moment last_change(std::string_view key) const;
  Moment start() const noexcept { return start_; }

 private:
  const Moment start_;
  std::map<std::string, Moment, std::less<>> changed_;
};

/// Whether `key` is `other` or lies below it.
bool is_part_of(std::string_view key, std::string_view other) noexcept;

}  // namespace actord::app
