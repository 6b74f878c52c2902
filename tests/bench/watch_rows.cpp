// SPDX-License-Identifier: Apache-2.0
//
// An actor is watched by ten others and stops; each of them receives Terminated.
#include <atomic>
#include <deque>

#include "rig.hpp"
#include "rows.hpp"

namespace actord::bench {

namespace {

constexpr std::int64_t watchers = 10;

// The state that the watchers of one actor share.
struct WatchState {
  Ref keeper;
  std::atomic<std::int64_t> pending{0};  // watchers that have not received Terminated yet
  Finish finish;
};

// Lives until it is stopped.
class Target : public Actor {
 public:
  using Receive = Handlers<>;
};

// Watches the actor named in the message and passes the message on. The last watcher in the chain,
// which has no next one, stops the watched actor.
class Watcher : public Actor {
 public:
  Watcher(WatchState* state, Ref next) : state_(*state), next_(next) {}

  void begin(Context& ctx, const Join& join) {
    check(watched_ == Ref{}, "watch: a Terminated is missing");
    watched_ = join.peer;
    ctx.watch(watched_);
    if (next_ != Ref{}) ctx.tell(next_, join);
    else ctx.stop(watched_);
  }
  void end(Context& ctx, const Terminated& terminated) {
    check(terminated.who == watched_, "watch: Terminated of another actor");
    check(terminated.existence_confirmed, "watch: the actor was watched too late");
    watched_ = {};
    if (--state_.pending == 0) ctx.tell(state_.keeper, Answer{});
  }
  using Receive = Handlers<&Watcher::begin, &Watcher::end>;

 private:
  WatchState& state_;
  Ref next_, watched_;
};

// Spawns one actor after the other and has each of them watched by all watchers.
class Keeper : public Actor {
 public:
  explicit Keeper(WatchState* state) : state_(*state) {}

  void begin(Context& ctx, const Number& actors) {
    state_.keeper = ctx.self();
    for (std::int64_t i = 0; i < watchers; ++i) first_ = ctx.spawn<Watcher>("", &state_, first_);
    left_ = actors.value;
    keep(ctx, {});
  }
  void keep(Context& ctx, const Answer&) {
    if (left_-- == 0) return state_.finish.signal();
    state_.pending = watchers;
    ctx.tell(first_, Join{ctx.spawn<Target>("")});
  }
  using Receive = Handlers<&Keeper::begin, &Keeper::keep>;

 private:
  WatchState& state_;
  Ref first_;
  std::int64_t left_ = 0;
};

}  // namespace

Figures run_watch(const Plan& plan) {
  std::deque<WatchState> states;  // outlive their actors
  Rig rig(plan.workers);
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    WatchState& state = states.emplace_back();
    const std::int64_t watches = is_warm_up ? 10'000 : plan.length_or(1'000'000);
    rig.tell(rig.spawn<Keeper>(&state), watches / watchers);
    state.finish.wait();
    return {};
  });
}

}  // namespace actord::bench
