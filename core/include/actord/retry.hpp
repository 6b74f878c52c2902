// SPDX-License-Identifier: Apache-2.0
//
// Asks, and work that blocks, that are repeated after failures. Included by those who use it.
//
//   actord::retry_ask<&Shop::on_price>(ctx, store_, GetPrice{sku}, 2s, {.attempts = 4});
//   void on_price(actord::Context&, const actord::Reply<Price>&);  // the last failure, if all fail
#pragma once

#include <cmath>

#include <actord/actor.hpp>
#include <actord/delay_math.hpp>
#include <actord/pipe.hpp>

namespace actord {

/// How often, and after which delays, something is tried. It may be a member of a Config. The n-th
/// delay is delay * exponential_backoff^(n - 1), at most max_delay, then longer by a random part.
struct RetryOptions {
  std::uint32_t attempts = 3;
  std::chrono::nanoseconds delay = std::chrono::milliseconds{100};
  std::chrono::nanoseconds max_delay = std::chrono::seconds{10};
  double exponential_backoff = 2.0;
  double random_factor = 0.2;

  static std::vector<About> about() {
    using Self = RetryOptions;
    constexpr std::chrono::nanoseconds none{0};
    return {actord::about(&Self::attempts).at_least(1).doc("How often it is tried at most."),
            actord::about(&Self::delay).at_least(none).doc("Delay after the first failure."),
            actord::about(&Self::max_delay)
                .at_least(none)
                .doc("Longest delay, without the random part."),
            actord::about(&Self::exponential_backoff)
                .between(1.0, 1000.0)
                .doc("Factor from each delay to the next; 1 keeps the delay as it is."),
            actord::about(&Self::random_factor)
                .between(0.0, 1.0)
                .doc("Largest random part of a delay, as a share of it.")};
  }
  /// For validate() of a behaviour: config.retry.check(findings.at(&Config::retry)).
  void check(Findings findings) const {
    if (max_delay < delay)
      findings.reject(&RetryOptions::max_delay, "must not be shorter than delay");
  }
};
ACTORD_FIELDS(RetryOptions, attempts, delay, max_delay, exponential_backoff, random_factor)

namespace detail {

/// The delay after so many failures, at least 1. `unit` is uniform in [0, 1).
inline std::chrono::nanoseconds retry_delay(const RetryOptions& options, std::uint32_t failures,
                                            double unit) {
  const double factor = std::pow(options.exponential_backoff, failures - 1);
  const auto grown = std::min(scaled(options.delay, factor), options.max_delay);
  return scaled(grown, 1.0 + unit * options.random_factor);
}

/// More than all attempts and delays take together. After this time no actor waits for the answer.
inline std::chrono::nanoseconds retry_time_max(const RetryOptions& options,
                                               std::chrono::nanoseconds timeout) {
  const auto delay_max = scaled(options.max_delay, 1.0 + options.random_factor);
  const double attempts = options.attempts;
  return sum(scaled(timeout, attempts + 1.0), scaled(delay_max, attempts));
}

inline void check_retry(const RetryOptions& options, std::chrono::nanoseconds timeout) {
  check_ask(timeout);
  const auto require = [](bool holds, const char* otherwise) {
    if (!holds) throw Error(std::string{"retry: "} + otherwise);
  };
  require(options.attempts > 0, "attempts must be at least 1");
  require(options.delay.count() >= 0, "delay must not be negative");
  require(options.max_delay >= options.delay, "max_delay is shorter than delay");
  require(options.exponential_backoff >= 1.0, "exponential_backoff must be at least 1");
  require(options.random_factor >= 0.0 && options.random_factor <= 1.0,
          "random_factor must lie between 0 and 1");
}

/// One attempt that is an ask.
template <class M>
struct AskAttempt {
  template <auto OnReply>
  void begin(Context& ctx) const {
    ctx.ask<OnReply>(to, M{message}, timeout);
  }
  Ref to;
  M message;
  std::chrono::nanoseconds timeout;
};

/// One attempt that is work of Context::pipe().
template <class Work>
struct PipeAttempt {
  template <auto OnReply>
  void begin(Context& ctx) const {
    ctx.pipe<OnReply>(Work{work}, timeout);
  }
  Work work;
  std::chrono::nanoseconds timeout;
};

struct AlwaysAgain {
  bool operator()(const Failure& /*failure*/) const { return true; }
};

/// The actor that makes the attempts: a helper of the actor that wants the answer, so that a
/// restart of that actor stops it. It has that actor's ask to answer, and stops when it has done
/// so.
template <class Answer, class Attempt, class IsWorthwhile>
class RetryWorker : public Actor {
 public:
  static constexpr std::string_view name = "RetryWorker";
  RetryWorker(const Attempt& attempt, const RetryOptions& options, const IsWorthwhile& again,
              std::chrono::nanoseconds time_max)
      : attempt_(attempt), options_(options), is_worthwhile_(again), time_max_(time_max) {}

  /// If no order comes, because the plugin has as many asks as it may, no actor waits for the
  /// answer.
  void pre_start(Context& ctx) override { ctx.receive_timeout(time_max_); }
  void give_up(Context& ctx, const ReceiveTimeout& /*silence*/) { ctx.stop_self(); }

  /// The first order is the ask; later ones come from the timer.
  void perform(Context& ctx, const Perform& /*order*/) {
    if (!asked_) asked_ = ctx.sender();
    FailureOfAttempt errors(*this, ctx);
    const actord_status status =
        guarded(&errors, [&] { attempt_.template begin<&RetryWorker::on_reply>(ctx); });
    if (status != ACTORD_OK) ctx.stop_self();
  }
  void on_reply(Context& ctx, const Reply<Answer>& reply) {
    if (reply) {
      ctx.tell(asked_, Answer{*reply});
      return ctx.stop_self();
    }
    const Failure failure = reply.failure();
    bool is_again = false;
    FailureOfAttempt errors(*this, ctx);
    const actord_status judged = guarded(
        &errors, [&] { is_again = ++failures_ < options_.attempts && is_worthwhile_(failure); });
    if (!is_again) {
      if (judged == ACTORD_OK) fail(ctx.c(), failure.c());
      return ctx.stop_self();
    }
    ctx.start_timer("retry", retry_delay(options_, failures_, random_unit(ctx)), Perform{});
  }

  using Receive = Handlers<&RetryWorker::perform, &RetryWorker::give_up>;

 private:
  // What an attempt throws, such as LimitReached, is the answer: no later attempt can mend it. So
  // is what the author's predicate throws.
  struct FailureOfAttempt : actord_errors {
    FailureOfAttempt(RetryWorker& w, Context& ctx) : actord_errors{&take}, worker(w), c(ctx.c()) {}
    static void take(actord_errors* self, const actord_failure* failure) {
      auto& me = *static_cast<FailureOfAttempt*>(self);
      me.worker.fail(me.c, *failure);
    }
    RetryWorker& worker;
    actord_context& c;
  };

  void fail(actord_context& c, const actord_failure& failure) const {
    since_1_5(*c.host).fail_ask(&c, asked_.value, &failure);
  }

  const Attempt attempt_;
  const RetryOptions options_;
  const IsWorthwhile is_worthwhile_;
  const std::chrono::nanoseconds time_max_;
  Ref asked_;  // takes the answer; empty before the first attempt
  std::uint32_t failures_ = 0;
};

template <auto OnReply, class Attempt, class IsWorthwhile>
void retry(Context& ctx, Attempt attempt, std::chrono::nanoseconds timeout,
           const RetryOptions& options, IsWorthwhile is_worthwhile) {
  using Answer = typename ReplyFormOf<OnReply>::Message;
  check_retry(options, timeout);
  check_answer<Answer>();
  static_cast<void>(since_1_5(*ctx.c().host));
  const auto time_max = retry_time_max(options, timeout);
  const Ref worker = ctx.spawn_helper<RetryWorker<Answer, Attempt, IsWorthwhile>>(
      {}, std::move(attempt), options, std::move(is_worthwhile), time_max);
  ctx.ask<OnReply>(worker, Perform{}, time_max);
}

}  // namespace detail

/// Asks as Context::ask() does, and asks again after a failure of the answer, options.attempts
/// times at most. `timeout` is that of each attempt. The first message that comes is the answer; if
/// none comes, the answer is the last failure. After a failure for which `is_worthwhile` is false
/// it does not ask again:
///   [](const actord::Failure& failure) { return !failure.is<SoldOut>(); }
///
/// A helper of this actor asks, so that the asker() of the question is that helper. A restart of
/// this actor ends it, as it ends an ask. Exactly one answer comes, unless this incarnation ends
/// before it. Throws Error for options that are not allowed, as spawn() and ask() do, and on a host
/// before ABI 1.5.
template <auto OnReply, class M, class IsWorthwhile = detail::AlwaysAgain>
void retry_ask(Context& ctx, Ref to, M message, std::chrono::nanoseconds timeout,
               const RetryOptions& options = {}, IsWorthwhile is_worthwhile = {}) {
  static_cast<void>(detail::listed_type_id<M>());  // throws here, and not in the child
  detail::retry<OnReply>(ctx, detail::AskAttempt<M>{to, std::move(message), timeout}, timeout,
                         options, std::move(is_worthwhile));
}

/// Runs work that may block as Context::pipe() does, and runs it again after a failure; see
/// retry_ask(). Each attempt runs a copy of `work`.
template <auto OnReply, class Work, class IsWorthwhile = detail::AlwaysAgain>
void retry_pipe(Context& ctx, Work work, std::chrono::nanoseconds timeout,
                const RetryOptions& options = {}, IsWorthwhile is_worthwhile = {}) {
  detail::retry<OnReply>(ctx, detail::PipeAttempt<Work>{std::move(work), timeout}, timeout, options,
                         std::move(is_worthwhile));
}

}  // namespace actord
