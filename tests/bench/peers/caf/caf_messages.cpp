// SPDX-License-Identifier: Apache-2.0
//
// Rows that only send.
#include <atomic>
#include <deque>
#include <string>
#include <vector>

#include "caf_rows.hpp"

namespace caf_bench {

namespace {

using caf::actor;
using caf::actor_config;
using caf::behavior;
using caf::event_based_actor;

// ---- a token that goes round

class Player : public event_based_actor {
 public:
  Player(actor_config& config, Finish* finish) : event_based_actor(config), finish_(finish) {}

  behavior make_behavior() override {
    return {[this](const actor& next) { next_ = next; },
            [this](Number n) {
              if (n == 0) return finish_->signal();
              send(next_, n - 1);
            }};
  }

 private:
  actor next_;
  Finish* finish_;
};

Figures play_around(caf::actor_system& system, int players, Number hops, std::string row) {
  Finish finish;
  std::vector<actor> circle;
  for (int i = 0; i < players; ++i) circle.push_back(system.spawn<Player>(&finish));
  for (std::size_t i = 0; i < circle.size(); ++i)
    caf::anon_send(circle[i], circle[(i + 1) % circle.size()]);
  const Stopwatch watch;
  caf::anon_send(circle.front(), hops);
  finish.wait();
  const double seconds = watch.seconds();
  return {{row, static_cast<double>(hops) / seconds, "msg/s"},
          {row + "_cpus", watch.cpu_seconds() / seconds, "CPUs"}};
}

// ---- many to one, one to many

struct Goal {
  Number wanted = 0;
  std::atomic<Number> sinks{0}, sum{0};
  Finish finish;
};

class Sink : public event_based_actor {
 public:
  Sink(actor_config& config, Goal* goal)
      : event_based_actor(config), goal_(*goal), left_(goal->wanted) {}

  behavior make_behavior() override {
    return {[this](Number n) {
      sum_ += n;
      if (--left_ != 0) return;
      goal_.sum += sum_;
      if (--goal_.sinks == 0) goal_.finish.signal(goal_.sum);
    }};
  }

 private:
  Goal& goal_;
  Number left_, sum_ = 0;
};

class Source : public event_based_actor {
 public:
  Source(actor_config& config, std::vector<actor> targets)
      : event_based_actor(config), targets_(std::move(targets)) {}

  behavior make_behavior() override {
    return {[this](Number each) {
      for (Number i = 0; i < each; ++i) {
        for (const actor& target : targets_) send(target, i);
      }
    }};
  }

 private:
  std::vector<actor> targets_;
};

double fan(caf::actor_system& system, int sources, int sinks, Number each) {
  static std::deque<Goal> goals;  // outlive their actors
  Goal& goal = goals.emplace_back();
  goal.wanted = sources * each;
  goal.sinks = sinks;
  std::vector<actor> targets, senders;
  for (int i = 0; i < sinks; ++i) targets.push_back(system.spawn<Sink>(&goal));
  for (int i = 0; i < sources; ++i) senders.push_back(system.spawn<Source>(targets));
  const Stopwatch watch;
  for (const actor& sender : senders) caf::anon_send(sender, each);
  const Number sum = goal.finish.wait();
  const double seconds = watch.seconds();
  check(sum == sources * sinks * (each * (each - 1) / 2), "another sum");
  return static_cast<double>(sources * sinks * each) / seconds;
}

// ---- pings at random

struct Crowd {
  std::vector<actor> members;
  Number pings = 0;
  std::atomic<Number> left{0}, answers{0};
  Finish finish;
};

class Member : public event_based_actor {
 public:
  Member(actor_config& config, Crowd* crowd, std::uint64_t seed)
      : event_based_actor(config), crowd_(*crowd), random_(seed) {}

  behavior make_behavior() override {
    return {
        [this](start_atom) { ping(); },
        [this](Number n) { send(caf::actor_cast<actor>(current_sender()), pong_atom::value, n); },
        [this](pong_atom, Number n) {
          sum_ += n;
          if (++answers_ < crowd_.pings) return ping();
          crowd_.answers += sum_;
          if (--crowd_.left == 0) crowd_.finish.signal(crowd_.answers);
        }};
  }

 private:
  void ping() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    send(crowd_.members[random_ % crowd_.members.size()], Number{1});
  }

  Crowd& crowd_;
  std::uint64_t random_;
  Number answers_ = 0, sum_ = 0;
};

}  // namespace

Figures run_pingpong(caf::actor_system& system, bool is_warm_up) {
  return play_around(system, 2, is_warm_up ? 400'000 : 4'000'000, "pingpong");
}

Figures run_ring(caf::actor_system& system, bool is_warm_up) {
  Figures both = play_around(system, 503, is_warm_up ? 500'000 : 5'000'000, "ring");
  both.resize(1);
  return both;
}

Figures run_many2one(caf::actor_system& system, bool is_warm_up) {
  const double rate = fan(system, 20, 1, is_warm_up ? 20'000 : 500'000);
  return {{"many2one", rate, "msg/s"},
          {"many2one_peak_mb", actord::bench::peak_resident_mb(), "MB"}};
}

Figures run_forkjoin(caf::actor_system& system, bool is_warm_up) {
  return {{"forkjoin", fan(system, 1, 60, is_warm_up ? 5'000 : 100'000), "msg/s"}};
}

Figures run_big(caf::actor_system& system, bool is_warm_up) {
  constexpr int members = 120;
  static std::deque<Crowd> crowds;
  Crowd& crowd = crowds.emplace_back();
  crowd.pings = is_warm_up ? 1'000 : 20'000;
  crowd.left = members;
  for (std::uint64_t i = 0; i < members; ++i)
    crowd.members.push_back(system.spawn<Member>(&crowd, 0x9e3779b97f4a7c15 * (i + 1)));
  const Stopwatch watch;
  for (const actor& member : crowd.members) caf::anon_send(member, start_atom::value);
  const Number answers = crowd.finish.wait();
  const double seconds = watch.seconds();
  check(answers == members * crowd.pings, "big: an answer is missing");
  return {{"big", static_cast<double>(2 * answers) / seconds, "msg/s"}};
}

}  // namespace caf_bench
