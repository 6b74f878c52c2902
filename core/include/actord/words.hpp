// SPDX-License-Identifier: Apache-2.0
//
// The small words of the C++ face: addresses, levels, directives, and two shapes of config value.
//
// Not here: the C interface itself (plugin.h), whose numbers these carry under names.
#pragma once

// Before plugin.h, which asks the standard library for its name.
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <actord/plugin.h>

namespace actord {

enum class Level { error = ACTORD_ERROR, warning, info, debug };

/// A supervisor's verdict on a child that failed. `undecided` leaves it to the next in line.
enum class Directive { undecided = ACTORD_UNDECIDED, resume, restart, stop, escalate };

/// An address. Compare, keep and send it freely, on any thread; it never dangles, it only stops
/// answering. An empty one is nobody.
struct Ref {
  actord_ref value = 0;

  constexpr explicit operator bool() const noexcept { return value != 0; }
  friend constexpr bool operator==(Ref, Ref) noexcept = default;
  friend constexpr auto operator<=>(Ref, Ref) noexcept = default;
};

/// A config value that is written as a size: "64k", "8 MiB", or a plain number of bytes.
struct Bytes {
  std::int64_t count = 0;

  // NOLINTNEXTLINE(google-explicit-constructor): a config value reads like what it holds
  constexpr operator std::int64_t() const noexcept { return count; }
};

/// A config value that must be written; its absence is refused with the place of the object that
/// lacks it. An enclosing object that is absent altogether keeps its defaults.
template <class T>
class Required {
 public:
  using value_type = T;

  constexpr Required() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a config value reads like what it holds
  constexpr Required(T value) : value_(std::move(value)) {}

  // NOLINTNEXTLINE(google-explicit-constructor): as above
  constexpr operator const T&() const noexcept { return value_; }
  constexpr const T& operator*() const noexcept { return value_; }
  constexpr const T* operator->() const noexcept { return &value_; }
  constexpr T& operator*() noexcept { return value_; }
  friend bool operator==(const Required& a, const Required& b) { return a.value_ == b.value_; }

 private:
  T value_{};
};

namespace detail {

constexpr actord_str to_c(std::string_view text) noexcept { return {text.data(), text.size()}; }
constexpr std::string_view view(actord_str text) noexcept { return {text.data, text.size}; }

}  // namespace detail
}  // namespace actord
