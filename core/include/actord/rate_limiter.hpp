// SPDX-License-Identifier: Apache-2.0
//
// A rate limiter: so many tokens come in each interval, and a burst may take what has been saved
// up. Included by those who use it.
//
//   actord::RateLimiter limiter_{{.tokens = 100, .per = 1s, .burst = 20}};
//   if (!limiter_.try_take(ctx)) ctx.start_timer("token", limiter_.wait(ctx), Tick{});
#pragma once

#include <actord/actor.hpp>

namespace actord {

/// The settings of a rate limiter. They may be a member of a Config.
struct RateLimiterOptions {
  std::uint32_t tokens = 10;
  std::chrono::nanoseconds per = std::chrono::seconds{1};
  std::optional<std::uint32_t> burst{};

  static std::vector<About> about() {
    using Self = RateLimiterOptions;
    return {actord::about(&Self::tokens).at_least(1).doc("Tokens that come in each interval."),
            actord::about(&Self::per)
                .between(std::chrono::nanoseconds{1}, std::chrono::hours{24})
                .doc("The interval."),
            actord::about(&Self::burst)
                .at_least(1)
                .doc("Most tokens that are saved up. If it is absent: the tokens of an interval.")};
  }
};
ACTORD_FIELDS(RateLimiterOptions, tokens, per, burst)

/// A rate limiter, a member of the actor whose work it limits, used in its turns only. It begins
/// with all tokens of a burst. It has no timer: tokens are counted when it is used.
class RateLimiter {
 public:
  using Duration = std::chrono::nanoseconds;

  /// Throws Error for options that are not allowed.
  explicit RateLimiter(const RateLimiterOptions& options = {})
      : burst_(options.burst.value_or(options.tokens)), interval_(interval_of(options)) {
    require(burst_ > 0, "burst must be at least 1");
  }

  /// Takes n tokens if there are so many, and none otherwise. Throws Error if there can never be.
  bool try_take(Context& ctx, std::uint32_t n = 1) {
    if (wait(ctx, n).count() > 0) return false;
    full_at_ = std::max(full_at_, ctx.now()) + interval_ * n;
    return true;
  }
  /// How long it takes until there are n tokens, if none is taken meanwhile; 0 if they are there.
  /// Throws Error if there can never be so many.
  Duration wait(Context& ctx, std::uint32_t n = 1) const {
    require(n <= burst_, "more tokens are wanted than a burst has");
    const Duration now = ctx.now();
    const Duration all_missing = interval_ * burst_;
    return std::max(Duration{0}, std::max(full_at_, now) - now + interval_ * n - all_missing);
  }
  /// The tokens that are there.
  std::uint32_t available(Context& ctx) const {
    const Duration now = ctx.now();
    const Duration missing = std::max(full_at_, now) - now;
    const auto n = (missing + interval_ - Duration{1}) / interval_;
    return burst_ - static_cast<std::uint32_t>(n);
  }

 private:
  static void require(bool holds, const char* otherwise) {
    if (!holds) throw Error(std::string{"rate limiter: "} + otherwise);
  }
  // The time from one token to the next, rounded up: never more tokens come than are allowed.
  static Duration interval_of(const RateLimiterOptions& options) {
    require(options.tokens > 0, "tokens must be at least 1");
    require(options.per.count() > 0, "per must be longer than 0");
    const std::int64_t tokens = options.tokens;
    const std::int64_t ns = (options.per.count() - 1) / tokens + 1;
    const std::int64_t burst = options.burst.value_or(options.tokens);
    require(ns <= longest.count() / std::max<std::int64_t>(burst, 1),
            "a burst takes more than 100 years to save up");
    return Duration{ns};
  }
  static constexpr Duration longest = std::chrono::hours{24 * 36'500};

  std::uint32_t burst_;
  Duration interval_;
  Duration full_at_ = Duration::min();  // when the burst is complete again
};

}  // namespace actord
