// SPDX-License-Identifier: Apache-2.0
//
// The back-off supervisors of Akka: an actor that forwards its messages to a child, and that starts
// a new child after a delay when the child has stopped. The delay grows up to a maximum
// (supervision.md 168-178).
//
// Not here: Strategy::backoff(), with which the child keeps its address, mailbox and watchers.
// Behind a back-off supervisor each new child is another actor, and the unread messages of the
// child before become dead letters.
#pragma once

#include <cmath>
#include <functional>

#include <actord/actor.hpp>
#include <actord/builtin_messages.hpp>
#include <actord/delay_math.hpp>

namespace actord {

/// The options of a back-off supervisor. Durations are longer than 0. random_factor is 0 to 1: the
/// largest random part of a delay, as a share of it. Each function throws Error for a value that is
/// not allowed, or that makes no sense with the options before it.
///
///   auto options = actord::BackoffOptions::on_stop(3s, 30s, 0.2)
///                      .max_restarts(10)
///                      .reply_while_down(Unavailable{});
///   ctx.spawn<actord::BackoffSupervisor<Fetcher>>("supervisor", options, "fetcher", config);
class BackoffOptions {
 public:
  using Duration = std::chrono::nanoseconds;
  /// on_stop: a new child after any stop. on_failure: only after a failure that would restart it.
  enum class Mode { on_stop, on_failure };

  /// A new child is started whenever the child has stopped, for any reason. A failure with the
  /// directive restart restarts the child at once: for a delay after failures, add stopping().
  static BackoffOptions on_stop(Duration min, Duration max, double random_factor = 0.2) {
    return {Mode::on_stop, min, max, random_factor};
  }
  /// A new child is started when the child has failed with the directive restart: the child is
  /// stopped, without restart hooks. If the child stops for any other reason, the supervisor stops.
  static BackoffOptions on_failure(Duration min, Duration max, double random_factor = 0.2) {
    return {Mode::on_failure, min, max, random_factor};
  }

  /// The count of delayed starts goes back to 0 this long after a delayed start, unless there was
  /// another one meanwhile. From min to max; the default is min.
  BackoffOptions auto_reset(Duration after) && {
    require(after >= min_ && after <= max_, "auto_reset must lie between min and max");
    reset_after_ = after;
    return std::move(*this);
  }
  /// The count goes back to 0 only when the supervisor gets a Reset.
  BackoffOptions manual_reset() && {
    reset_after_ = Duration{0};
    return std::move(*this);
  }
  /// After this many delayed starts since the last reset, the supervisor stops instead of starting
  /// the next one. Negative: unlimited. `within` has an effect with on_failure only: after that
  /// time a count of 1 goes back to 0. The limit is part of the strategy: a later strategy()
  /// replaces it.
  BackoffOptions max_restarts(std::int64_t limit, Duration within = Duration{-1}) && {
    require(within.count() != 0, "within must be longer than 0");
    strategy_.budget_ = {limit, within};
    return std::move(*this);
  }
  /// The strategy applied to the child. The default decider decides on causes that no rule names,
  /// unless the strategy has an otherwise() of its own. It must not have a backoff().
  BackoffOptions strategy(Strategy strategy) && {
    require(strategy.budget_.within.count() != 0, "within must be longer than 0");
    require(!strategy.has_backoff_,
            "a back-off supervisor delays restarts itself: its strategy must not have a backoff");
    strategy.has_otherwise_ = true;  // undecided, if nothing was said
    strategy_ = std::move(strategy);
    return std::move(*this);
  }
  /// Any exception stops the child, so that on_stop waits after failures, too. Keeps the limit.
  BackoffOptions stopping() && {
    strategy_ = actord::stopping(strategy_.budget_);
    return std::move(*this);
  }

  // ---- messages while there is no child; without one of these calls they are dead letters ----

  /// Each such message is answered with a copy of `message`.
  template <class M>
  BackoffOptions reply_while_down(M message) && {
    while_down_ = [message = std::move(message)](Context& ctx) { ctx.reply(message); };
    return std::move(*this);
  }
  /// Each such message is forwarded to `handler`, with its sender.
  BackoffOptions forward_while_down(Ref handler) && {
    require(static_cast<bool>(handler), "forward_while_down needs an actor");
    while_down_ = [handler](Context& ctx) { ctx.forward(handler); };
    return std::move(*this);
  }
  /// `handle` is called for each such message, in a call of the supervisor.
  BackoffOptions while_down(std::function<void(Context&)> handle) && {
    while_down_ = std::move(handle);
    return std::move(*this);
  }

  /// Makes M a final message, or only an M for which the predicate is true. After a final message
  /// the supervisor stops when the child stops next. If there is no child, the message becomes a
  /// dead letter, and the supervisor stops at once. Only with on_stop.
  template <class M>
  BackoffOptions final_stop(std::function<bool(const M&)> is_final = {}) && {
    return std::move(*this).final_stop_if([is_final = std::move(is_final)](Context& ctx) {
      const M* const message = ctx.message_as<M>();
      return message != nullptr && (!is_final || is_final(*message));
    });
  }
  /// The same, with a predicate for any message. Only with on_stop.
  BackoffOptions final_stop_if(std::function<bool(Context&)> is_final) && {
    require(mode_ == Mode::on_stop,
            "final_stop needs on_stop: with on_failure the supervisor stops when its child stops");
    is_final_ = std::move(is_final);
    return std::move(*this);
  }

  /// The mode.
  Mode mode() const noexcept { return mode_; }
  /// The first delay.
  Duration min() const noexcept { return min_; }
  /// The longest delay, without the random part.
  Duration max() const noexcept { return max_; }
  /// The largest random part of a delay, as a share of it.
  double random_factor() const noexcept { return random_factor_; }
  /// The time after which the count resets itself; 0 with manual_reset().
  Duration reset_after() const noexcept { return reset_after_; }
  /// The strategy applied to the child.
  const Strategy& strategy() const noexcept { return strategy_; }

 private:
  friend class BackoffActor;

  BackoffOptions(Mode mode, Duration min, Duration max, double random_factor)
      : mode_(mode), min_(min), max_(max), random_factor_(random_factor), reset_after_(min) {
    require(min.count() > 0, "min must be longer than 0");
    require(max >= min, "max is shorter than min");
    require(random_factor >= 0 && random_factor <= 1, "random_factor must lie between 0 and 1");
  }
  static void require(bool holds, const char* otherwise) {
    if (!holds) throw Error(std::string{"back-off: "} + otherwise);
  }

  Mode mode_;
  Duration min_, max_;
  double random_factor_;
  Duration reset_after_;
  Strategy strategy_ = one_for_one().with_default_decider();
  std::function<void(Context&)> while_down_;
  std::function<bool(Context&)> is_final_;
};

namespace detail {

/// The delay: min * 2^count, at most max, then longer by unit * random_factor of it, where `unit`
/// is uniform in [0, 1). A delay that overflows is max (supervision.md, section 0).
inline std::chrono::nanoseconds backoff_delay(const BackoffOptions& options, std::int64_t count,
                                              double unit) {
  const double most = static_cast<double>(options.max().count());
  const double grown = static_cast<double>(options.min().count()) *
                       std::exp2(static_cast<double>(std::min<std::int64_t>(count, 1024)));
  const double extra = unit * options.random_factor();
  const double delay = std::min(most, grown) * (1.0 + extra);
  const bool is_max = grown >= most && extra == 0.0;
  if (is_max || !(delay < static_cast<double>(std::numeric_limits<std::int64_t>::max()))) {
    return options.max();
  }
  return std::chrono::nanoseconds{static_cast<std::int64_t>(delay)};
}

}  // namespace detail

/// The base of all back-off supervisors; the class that derives from it creates the child. It
/// handles GetCurrentChild, GetRestartCount and Reset. It forwards other messages to the child with
/// their sender, and messages of the child to its own parent, with itself as the sender. What the
/// child asks is answered by that parent.
class BackoffActor : public Actor {
 public:
  /// The options are kept for the life of the instance.
  explicit BackoffActor(BackoffOptions options) : options_(std::move(options)) {}

  /// Starts the first child.
  void pre_start(Context& ctx) override { start_child(ctx); }

  /// With on_failure, replaces the directive restart by stop, and remembers to start a new child.
  Directive review(Context& ctx, const Failure& /*failure*/, Directive verdict) override {
    if (options_.mode_ == Mode::on_stop || verdict != Directive::restart) return verdict;
    const Budget budget = ctx.budget();
    if (is_over(budget)) {
      give_up(ctx, budget);
      return Directive::stop;
    }
    // A single failure within the window does not count after it (supervision.md 177).
    if (count_ == 0 && budget.within.count() > 0)
      ctx.start_timer("within", budget.within, detail::ResetRestartCount{1});
    is_awaiting_end_ = true;
    return Directive::stop;
  }

  /// The child has stopped: waits for the delay, or stops as well.
  void terminated(Context& ctx, const Terminated& notice) {
    if (!child_ || notice.who != child_) return;
    child_ = {};
    if (std::exchange(is_awaiting_end_, false)) return wait(ctx);
    if (options_.mode_ == Mode::on_failure || is_last_) return ctx.stop_self();
    const Budget budget = ctx.budget();
    if (is_over(budget)) return give_up(ctx, budget);
    wait(ctx);
  }
  /// The delay is over.
  void start_again(Context& ctx, const detail::StartChild& /*tick*/) {
    if (child_) return;
    start_child(ctx);
    if (options_.reset_after_.count() > 0)
      ctx.start_timer("reset", options_.reset_after_, detail::ResetRestartCount{count_});
  }
  /// The time of auto_reset(), or the window, is over.
  void reset_if_unchanged(const detail::ResetRestartCount& tick) {
    if (tick.count == count_) count_ = 0;
  }
  /// Unhandled unless manual_reset() was chosen.
  void reset(Context& ctx, const Reset& /*order*/) {
    if (options_.reset_after_.count() == 0) count_ = 0;
    else
      ctx.publish(Unhandled{ctx.self(), ctx.asker() ? ctx.asker() : ctx.sender(),
                            std::string{ctx.message_type()}});
  }
  /// Answers GetCurrentChild.
  CurrentChild get_current_child(const GetCurrentChild& /*question*/) { return {child_}; }
  /// Answers GetRestartCount.
  RestartCount get_restart_count(const GetRestartCount& /*question*/) { return {count_}; }

  /// Forwards all other messages.
  void pass_on(Context& ctx) {
    if (child_ && ctx.sender() == child_) return ctx.forward(ctx.parent(), ctx.self());
    if (child_ && ctx.asker() == child_) return ctx.forward(ctx.parent());
    const bool is_final = options_.is_final_ && options_.is_final_(ctx);
    if (child_) {
      is_last_ = is_last_ || is_final;
      return ctx.forward(child_);
    }
    if (is_final || !options_.while_down_) ctx.forward(last_child_);  // it has stopped
    else options_.while_down_(ctx);
    if (is_final) ctx.stop_self();
  }

  using Receive = Handlers<&BackoffActor::terminated, &BackoffActor::start_again,
                           &BackoffActor::reset_if_unchanged, &BackoffActor::reset,
                           &BackoffActor::get_current_child, &BackoffActor::get_restart_count,
                           &BackoffActor::pass_on>;

 protected:
  /// Creates the child. Throws if that is not possible.
  virtual Ref spawn_child(Context& ctx) = 0;

 private:
  using Mode = BackoffOptions::Mode;
  using Duration = BackoffOptions::Duration;

  void start_child(Context& ctx) {
    child_ = last_child_ = spawn_child(ctx);
    ctx.watch(child_);
  }
  bool is_over(const Budget& budget) const {
    return budget.max_restarts >= 0 && count_ >= budget.max_restarts;
  }
  void wait(Context& ctx) {
    const auto delay = detail::backoff_delay(options_, count_, detail::random_unit(ctx));
    ++count_;
    ctx.start_timer("start", delay, detail::StartChild{});
    log_wait(ctx, delay);
  }
  void give_up(Context& ctx, const Budget& budget) {
    log_limit(ctx, budget.max_restarts);
    ctx.stop_self();
  }

  // Both events are actord's own. The host writes them; one before ABI 1.5 lets plugins do so.
  void log_wait(Context& ctx, Duration delay) const {
    const actord_host& host = *ctx.c().host;
    if (ACTORD_HAS(actord_host, &host, log_supervision))
      return host.log_supervision(&ctx.c(), ACTORD_WAITS_FOR_RESTART, last_child_.value, count_,
                                  delay.count(), 0);
    ctx.event(Level::warning, "actor.backoff", "waits before it starts its child again",
              {{"child", last_child_}, {"restart.delay", delay}, {"restart.count", count_}});
  }
  void log_limit(Context& ctx, std::int64_t max_restarts) const {
    const actord_host& host = *ctx.c().host;
    if (ACTORD_HAS(actord_host, &host, log_supervision))
      return host.log_supervision(&ctx.c(), ACTORD_RESTART_LIMIT_REACHED, last_child_.value, count_,
                                  0, max_restarts);
    ctx.event(Level::error, "supervisor.limit",
              "the restart limit is reached: the back-off supervisor stops",
              {{"child", last_child_}, {"restart.count", count_}, {"restart.max", max_restarts}});
  }

  const BackoffOptions options_;
  Ref child_;                     // empty while the child is down
  Ref last_child_;                // the child, or the last one while it is down
  std::int64_t count_ = 0;        // delayed starts since the last reset
  bool is_awaiting_end_ = false;  // the child failed and is being stopped, to come back
  bool is_last_ = false;          // a final message came: stops when the child stops
};

/// The back-off supervisor of a child of class A:
///   ctx.spawn<BackoffSupervisor<A>>(name, options, name_of_the_child, args…);
/// The child is constructed as by ctx.spawn<A>(name_of_the_child, args…).
template <std::derived_from<Actor> A>
class BackoffSupervisor final : public BackoffActor {
 public:
  static constexpr std::string_view doc = "Starts its child again after growing delays.";

  /// Called by spawn().
  template <class... Args>
  BackoffSupervisor(Context& /*ctx*/, const BackoffOptions& options, std::string child_name,
                    const Args&... args)
      : BackoffActor(options), spawn_([child_name = std::move(child_name), args...](Context& ctx) {
          return ctx.spawn<A>(child_name, args...);
        }) {}

  /// The strategy of this instance; spawn() asks for it.
  template <class... Args>
  static const Strategy& strategy_of(const BackoffOptions& options, const Args&... /*rest*/) {
    return options.strategy();
  }

 protected:
  Ref spawn_child(Context& ctx) override { return spawn_(ctx); }

 private:
  std::function<Ref(Context&)> spawn_;
};

}  // namespace actord
