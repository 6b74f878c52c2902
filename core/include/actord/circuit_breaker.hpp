// SPDX-License-Identifier: Apache-2.0
//
// A circuit breaker: after failures in a row it lets no call through for a while, so that a service
// that is down gets no calls, and its callers do not wait for it. Included by those who use it
// (core/actor/supervision.md 180k).
//
//   class Shop : public actord::Actor {
//     void price(actord::Context& ctx, const GetPrice& question) {
//       actord::ask_through<&Shop::breaker_, &Shop::on_price>(*this, ctx, store_, question, 2s);
//     }
//     void on_price(actord::Context& ctx, const actord::Reply<Price>& price);
//     actord::CircuitBreaker breaker_{"store"};
//   };
//
// Closed, it counts failures in a row; with max_failures of them it opens. Open, each call fails at
// once with CircuitBreakerOpen. After reset_timeout it is half-open: one call is tried. The success
// of that call closes the breaker, and its failure opens it for the next, longer time. A breaker
// has no timer: that it is half-open is found when it is used next.
#pragma once

#include <functional>
#include <optional>

#include <actord/actor.hpp>
#include <actord/breaker_rules.hpp>
#include <actord/config_findings.hpp>
#include <actord/delay_math.hpp>
#include <actord/pipe.hpp>

namespace actord {

/// The settings of a circuit breaker. They may be a member of a Config:
///   struct Config { actord::CircuitBreakerOptions breaker; };
struct CircuitBreakerOptions {
  std::uint32_t max_failures = detail::BreakerSettings{}.max_failures;
  std::chrono::nanoseconds call_timeout = detail::BreakerSettings{}.call_timeout;
  std::chrono::nanoseconds reset_timeout = detail::BreakerSettings{}.reset_timeout;
  std::chrono::nanoseconds max_reset_timeout = detail::BreakerSettings{}.max_reset_timeout;
  double exponential_backoff = detail::BreakerSettings{}.exponential_backoff;
  double random_factor = detail::BreakerSettings{}.random_factor;

  static std::vector<About> about() {
    using Self = CircuitBreakerOptions;
    constexpr std::chrono::nanoseconds shortest{1};
    return {actord::about(&Self::max_failures).at_least(1).doc("Failures in a row that open it."),
            actord::about(&Self::call_timeout)
                .at_least(shortest)
                .doc("A call that takes longer has failed."),
            actord::about(&Self::reset_timeout)
                .at_least(shortest)
                .doc("How long it lets no call through when it opens after a success."),
            actord::about(&Self::max_reset_timeout)
                .at_least(shortest)
                .doc("The reset timeout grows as long as it is shorter than this."),
            actord::about(&Self::exponential_backoff)
                .between(1.0, 1000.0)
                .doc("Factor by which the reset timeout grows each time a tried call fails."),
            actord::about(&Self::random_factor)
                .between(0.0, 1.0)
                .doc("Largest random part of that growth, as a share of it.")};
  }
  /// For validate() of a behaviour: config.breaker.check(findings.at(&Config::breaker)).
  void check(Findings findings) const {
    if (max_reset_timeout < reset_timeout)
      findings.reject(&CircuitBreakerOptions::max_reset_timeout,
                      "must not be shorter than reset-timeout");
  }
};
ACTORD_FIELDS(CircuitBreakerOptions, max_failures, call_timeout, reset_timeout, max_reset_timeout,
              exponential_backoff, random_factor)

namespace detail {
inline BreakerSettings breaker_settings(const CircuitBreakerOptions& options) {
  return {options.max_failures,      options.call_timeout,        options.reset_timeout,
          options.max_reset_timeout, options.exponential_backoff, options.random_factor};
}
}  // namespace detail

/// A circuit breaker lets no call through. The detail `remaining` is how long this lasts at least;
/// 0 while another call is tried.
class CircuitBreakerOpen : public detail::FailureRoot {
 public:
  using FailureRoot::FailureRoot;
};

namespace detail {

struct BreakerCalls;

/// The types of failures that count as successes.
class ToleratedFailures {
 public:
  template <class E>
  void add() {
    types_.push_back(type_name<E>());
  }
  bool contains(const Failure& failure) const {
    for (const std::string_view type : types_) {
      if (failure.is(type)) return true;
    }
    return false;
  }
  /// In a catch block. What is no C++ exception, such as the end of the thread, is not looked at.
  bool contains_current_exception() const {
    struct Look : actord_errors {
      explicit Look(const ToleratedFailures& all) : actord_errors{&take}, tolerated(all) {}
      static void take(actord_errors* self, const actord_failure* failure) {
        auto& look = *static_cast<Look*>(self);
        look.is_tolerated = look.tolerated.contains(Failure{*failure});
      }
      const ToleratedFailures& tolerated;
      bool is_tolerated = false;
    } look{*this};
    if (!types_.empty() && std::current_exception() != nullptr)
      flatten_caught(&look, nullptr, [] { throw; });
    return look.is_tolerated;
  }

 private:
  std::vector<std::string_view> types_;  // printed names
};

/// Why a call is refused, and how long this lasts at least.
struct BreakerRefusal {
  std::chrono::nanoseconds remaining;
  std::string what;

  BreakerRefusal(std::string_view breaker, BreakerState state, std::chrono::nanoseconds remaining_)
      : remaining(remaining_), what("circuit breaker \"") {
    what.append(breaker).append("\": ").append(
        state == BreakerState::half_open ? "waits for the call that it tries" : "is open");
  }
};

}  // namespace detail

/// A circuit breaker, a member of the actor that makes the calls, used in its turns only. A restart
/// of the actor makes a new one. Calls that are asks go through ask_through() and pipe_through().
///
/// The end of a call that a closed breaker let through changes nothing once the breaker is open or
/// half-open.
class CircuitBreaker {
 public:
  using Duration = std::chrono::nanoseconds;
  using Observer = std::function<void(Context&)>;
  using State = detail::BreakerState;

  /// `name` stands in log events and failures. Throws Error for options that are not allowed.
  explicit CircuitBreaker(std::string name, const CircuitBreakerOptions& options = {})
      : name_(std::move(name)), rules_(detail::breaker_settings(options)) {
    require(options.max_failures > 0, "max_failures must be at least 1");
    require(options.call_timeout.count() > 0, "call_timeout must be longer than 0");
    require(options.reset_timeout.count() > 0, "reset_timeout must be longer than 0");
    require(options.max_reset_timeout >= options.reset_timeout,
            "max_reset_timeout is shorter than reset_timeout");
    require(options.exponential_backoff >= 1.0, "exponential_backoff must be at least 1");
    require(options.random_factor >= 0.0 && options.random_factor <= 1.0,
            "random_factor must lie between 0 and 1");
  }

  /// `observe` is called when the breaker has opened, is half-open, or has closed.
  void on_open(Observer observe) { on_open_ = std::move(observe); }
  void on_half_open(Observer observe) { on_half_open_ = std::move(observe); }
  void on_close(Observer observe) { on_close_ = std::move(observe); }
  /// A failure of type E counts as a success: the service has answered, as with a "no such entry".
  template <class E>
  void tolerate() {
    tolerated_.add<E>();
  }

  /// The state now. An open breaker becomes half-open here when its time is over.
  State state(Context& ctx) {
    look(ctx);
    return rules_.state();
  }
  /// How long no call is let through at least; 0 if the breaker is not open.
  Duration remaining(Context& ctx) {
    return state(ctx) == State::open ? rules_.remaining(ctx.now()) : Duration{0};
  }
  /// Failures in a row; the failures that opened it, if it is not closed.
  std::uint32_t failures() const noexcept { return rules_.failures(); }
  /// The name.
  const std::string& name() const noexcept { return name_; }

  /// Calls `f`, and returns what it returns. If the breaker lets no call through, throws
  /// CircuitBreakerOpen instead. An exception of `f`, ctx.fail() in it, and a call that takes
  /// longer than call_timeout are failures. So is a result for which `is_failure` is true or
  /// throws.
  template <class F, class IsFailure>
  std::invoke_result_t<F&> call(Context& ctx, F f, IsFailure is_failure);
  template <class F>
  std::invoke_result_t<F&> call(Context& ctx, F f) {
    return call(ctx, std::move(f), [](const auto&...) { return false; });
  }

  /// For calls of any other kind: if allows() is true, make the call, and report its end with
  /// succeeded() or failed(). A slow call is to be reported as a failure. A tried call of which no
  /// end is reported within call_timeout has failed.
  bool allows(Context& ctx) { return admit(ctx) != detail::Admission::refused; }
  /// Closes a half-open breaker; sets the count of a closed one to 0. Nothing if it is open.
  void succeeded(Context& ctx) {
    look(ctx);
    settle(ctx, rules_.current(), false);
  }
  /// Opens a half-open breaker; counts in a closed one, and may open it. Nothing if it is open.
  void failed(Context& ctx) {
    look(ctx);
    settle(ctx, rules_.current(), true);
  }

 private:
  friend struct detail::BreakerCalls;
  using Admission = detail::Admission;

  void require(bool holds, const char* otherwise) const {
    if (!holds) throw Error("circuit breaker \"" + name_ + "\": " + otherwise);
  }

  // What the rules ask for.
  struct Moment {
    Context& ctx;
    Duration now() const { return ctx.now(); }
    double random_unit() const { return detail::random_unit(ctx); }
  };

  // What time alone changes.
  void look(Context& ctx) {
    if (rules_.look(Moment{ctx})) changed(ctx);
  }
  Admission admit(Context& ctx) {
    look(ctx);
    return rules_.admit(Moment{ctx});
  }
  void settle(Context& ctx, Admission admission, bool has_failed) {
    if (rules_.settle(admission, has_failed, Moment{ctx})) changed(ctx);
  }

  void changed(Context& ctx) {
    log_state(ctx);
    const State now = rules_.state();
    const Observer& observe = now == State::open        ? on_open_
                              : now == State::half_open ? on_half_open_
                                                        : on_close_;
    if (observe) observe(ctx);
  }

  void log_state(Context& ctx) const {
    constexpr std::string_view states[] = {"closed", "open", "half-open"};
    constexpr std::string_view texts[] = {"the circuit breaker is closed again",
                                          "the circuit breaker is open: calls fail at once",
                                          "the circuit breaker is half-open: tries one call"};
    const auto i = static_cast<std::size_t>(rules_.state());
    const bool is_open = rules_.state() == State::open;
    ctx.event(is_open ? Level::warning : Level::info, "circuit-breaker.changed", texts[i],
              {{"breaker.name", std::string_view{name_}},
               {"breaker.state", states[i]},
               {"breaker.failures", rules_.failures()},
               {"breaker.remaining", is_open ? rules_.remaining(ctx.now()) : Duration{0}}});
  }

  detail::BreakerRefusal refusal(Context& ctx) {
    // As it is: what time changes is found by the next call, whose observers may throw.
    return {name_, rules_.state(), rules_.remaining(ctx.now())};
  }
  // How long a call may take that is let through now.
  Duration call_timeout() const noexcept { return rules_.settings().call_timeout; }

  std::string name_;
  detail::BreakerRules rules_;
  detail::ToleratedFailures tolerated_;
  Observer on_open_, on_half_open_, on_close_;
};

namespace detail {

/// The calls through a breaker, of either kind. What is known of an ask when its answer comes is
/// part of the type of the function that takes the answer.
struct BreakerCalls {
  template <class Breaker, class F, class IsFailure>
  static std::invoke_result_t<F&> call(Breaker& own, Context& ctx, F f, IsFailure is_failure) {
    using Result = std::invoke_result_t<F&>;
    static_assert(!std::is_reference_v<Result>, "the function returns a value or nothing");
    const Admission admission = own.admit(ctx);
    if (admission == Admission::refused) {
      const BreakerRefusal refusal = own.refusal(ctx);
      throw CircuitBreakerOpen(refusal.what, {{"remaining", refusal.remaining}});
    }

    const std::chrono::nanoseconds began = ctx.now(), call_timeout = own.call_timeout();
    const bool had_failed = ctx.has_failed();
    const auto judged = [&](const auto&... result) {
      return ctx.now() - began > call_timeout || ctx.has_failed() != had_failed ||
             is_failure(result...);
    };
    std::conditional_t<std::is_void_v<Result>, std::optional<bool>, std::optional<Result>> result;
    bool has_failed = true;
    try {
      if constexpr (std::is_void_v<Result>) {
        f();
        has_failed = judged();
      } else {
        has_failed = judged(result.emplace(f()));
      }
    } catch (...) {
      own.settle(ctx, admission, !own.tolerated_.contains_current_exception());
      throw;
    }
    own.settle(ctx, admission, has_failed);
    if constexpr (!std::is_void_v<Result>) return std::move(*result);
  }

  template <class A, auto breaker, auto OnReply, auto is_failure, Admission admission>
  static actord_status on_reply(void* self, actord_context* c, const void* message,
                                const actord_failure* failure, actord_errors* errors) {
    using Answer = typename ReplyFormOf<OnReply>::Message;
    const actord_status status = run(c, errors, [&](Context& ctx) {
      with_reply<Answer>(c, message, failure, [&](const Reply<Answer>& reply) {
        auto& own = as<A>(self).*breaker;
        bool has_failed = false;
        if constexpr (std::is_null_pointer_v<decltype(is_failure)>) {
          has_failed = !reply && !own.tolerated_.contains(reply.failure());
        } else {
          try {
            has_failed = is_failure(reply);
          } catch (...) {  // the call has ended all the same, with what cannot be judged
            own.settle(ctx, admission, true);
            throw;
          }
        }
        own.settle(ctx, admission, has_failed);
      });
    });
    // The answer comes also if what judges it has failed, or an observer of the breaker.
    const actord_status handled = handle_reply<OnReply>(self, c, message, failure, errors);
    return status != ACTORD_OK ? status : handled;
  }

  template <class A, auto breaker, auto OnReply>
  static actord_status on_refusal(void* self, actord_context* c, const void* /*message*/,
                                  const actord_failure* /*failure*/, actord_errors* errors) {
    actord_status status = ACTORD_OK;
    const actord_status own_status = run(c, errors, [&](Context& ctx) {
      const BreakerRefusal why = (as<A>(self).*breaker).refusal(ctx);
      const Field remaining{"remaining", why.remaining};
      actord_failure refusal = plain_failure(chain_of(typeid(CircuitBreakerOpen)), why.what);
      refusal.details = &remaining;
      refusal.n_details = 1;
      status = handle_reply<OnReply>(self, c, nullptr, &refusal, errors);
    });
    return own_status != ACTORD_OK ? own_status : status;
  }

  /// Calls `send` with a timeout and the function that takes the answer, or refuses the call.
  template <auto breaker, auto OnReply, auto is_failure, class A, class Send>
  static void begin(A& self, Context& ctx, std::chrono::nanoseconds timeout, Send send) {
    check_ask(timeout);
    auto& own = self.*breaker;
    const Admission admission = own.admit(ctx);
    const auto allowed = std::min(timeout, own.call_timeout());
    switch (admission) {
      case Admission::call:
        return send(allowed, &on_reply<A, breaker, OnReply, is_failure, Admission::call>);
      case Admission::trial:
        return send(allowed, &on_reply<A, breaker, OnReply, is_failure, Admission::trial>);
      case Admission::refused: break;
    }
    // The answer to an ask comes after the current handler, and so does the refusal. Every actor
    // answers an Identify, whatever its state, and nothing of it is logged.
    ask(ctx, ctx.self(), Identify{}, allowed, &on_refusal<A, breaker, OnReply>);
  }

  template <class M>
  static void ask(Context& ctx, Ref to, M message, std::chrono::nanoseconds timeout,
                  actord_reply_handler handler) {
    ctx.c().host->ask(&ctx.c(), to.value, listed_type_id<M>(), &message, timeout.count(), handler);
  }
};

}  // namespace detail

template <class F, class IsFailure>
std::invoke_result_t<F&> CircuitBreaker::call(Context& ctx, F f, IsFailure is_failure) {
  return detail::BreakerCalls::call(*this, ctx, std::move(f), std::move(is_failure));
}

/// Asks as Context::ask() does, if the breaker of this actor lets the call through. Otherwise the
/// answer is a failure CircuitBreakerOpen, which comes as any answer does. The timeout is
/// call_timeout if that is shorter. Each failure of the answer that is not tolerated is a failure
/// of the call:
///   actord::ask_through<&Shop::breaker_, &Shop::on_price>(*this, ctx, store_, GetPrice{sku}, 2s);
///
/// With `is_failure` that function decides, and no other rule does:
///   [](const actord::Reply<Price>& price) { return !price || price->cents < 0; }
template <auto breaker, auto OnReply, auto is_failure = nullptr, class A, class M>
void ask_through(A& self, Context& ctx, Ref to, M message, Context::Duration timeout) {
  detail::check_answer<typename detail::ReplyFormOf<OnReply>::Message>();
  static_cast<void>(detail::listed_type_id<M>());  // throws before the breaker counts a call
  detail::BreakerCalls::begin<breaker, OnReply, is_failure>(
      self, ctx, timeout, [&](Context::Duration allowed, actord_reply_handler handler) {
        detail::BreakerCalls::ask(ctx, to, std::move(message), allowed, handler);
      });
}

/// Runs work that may block as Context::pipe() does, if the breaker lets it through; see
/// ask_through().
template <auto breaker, auto OnReply, auto is_failure = nullptr, class A, class Work>
void pipe_through(A& self, Context& ctx, Work work, Context::Duration timeout) {
  using Answer = typename detail::ReplyFormOf<OnReply>::Message;
  static_assert(std::is_same_v<std::invoke_result_t<Work&>, Answer>,
                "the work returns the message that the handler takes a Reply of");
  detail::check_answer<Answer>();
  detail::BreakerCalls::begin<breaker, OnReply, is_failure>(
      self, ctx, timeout, [&](Context::Duration allowed, actord_reply_handler handler) {
        const Ref worker =
            ctx.spawn_on<detail::PipeWorker<Work>>({}, "blocking-io", std::move(work), allowed);
        detail::BreakerCalls::ask(ctx, worker, detail::Perform{}, allowed, handler);
      });
}

}  // namespace actord
