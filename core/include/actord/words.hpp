// SPDX-License-Identifier: Apache-2.0
//
// The basic types of the C++ interface: addresses, levels, directives, and two types of config
// value.
//
// Not here: the C interface (plugin.h), which defines the numbers of these enums.
#pragma once

// These come before plugin.h, which tests macros of the standard library.
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <actord/plugin.h>

namespace actord {

/// Levels of log events.
enum class Level { error = ACTORD_ERROR, warning, info, debug };

/// A supervisor's decision about a child that failed. `undecided` leaves it to the rules, or to the
/// default decider.
enum class Directive { undecided = ACTORD_UNDECIDED, resume, restart, stop, escalate };

/// The address of an actor, or of an ask that waits for its answer. It may be copied, compared,
/// kept and sent, on any thread. It stays valid when the actor has stopped: messages to it become
/// dead letters. An empty Ref is no actor.
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

/// A config value that must be present in its object. If it is absent, the configuration is refused
/// with the place of the object. A nested object that is absent altogether keeps its defaults.
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

/// For a static_assert that fails when a branch for a wrong T is compiled.
template <class T>
constexpr bool is_unsupported = true;

constexpr actord_str to_c(std::string_view text) noexcept { return {text.data(), text.size()}; }
constexpr std::string_view view(actord_str text) noexcept { return {text.data, text.size}; }

}  // namespace detail
}  // namespace actord
