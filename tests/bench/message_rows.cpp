// SPDX-License-Identifier: Apache-2.0
//
// Rows in which one actor at a time has a message, and one in which 120 send to each other at
// random.
#include <atomic>
#include <deque>

#include "rig.hpp"
#include "rows.hpp"

namespace actord::bench {

namespace {

// Sends a counter, one less each time, to the next player until it is 0.
class Player : public Actor {
 public:
  explicit Player(Finish* finish) : finish_(finish) {}

  void meet(const Join& join) { next_ = join.peer; }
  void play(Context& ctx, const Number& n) {
    if (n.value == 0) return finish_->signal();
    ctx.tell(next_, Number{n.value - 1});
  }
  using Receive = Handlers<&Player::play, &Player::meet>;

 private:
  Ref next_;
  Finish* finish_;
};

// A circle of players; measures the time and the CPU time of `hops` hops.
Figures play_around(Rig& rig, int players, std::int64_t hops, std::string_view row) {
  Finish finish;
  std::vector<Ref> circle;
  for (int i = 0; i < players; ++i) circle.push_back(rig.spawn<Player>(&finish));
  for (std::size_t i = 0; i < circle.size(); ++i)
    rig.tell(circle[i], Join{circle[(i + 1) % circle.size()]});
  const Stopwatch watch;
  rig.tell(circle.front(), hops);
  finish.wait();
  const double seconds = watch.seconds();
  return {{std::string{row}, static_cast<double>(hops) / seconds, "msg/s"},
          {std::string{row} + "_cpus", watch.cpu_seconds() / seconds, "CPUs"}};
}

struct Crowd {
  std::vector<Ref> members;
  std::int64_t pings = 0;  // of each
  std::atomic<std::int64_t> left{0}, answers{0};
  Finish finish;
};

// Pings one of the others at a time, chosen at random, and answers the others' pings.
class Member : public Actor {
 public:
  Member(Crowd* crowd, std::uint64_t seed) : crowd_(*crowd), random_(seed) {}

  void begin(Context& ctx, const Grow&) { ping(ctx); }
  void on_ping(Context& ctx, const Number& n) { ctx.tell(ctx.sender(), Answer{n.value}); }
  void on_pong(Context& ctx, const Answer& answer) {
    sum_ += answer.value;
    if (++answers_ < crowd_.pings) return ping(ctx);
    crowd_.answers += sum_;
    if (--crowd_.left == 0) crowd_.finish.signal(crowd_.answers);
  }
  using Receive = Handlers<&Member::on_ping, &Member::on_pong, &Member::begin>;

 private:
  void ping(Context& ctx) {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    ctx.tell(crowd_.members[random_ % crowd_.members.size()], Number{1});
  }

  Crowd& crowd_;
  std::uint64_t random_;
  std::int64_t answers_ = 0, sum_ = 0;
};

}  // namespace

Figures run_pingpong(const Plan& plan) {
  Rig rig(plan.workers);
  return warmed_up(plan, [&](bool is_warm_up) {
    const std::int64_t hops = is_warm_up ? 400'000 : plan.length_or(4'000'000);
    return play_around(rig, 2, hops, "pingpong");
  });
}

Figures run_ring(const Plan& plan) {
  Rig rig(plan.workers);
  return warmed_up(plan, [&](bool is_warm_up) {
    Figures both = play_around(rig, 503, is_warm_up ? 500'000 : 5'000'000, "ring");
    both.resize(1);
    return both;
  });
}

Figures run_big(const Plan& plan) {
  constexpr int members = 120;
  std::deque<Crowd> crowds;  // outlive their actors
  Rig rig(plan.workers);
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    Crowd& crowd = crowds.emplace_back();
    crowd.pings = is_warm_up ? 1'000 : 20'000;
    crowd.left = members;
    for (std::uint64_t i = 0; i < members; ++i)
      crowd.members.push_back(rig.spawn<Member>(&crowd, 0x9e3779b97f4a7c15 * (i + 1)));
    const Stopwatch watch;
    for (const Ref member : crowd.members) rig.tell(member, Grow{});
    const std::int64_t answers = crowd.finish.wait();
    const double seconds = watch.seconds();
    check(answers == members * crowd.pings, "big: an answer is missing");
    return {{"big", static_cast<double>(2 * answers) / seconds, "msg/s"}};
  });
}

}  // namespace actord::bench
