// SPDX-License-Identifier: Apache-2.0
//
// Many to one, and one to many: each sender sends all its messages in one handler.
#include <atomic>
#include <deque>

#include "rig.hpp"
#include "rows.hpp"

namespace actord::bench {

namespace {

// Adds up its numbers. The last sink that has all of its numbers reports the sum of all sinks.
struct Goal {
  std::int64_t wanted = 0;  // numbers for each sink
  std::atomic<std::int64_t> sinks{0}, sum{0};
  Finish finish;
};

class FanSink : public Actor {
 public:
  explicit FanSink(Goal* goal) : goal_(*goal), left_(goal->wanted) {}

  void on(const Number& n) {
    sum_ += n.value;
    if (--left_ != 0) return;
    goal_.sum += sum_;
    if (--goal_.sinks == 0) goal_.finish.signal(goal_.sum);
  }
  using Receive = Handlers<&FanSink::on>;

 private:
  Goal& goal_;
  std::int64_t left_, sum_ = 0;
};

// Sends its numbers to each of the targets in turn.
class FanSource : public Actor {
 public:
  explicit FanSource(std::vector<Ref> targets) : targets_(std::move(targets)) {}

  void on(Context& ctx, const Number& n) {
    for (std::int64_t i = 0; i < n.value; ++i) {
      for (const Ref target : targets_) ctx.tell(target, Number{i});
    }
  }
  using Receive = Handlers<&FanSource::on>;

 private:
  std::vector<Ref> targets_;
};

// Each of the sources sends 0 … each-1 to each of the sinks. Returns messages per second.
double fan(Rig& rig, Goal& goal, int sources, int sinks, std::int64_t each) {
  goal.wanted = sources * each;
  goal.sinks = sinks;
  std::vector<Ref> targets, senders;
  for (int i = 0; i < sinks; ++i) targets.push_back(rig.spawn<FanSink>(&goal));
  for (int i = 0; i < sources; ++i) senders.push_back(rig.spawn<FanSource>(targets));
  const Stopwatch watch;
  for (const Ref sender : senders) rig.tell(sender, each);
  const std::int64_t sum = goal.finish.wait();
  const double seconds = watch.seconds();
  check(sum == sources * sinks * (each * (each - 1) / 2), "the sum of what was sent is another");
  return static_cast<double>(sources * sinks * each) / seconds;
}

}  // namespace

Figures run_many2one(const Plan& plan) {
  constexpr int senders = 20;
  std::deque<Goal> goals;  // outlive their actors
  Rig rig(plan.workers);
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const std::int64_t each = is_warm_up ? 20'000 : plan.length_or(10'000'000) / senders;
    const double rate = fan(rig, goals.emplace_back(), senders, 1, each);
    return {{"many2one", rate, "msg/s"}, {"many2one_peak_mb", peak_resident_mb(), "MB"}};
  });
}

Figures run_forkjoin(const Plan& plan) {
  constexpr int sinks = 60;
  std::deque<Goal> goals;
  Rig rig(plan.workers);
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const std::int64_t each = is_warm_up ? 5'000 : plan.length_or(6'000'000) / sinks;
    return {{"forkjoin", fan(rig, goals.emplace_back(), 1, sinks, each), "msg/s"}};
  });
}

}  // namespace actord::bench
