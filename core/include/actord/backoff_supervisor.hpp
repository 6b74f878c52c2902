// SPDX-License-Identifier: Apache-2.0
//
// The classic back-off supervisors: an actor in front of a child, which it starts anew after a
// delay that grows with each time, and to which it passes on what it is sent.
//
// Not here: the back-off in the cell (Strategy::backoff), which keeps the child's address, mail and
// watchers. This one is for those who want Akka's: a child that went down is another actor when it
// comes back, and what it had not handled is lost to dead letters.
#pragma once

#include <cmath>
#include <functional>

#include <actord/actor.hpp>
#include <actord/builtin_messages.hpp>

namespace actord {

/// How a back-off supervisor treats its child. Combinations that make no sense throw Error where
/// they are written. Durations are positive; random_factor is 0 to 1, and lengthens a delay by up
/// to that share of it.
///
///   auto options = actord::BackoffOptions::on_stop(3s, 30s, 0.2)
///                      .max_restarts(10)
///                      .reply_while_down(Unavailable{});
///   ctx.spawn<actord::BackoffSupervisor<Fetcher>>("supervisor", options, "fetcher", config);
class BackoffOptions {
 public:
  using Duration = std::chrono::nanoseconds;
  enum class Mode { on_stop, on_failure };

  /// The child comes back whenever it has stopped, for whatever reason. A failure that the strategy
  /// restarts is restarted at once, as always: to wait after failures too, use stopping().
  static BackoffOptions on_stop(Duration min, Duration max, double random_factor = 0.2) {
    return {Mode::on_stop, min, max, random_factor};
  }
  /// The child comes back when it has failed and the strategy says restart: it is stopped, without
  /// restart hooks, and started after the delay. Whenever it stops otherwise, so does the
  /// supervisor.
  static BackoffOptions on_failure(Duration min, Duration max, double random_factor = 0.2) {
    return {Mode::on_failure, min, max, random_factor};
  }

  /// The count goes back to 0 this long after a delayed start, if there was none since; min to max.
  /// Without it as long as min.
  BackoffOptions auto_reset(Duration after) && {
    require(after >= min_ && after <= max_, "auto_reset must lie between min and max");
    reset_after_ = after;
    return std::move(*this);
  }
  /// The count goes back to 0 when the supervisor is sent a Reset.
  BackoffOptions manual_reset() && {
    reset_after_ = Duration{0};
    return std::move(*this);
  }
  /// So many delayed starts since the last reset, and then the supervisor stops; negative:
  /// unlimited. With a window, which on_failure alone looks at, the count of a single failure is
  /// forgotten after it. Part of the strategy: strategy() discards it.
  BackoffOptions max_restarts(std::int64_t limit, Duration within = Duration{-1}) && {
    require(within.count() != 0, "within must be longer than 0");
    strategy_.budget_ = {limit, within};
    return std::move(*this);
  }
  /// How the child's failures are judged. What no rule names is judged as by default, unless the
  /// strategy has an otherwise() of its own.
  BackoffOptions strategy(Strategy strategy) && {
    require(strategy.budget_.within.count() != 0, "within must be longer than 0");
    require(!strategy.backoff_, "a back-off supervisor waits itself: its strategy has no backoff");
    if (!strategy.otherwise_) strategy.otherwise_ = Directive::undecided;
    strategy_ = std::move(strategy);
    return std::move(*this);
  }
  /// Any exception stops the child, so that on_stop waits after failures too. Keeps the limit.
  BackoffOptions stopping() && {
    strategy_ = actord::stopping(strategy_.budget_);
    return std::move(*this);
  }

  // ---- messages that come while there is no child; without one of these they are dead letters
  // ----

  template <Message M>
  BackoffOptions reply_while_down(M message) && {
    while_down_ = [message = std::move(message)](Context& ctx) { ctx.reply(message); };
    return std::move(*this);
  }
  /// With their senders.
  BackoffOptions forward_while_down(Ref handler) && {
    require(static_cast<bool>(handler), "forward_while_down needs somebody");
    while_down_ = [handler](Context& ctx) { ctx.forward(handler); };
    return std::move(*this);
  }
  /// Whatever else; called for each on the supervisor's thread.
  BackoffOptions while_down(std::function<void(Context&)> handle) && {
    while_down_ = std::move(handle);
    return std::move(*this);
  }

  /// After an M that the predicate, if there is one, is true of, the child's next stop is also the
  /// supervisor's; while the child is down the message becomes a dead letter and the supervisor
  /// stops at once. Only with on_stop.
  template <Message M>
  BackoffOptions final_stop(std::function<bool(const M&)> is_final = {}) && {
    return std::move(*this).final_stop_if([is_final = std::move(is_final)](Context& ctx) {
      const M* const message = ctx.message_as<M>();
      return message != nullptr && (!is_final || is_final(*message));
    });
  }
  BackoffOptions final_stop_if(std::function<bool(Context&)> is_final) && {
    require(mode_ == Mode::on_stop, "final_stop is for on_stop: on_failure ends with its child");
    is_final_ = std::move(is_final);
    return std::move(*this);
  }

  Mode mode() const noexcept { return mode_; }
  Duration min() const noexcept { return min_; }
  Duration max() const noexcept { return max_; }
  double random_factor() const noexcept { return random_factor_; }
  /// 0: reset by hand.
  Duration reset_after() const noexcept { return reset_after_; }
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

/// min * 2^count, at most max, then longer by up to the random factor; `unit` is uniform in [0, 1).
/// What overflows is max.
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

/// What both supervisors do; where the child comes from is for the class below. Understands
/// GetCurrentChild, GetRestartCount and Reset; what else it is sent goes to the child with its
/// sender, and what the child sends it to its own parent, in its own name.
class BackoffActor : public Actor {
 public:
  explicit BackoffActor(BackoffOptions options) : options_(std::move(options)) {}

  void pre_start(Context& ctx) override { start_child(ctx); }

  /// With on_failure a restart becomes a stop now and a start later.
  Directive review(Context& ctx, const Failure& /*failure*/, Directive verdict) override {
    if (options_.mode_ == Mode::on_stop || verdict != Directive::restart) return verdict;
    const Budget budget = ctx.budget();
    if (is_over(budget)) {
      give_up(ctx, budget);
      return Directive::stop;
    }
    // supervision.md 177: forgets a failure that stays alone within the window.
    if (count_ == 0 && budget.within.count() > 0)
      ctx.start_timer("within", budget.within, detail::ResetRestartCount{1});
    is_awaiting_end_ = true;
    return Directive::stop;
  }

  void terminated(Context& ctx, const Terminated& notice) {
    if (!child_ || notice.who != child_) return;
    child_ = {};
    if (std::exchange(is_awaiting_end_, false)) return wait(ctx);
    if (options_.mode_ == Mode::on_failure || is_last_) return ctx.stop_self();
    const Budget budget = ctx.budget();
    if (is_over(budget)) return give_up(ctx, budget);
    wait(ctx);
  }
  void start_again(Context& ctx, const detail::StartChild& /*tick*/) {
    if (child_) return;
    start_child(ctx);
    if (options_.reset_after_.count() > 0)
      ctx.start_timer("reset", options_.reset_after_, detail::ResetRestartCount{count_});
  }
  void reset_if_unchanged(const detail::ResetRestartCount& tick) {
    if (tick.count == count_) count_ = 0;
  }
  void reset(Context& ctx, const Reset& /*order*/) {
    if (options_.reset_after_.count() == 0) count_ = 0;
    else ctx.publish(Unhandled{ctx.self(), ctx.sender(), std::string{ctx.message_type()}});
  }
  CurrentChild get_current_child(const GetCurrentChild& /*question*/) { return {child_}; }
  RestartCount get_restart_count(const GetRestartCount& /*question*/) { return {count_}; }

  void pass_on(Context& ctx) {
    if (child_ && ctx.sender() == child_) return ctx.forward(ctx.parent(), ctx.self());
    const bool is_final = options_.is_final_ && options_.is_final_(ctx);
    if (child_) {
      is_last_ = is_last_ || is_final;
      return ctx.forward(child_);
    }
    if (is_final || !options_.while_down_) ctx.forward(last_child_);  // who is no more
    else options_.while_down_(ctx);
    if (is_final) ctx.stop_self();
  }

  using Receive = Handlers<&BackoffActor::terminated, &BackoffActor::start_again,
                           &BackoffActor::reset_if_unchanged, &BackoffActor::reset,
                           &BackoffActor::get_current_child, &BackoffActor::get_restart_count,
                           &BackoffActor::pass_on>;

 protected:
  /// Creates the child; throws if it cannot be.
  virtual Ref spawn_child(Context& ctx) = 0;

 private:
  using Mode = BackoffOptions::Mode;

  void start_child(Context& ctx) {
    child_ = last_child_ = spawn_child(ctx);
    ctx.watch(child_);
  }
  bool is_over(const Budget& budget) const {
    return budget.max_restarts >= 0 && count_ >= budget.max_restarts;
  }
  void wait(Context& ctx) {
    const double unit = static_cast<double>(ctx.random() >> 11) * 0x1.0p-53;
    const auto delay = detail::backoff_delay(options_, count_, unit);
    ++count_;
    ctx.start_timer("start", delay, detail::StartChild{});
    ctx.event(Level::warning, "actor.backoff", "waits before it starts its child again",
              {{"child", last_child_}, {"restart.delay", delay}, {"restart.count", count_}});
  }
  void give_up(Context& ctx, const Budget& budget) {
    ctx.event(
        Level::error, "supervisor.limit",
        "the restart limit is reached: the back-off supervisor stops",
        {{"child", last_child_}, {"restart.count", count_}, {"restart.max", budget.max_restarts}});
    ctx.stop_self();
  }

  const BackoffOptions options_;
  Ref child_;                     // nobody while it is down
  Ref last_child_;                // the same, or the one that was
  std::int64_t count_ = 0;        // delayed starts since the last reset
  bool is_awaiting_end_ = false;  // the child failed and is being stopped, to come back
  bool is_last_ = false;          // the child's next end is ours
};

/// Watches over an A: spawn<BackoffSupervisor<A>>(name, options, name_of_the_child, args…), where
/// the arguments are the child's, as in spawn<A>(name_of_the_child, args…).
template <std::derived_from<Actor> A>
class BackoffSupervisor final : public BackoffActor {
 public:
  static constexpr std::string_view doc = "Starts its child anew after growing delays.";

  template <class... Args>
  BackoffSupervisor(Context& /*ctx*/, const BackoffOptions& options, std::string child_name,
                    const Args&... args)
      : BackoffActor(options), spawn_([child_name = std::move(child_name), args...](Context& ctx) {
          return ctx.spawn<A>(child_name, args...);
        }) {}

  /// How this instance judges: asked by spawn.
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
