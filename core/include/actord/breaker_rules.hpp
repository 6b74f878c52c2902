// SPDX-License-Identifier: Apache-2.0
//
// The rules by which a circuit breaker changes its state (core/actor/supervision.md 180k). They are
// those of a breaker that belongs to an actor and of one that actors share: neither has a clock,
// a lock or a log in here.
#pragma once

#include <algorithm>
#include <optional>

#include <actord/duration_math.hpp>

namespace actord::detail {

enum class BreakerState : std::uint8_t { closed, open, half_open };

/// What becomes of a call: it goes through a closed breaker, it is the one that a half-open breaker
/// tries, or it fails at once.
enum class Admission : std::uint8_t { call, trial, refused };

/// See CircuitBreakerOptions, which says what each of them means and what it may be.
struct BreakerSettings {
  std::uint32_t max_failures = 5;
  std::chrono::nanoseconds call_timeout = std::chrono::seconds{10};
  std::chrono::nanoseconds reset_timeout = std::chrono::seconds{30};
  std::chrono::nanoseconds max_reset_timeout = std::chrono::hours{1};
  double exponential_backoff = 1.0;
  double random_factor = 0.0;

  bool operator==(const BreakerSettings&) const = default;
};

/// A `Moment` has the functions now(), the time of a monotonic clock, and random_unit(), a number
/// uniform in [0, 1). They are called only if they are needed. Threads: one at a time.
class BreakerRules {
 public:
  using Duration = std::chrono::nanoseconds;

  explicit BreakerRules(const BreakerSettings& settings)
      : settings_(settings), reset_timeout_(settings.reset_timeout) {}

  BreakerState state() const noexcept { return state_; }
  /// Failures in a row; the failures that opened it, if it is not closed.
  std::uint32_t failures() const noexcept { return failures_; }
  const BreakerSettings& settings() const noexcept { return settings_; }
  /// How long no call is let through at least; 0 if it is not open, or the time is over.
  Duration remaining(Duration now) const noexcept {
    return state_ == BreakerState::open ? std::max(open_until_ - now, Duration{0}) : Duration{0};
  }

  /// From now on it goes by other settings. An open breaker stays open for as long as it was to;
  /// when it opens next, that is for the new reset_timeout.
  void configure(const BreakerSettings& settings) {
    if (settings == settings_) return;
    settings_ = settings;
    reset_timeout_ = settings.reset_timeout;
  }

  /// What time alone changes. Returns whether the state has changed.
  template <class Moment>
  bool look(const Moment& moment) {
    if (state_ == BreakerState::closed) return false;
    if (state_ == BreakerState::half_open) {
      if (!trial_ends_ || moment.now() < *trial_ends_) return false;
      open(moment);
      return true;
    }
    if (moment.now() < open_until_) return false;
    state_ = BreakerState::half_open;
    trial_ends_.reset();
    return true;
  }

  /// What becomes of a call that begins now; after look().
  template <class Moment>
  Admission admit(const Moment& moment) {
    if (state_ != BreakerState::half_open) return current();
    if (trial_ends_) return Admission::refused;
    trial_ends_ = sum(moment.now(), settings_.call_timeout);
    return Admission::trial;
  }

  /// The end of a call. It has no effect if the call was let through in another state. Returns
  /// whether the state has changed.
  template <class Moment>
  bool settle(Admission admission, bool has_failed, const Moment& moment) {
    if (admission != current() || state_ == BreakerState::open) return false;
    if (has_failed) {
      if (state_ == BreakerState::closed && ++failures_ < settings_.max_failures) return false;
      open(moment);
      return true;
    }
    failures_ = 0;
    if (state_ == BreakerState::closed) return false;
    state_ = BreakerState::closed;
    reset_timeout_ = settings_.reset_timeout;
    return true;
  }

  /// What a call would be that has begun in the present state.
  Admission current() const noexcept {
    if (state_ == BreakerState::open) return Admission::refused;
    return state_ == BreakerState::closed ? Admission::call : Admission::trial;
  }

 private:
  template <class Moment>
  void open(const Moment& moment) {
    state_ = BreakerState::open;
    open_until_ = sum(moment.now(), reset_timeout_);
    const double random_part = 1.0 + moment.random_unit() * settings_.random_factor;
    const Duration next = scaled(reset_timeout_, settings_.exponential_backoff * random_part);
    if (next < settings_.max_reset_timeout) reset_timeout_ = next;
  }

  BreakerSettings settings_;
  BreakerState state_ = BreakerState::closed;
  std::uint32_t failures_ = 0;
  Duration reset_timeout_;              // of the next time that it opens
  Duration open_until_{};               // if it is open
  std::optional<Duration> trial_ends_;  // half-open: until when the tried call may take
};

}  // namespace actord::detail
