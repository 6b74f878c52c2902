// SPDX-License-Identifier: Apache-2.0
//
// What it costs to send to a router instead of to its routees: the same sender and eight receivers,
// in turns, once known to the sender and once behind a router.
#include <actord/router.hpp>

#include <atomic>
#include <deque>

#include "rig.hpp"
#include "rows.hpp"

namespace actord::bench {

namespace {

constexpr std::int64_t receivers = 8;

// The receiver that has got the last number reports the sum of all.
struct RouterGoal {
  std::int64_t wanted = 0;  // numbers for each receiver
  std::atomic<std::int64_t> done{0}, sum{0};
  Finish finish;
};

class Routed : public Actor {
 public:
  explicit Routed(RouterGoal* goal) : goal_(*goal), left_(goal->wanted) {}

  void on(const Number& n) {
    sum_ += n.value;
    if (--left_ != 0) return;
    goal_.sum += sum_;
    if (++goal_.done == receivers) goal_.finish.signal(goal_.sum);
  }
  using Receive = Handlers<&Routed::on>;

 private:
  RouterGoal& goal_;
  std::int64_t left_, sum_ = 0;
};

// Sends its numbers in one handler, to each of the targets in turn.
class RouterSource : public Actor {
 public:
  explicit RouterSource(std::vector<Ref> targets) : targets_(std::move(targets)) {}

  void on(Context& ctx, const Number& n) {
    std::size_t next = 0;
    for (std::int64_t i = 0; i < n.value; ++i) {
      ctx.tell(targets_[next], Number{i});
      if (++next == targets_.size()) next = 0;
    }
  }
  using Receive = Handlers<&RouterSource::on>;

 private:
  std::vector<Ref> targets_;
};

// The parent of the router. Its sender begins when the router has its routees.
class RouterOwner : public Actor {
 public:
  explicit RouterOwner(RouterGoal* goal) : goal_(goal) {}

  void on(Context& ctx, const Number& n) {
    n_ = n;
    router_ = ctx.spawn_router<Routed>("pool", pool(receivers).round_robin(), goal_);
    ctx.ask<&RouterOwner::begin>(router_, GetRoutees{}, std::chrono::seconds{10});
  }
  void begin(Context& ctx, const Reply<Routees>& reply) {
    check(reply && std::ssize(reply->routees) == receivers, "router: not all routees are there");
    ctx.tell(ctx.spawn<RouterSource>({}, std::vector<Ref>{router_}), n_);
  }
  using Receive = Handlers<&RouterOwner::on>;

 private:
  RouterGoal* const goal_;
  Ref router_;
  Number n_;
};

double messages_per_second(RouterGoal& goal, std::int64_t n, const Stopwatch& watch) {
  const std::int64_t sum = goal.finish.wait();
  const double seconds = watch.seconds();
  check(sum == n * (n - 1) / 2, "router: another sum");
  return static_cast<double>(n) / seconds;
}

double by_refs(Rig& rig, RouterGoal& goal, std::int64_t n) {
  std::vector<Ref> targets;
  for (std::int64_t i = 0; i < receivers; ++i) targets.push_back(rig.spawn<Routed>(&goal));
  const Ref source = rig.spawn<RouterSource>(std::move(targets));
  const Stopwatch watch;
  rig.tell(source, n);
  return messages_per_second(goal, n, watch);
}

double by_router(Rig& rig, RouterGoal& goal, std::int64_t n) {
  const Ref owner = rig.spawn<RouterOwner>(&goal);
  const Stopwatch watch;
  rig.tell(owner, n);
  return messages_per_second(goal, n, watch);
}

}  // namespace

Figures run_router(const Plan& plan) {
  std::deque<RouterGoal> goals;  // outlive their actors
  Rig rig(plan.workers);
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const std::int64_t n = is_warm_up ? 80'000 : 8'000'000;
    const int rounds = is_warm_up ? 1 : 5;
    std::vector<double> refs, router;
    for (int i = 0; i < rounds; ++i) {
      const auto next = [&]() -> RouterGoal& {
        RouterGoal& goal = goals.emplace_back();
        goal.wanted = n / receivers;
        return goal;
      };
      refs.push_back(by_refs(rig, next(), n));
      router.push_back(by_router(rig, next(), n));
    }
    const double known = median(std::move(refs)), routed = median(std::move(router));
    return {{"router_refs", known, "msg/s"},
            {"router_pool", routed, "msg/s"},
            {"router_ratio", routed / known, "x"}};
  });
}

}  // namespace actord::bench
