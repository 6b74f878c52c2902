// SPDX-License-Identifier: Apache-2.0
//
// A circuit breaker that all actors share which name it, and that the operator configures and sees
// (core/actor/supervision.md 182).
//
//   class Shop : public actord::Actor {
//     void price(actord::Context& ctx, const GetPrice& question) {
//       actord::ask_through<&Shop::breaker_, &Shop::on_price>(*this, ctx, store_, question, 2s);
//     }
//     void on_price(actord::Context& ctx, const actord::Reply<Price>& price);
//     actord::SharedCircuitBreaker breaker_{"store"};
//   };
//
// Its settings are those of the section actord.circuit-breaker.store of the configuration, and
// those of actord.circuit-breaker.default if there is no such section. Each change of it is a log
// event breaker.changed; `actorctl breakers` and the metrics tell what it does.
#pragma once

#include <actord/circuit_breaker.hpp>

namespace actord {

namespace detail {

/// Throws Error on a host before ABI 1.11.
inline const actord_host& since_1_11(const actord_host& host) {
  if (ACTORD_HAS(actord_host, &host, breaker_state)) [[likely]]
    return host;
  throw Error("this call needs an actord that offers ABI 1.11");
}

}  // namespace detail

/// One actor's use of a shared breaker: a member of the actor that makes the calls, used in its
/// turns only. It has the calls of CircuitBreaker, and its rules. The state is shared by all actors
/// of the daemon whose breaker has that name, also those in host processes, and outlives each of
/// them. Each function throws Error on a host before ABI 1.11.
///
/// A call that is tried, and whose actor ends before it does, has failed after call_timeout.
class SharedCircuitBreaker {
 public:
  using Duration = std::chrono::nanoseconds;
  using State = detail::BreakerState;

  /// `name` has letters, digits, `-`, `_` and `.`, at most 100 of them. Otherwise, or if there are
  /// 1 000 breakers already, its first use throws Error.
  explicit SharedCircuitBreaker(std::string name) : name_(std::move(name)) {}

  /// A failure of type E of a call of this actor counts as a success: the service has answered.
  template <class E>
  void tolerate() {
    tolerated_.add<E>();
  }

  /// The state now. An open breaker becomes half-open here when its time is over.
  State state(Context& ctx) { return static_cast<State>(look(ctx).state); }
  /// How long no call is let through at least; 0 if the breaker is not open.
  Duration remaining(Context& ctx) { return Duration{look(ctx).remaining_ns}; }
  /// Failures in a row; the failures that opened it, if it is not closed.
  std::uint32_t failures(Context& ctx) { return look(ctx).failures; }
  /// The name.
  const std::string& name() const noexcept { return name_; }

  /// See CircuitBreaker::call().
  template <class F, class IsFailure>
  std::invoke_result_t<F&> call(Context& ctx, F f, IsFailure is_failure) {
    return detail::BreakerCalls::call(*this, ctx, std::move(f), std::move(is_failure));
  }
  template <class F>
  std::invoke_result_t<F&> call(Context& ctx, F f) {
    return call(ctx, std::move(f), [](const auto&...) { return false; });
  }

  /// For calls of any other kind: if allows() is true, make the call, and report its end with
  /// succeeded() or failed(). The end that is reported next after a call that was tried is that
  /// call's. A slow call is to be reported as a failure. A tried call of which no end is reported
  /// within call_timeout has failed.
  bool allows(Context& ctx) {
    const Admission admission = admit(ctx);
    if (admission != Admission::refused) begun_ = admission;
    return admission != Admission::refused;
  }
  void succeeded(Context& ctx) { settle(ctx, std::exchange(begun_, Admission::call), false); }
  void failed(Context& ctx) { settle(ctx, std::exchange(begun_, Admission::call), true); }

 private:
  friend struct detail::BreakerCalls;
  using Admission = detail::Admission;

  // The breaker in actord, which is looked up once.
  std::uint64_t id(Context& ctx) {
    if (id_ == 0) {
      const actord_host& host = detail::since_1_11(*ctx.c().host);
      detail::HostErrors errors;
      id_ = host.breaker(&ctx.c(), detail::to_c(name_), &errors);
      if (id_ == 0) errors.raise("the use of a circuit breaker");
    }
    return id_;
  }
  actord_breaker look(Context& ctx) {
    actord_breaker now{};
    const std::uint64_t breaker = id(ctx);
    ctx.c().host->breaker_state(&ctx.c(), breaker, &now);
    return now;
  }
  Admission admit(Context& ctx) {
    const std::uint64_t breaker = id(ctx);
    std::int64_t timeout_ns = 0;
    const std::int32_t admission = ctx.c().host->admit_call(&ctx.c(), breaker, &timeout_ns);
    call_timeout_ = Duration{timeout_ns};
    return static_cast<Admission>(admission);
  }
  void settle(Context& ctx, Admission admission, bool has_failed) {
    const std::uint64_t breaker = id(ctx);
    ctx.c().host->settle_call(&ctx.c(), breaker, static_cast<std::int32_t>(admission),
                              has_failed ? 1 : 0);
  }
  detail::BreakerRefusal refusal(Context& ctx) {
    const actord_breaker now = look(ctx);
    return {name_, static_cast<State>(now.state), Duration{now.remaining_ns}};
  }
  // How long the call may take that was let through last.
  Duration call_timeout() const noexcept { return call_timeout_; }

  std::string name_;
  std::uint64_t id_ = 0;
  Duration call_timeout_{};
  Admission begun_ = Admission::call;  // of the call whose end is reported next
  detail::ToleratedFailures tolerated_;
};

}  // namespace actord
