// SPDX-License-Identifier: Apache-2.0
//
// Rows of many actors: a tree of a million leaves, a million short-lived actors, a million idle
// actors.
#include <atomic>

#include "rig.hpp"
#include "rows.hpp"

namespace actord::bench {

namespace {

// The "skynet" tree: a leaf answers its number, a branch the sum of its ten children.
class Branch : public Actor {
 public:
  void grow(Context& ctx, const Grow& leaves) {
    if (leaves.count == 1) return answer(ctx, leaves.first);
    const std::int64_t each = leaves.count / 10;
    for (std::int64_t i = 0; i < 10; ++i)
      ctx.tell(ctx.spawn<Branch>(""), Grow{leaves.first + i * each, each});
  }
  void add(Context& ctx, const Number& n) {
    sum_ += n.value;
    if (++answers_ == 10) answer(ctx, sum_);
  }
  using Receive = Handlers<&Branch::grow, &Branch::add>;

 private:
  void answer(Context& ctx, std::int64_t sum) {
    ctx.tell(ctx.parent(), Number{sum});
    ctx.stop_self();
  }

  std::int64_t sum_ = 0, answers_ = 0;
};

class Root : public Actor {
 public:
  explicit Root(Finish* finish) : finish_(finish) {}

  void grow(Context& ctx, const Grow& leaves) { ctx.tell(ctx.spawn<Branch>(""), leaves); }
  void add(const Number& n) { finish_->signal(n.value); }
  using Receive = Handlers<&Root::grow, &Root::add>;

 private:
  Finish* finish_;
};

// Answers one question and stops.
class Mayfly : public Actor {
 public:
  Number answer(Context& ctx, const Number& n) {
    ctx.stop_self();
    return n;
  }
  using Receive = Handlers<&Mayfly::answer>;
};

// Spawns a batch, asks each of its actors, and begins the next when all have answered and ended.
class Breeder : public Actor {
 public:
  static constexpr std::int64_t batch = 1'000;

  explicit Breeder(Finish* finish) : finish_(finish) {}

  void breed(Context& ctx, const Grow& wanted) {
    batches_ = wanted.count / batch;
    spawn_batch(ctx);
  }
  void hear(Context& ctx, const Number& n) {
    sum_ += n.value;
    --unheard_;
    end_batch(ctx);
  }
  void child_terminated(Context& ctx, Ref) override {
    --alive_;
    end_batch(ctx);
  }
  using Receive = Handlers<&Breeder::breed, &Breeder::hear>;

 private:
  void spawn_batch(Context& ctx) {
    alive_ = unheard_ = batch;
    for (std::int64_t i = 0; i < batch; ++i) ctx.tell(ctx.spawn<Mayfly>(""), Number{i});
  }
  // An actor's answer may come after its Terminated, which is delivered before messages.
  void end_batch(Context& ctx) {
    if (alive_ != 0 || unheard_ != 0) return;
    if (--batches_ != 0) return spawn_batch(ctx);
    finish_->signal(sum_);
  }

  std::int64_t batches_ = 0, alive_ = 0, unheard_ = 0, sum_ = 0;
  Finish* finish_;
};

// How many idle actors have handled their message. A global, since a pointer to a counter would add
// to the size of each actor.
std::atomic<std::int64_t> heard{0};

class Idle : public Actor {
 public:
  void on(const Number& n) {
    sum_ += n.value;
    heard.fetch_add(sum_, std::memory_order_relaxed);
  }
  using Receive = Handlers<&Idle::on>;

 private:
  std::int64_t sum_ = 0;
};

// Spawns a batch of idle actors at a time and sends each its message.
class Nursery : public Actor {
 public:
  explicit Nursery(Finish* finish) : finish_(finish) {}

  void fill(Context& ctx, const Grow& wanted) {
    constexpr std::int64_t batch = 1'000;
    if (wanted.count == 0) return wait(ctx, {wanted.first});
    for (std::int64_t i = 0; i < batch; ++i) ctx.tell(ctx.spawn<Idle>(""), Number{1});
    ctx.tell(ctx.self(), Grow{wanted.first + batch, wanted.count - batch});
  }
  void wait(Context& ctx, const Number& wanted) {
    if (heard.load() == wanted.value) return finish_->signal(wanted.value);
    ctx.start_timer("look", std::chrono::milliseconds{1}, wanted);
  }
  using Receive = Handlers<&Nursery::fill, &Nursery::wait>;

 private:
  Finish* finish_;
};

}  // namespace

Figures run_tree(const Plan& plan) {
  Rig rig(plan.workers);
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const std::int64_t leaves = is_warm_up ? 10'000 : 1'000'000;
    Finish finish;
    const Ref root = rig.spawn<Root>(&finish);
    const Stopwatch watch;
    rig.tell(root, Grow{0, leaves});
    const std::int64_t sum = finish.wait();
    const double seconds = watch.seconds();
    check(sum == leaves * (leaves - 1) / 2, "tree1m: another sum");
    return {{"tree1m", seconds, "s"}, {"tree1m_peak_mb", peak_resident_mb(), "MB"}};
  });
}

Figures run_spawnstop(const Plan& plan) {
  Rig rig(plan.workers);
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const std::int64_t actors = is_warm_up ? 50'000 : plan.length_or(1'000'000);
    Finish finish;
    const Ref breeder = rig.spawn<Breeder>(&finish);
    const Stopwatch watch;
    rig.tell(breeder, Grow{0, actors});
    const std::int64_t sum = finish.wait();
    const double seconds = watch.seconds();
    const std::int64_t of_batch = Breeder::batch * (Breeder::batch - 1) / 2;
    check(sum == actors / Breeder::batch * of_batch, "spawnstop: an answer is missing");
    return {{"spawnstop", static_cast<double>(actors) / seconds, "actors/s"}};
  });
}

Figures run_idle_bytes(const Plan& plan) {
  Rig rig(plan.workers);
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const std::int64_t actors = is_warm_up ? 1'000 : 1'000'000;
    heard = 0;
    Finish finish;
    const Ref nursery = rig.spawn<Nursery>(&finish);
    const double before = resident_bytes();
    rig.tell(nursery, Grow{0, actors});
    check(finish.wait() == actors, "idle_bytes: another number of actors");
    const double grown = resident_bytes() - before;
    return {{"idle_bytes", grown / static_cast<double>(actors), "bytes"}};
  });
}

}  // namespace actord::bench
