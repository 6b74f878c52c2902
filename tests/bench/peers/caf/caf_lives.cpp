// SPDX-License-Identifier: Apache-2.0
//
// Rows of many actors, and of actors that fail.
#include <atomic>
#include <deque>
#include <stdexcept>
#include <vector>

#include "caf_rows.hpp"

namespace caf_bench {

namespace {

using caf::actor;
using caf::actor_config;
using caf::behavior;
using caf::event_based_actor;

// ---- a tree: a leaf answers its number, a branch the sum of its ten children

class Branch : public event_based_actor {
 public:
  Branch(actor_config& config, actor parent, Number first, Number count)
      : event_based_actor(config), parent_(std::move(parent)), first_(first), count_(count) {}

  behavior make_behavior() override {
    if (count_ == 1) {
      send(parent_, first_);
      return {};  // and ends
    }
    const Number each = count_ / 10;
    for (Number i = 0; i < 10; ++i)
      spawn<Branch>(caf::actor_cast<actor>(this), first_ + i * each, each);
    return {[this](Number n) {
      sum_ += n;
      if (++answers_ != 10) return;
      send(parent_, sum_);
      quit();
    }};
  }

 private:
  actor parent_;
  Number first_, count_, sum_ = 0, answers_ = 0;
};

class Root : public event_based_actor {
 public:
  Root(actor_config& config, Number leaves, Finish* finish)
      : event_based_actor(config), leaves_(leaves), finish_(finish) {}

  behavior make_behavior() override {
    return {[this](start_atom) { spawn<Branch>(caf::actor_cast<actor>(this), Number{0}, leaves_); },
            [this](Number n) { finish_->signal(n); }};
  }

 private:
  Number leaves_;
  Finish* finish_;
};

// ---- actors that come and go

class Mayfly : public event_based_actor {
 public:
  using event_based_actor::event_based_actor;

  behavior make_behavior() override {
    return {[this](Number n) {
      quit();
      return n;
    }};
  }
};

class Breeder : public event_based_actor {
 public:
  static constexpr Number batch = 1'000;

  Breeder(actor_config& config, Number actors, Finish* finish)
      : event_based_actor(config), batches_(actors / batch), finish_(finish) {}

  behavior make_behavior() override {
    set_down_handler([this](caf::down_msg&) {
      --alive_;
      end_batch();
    });
    return {[this](start_atom) { spawn_batch(); },
            [this](Number n) {
              sum_ += n;
              --unheard_;
              end_batch();
            }};
  }

 private:
  void spawn_batch() {
    alive_ = unheard_ = batch;
    for (Number i = 0; i < batch; ++i) send(spawn<Mayfly, caf::monitored>(), i);
  }
  void end_batch() {
    if (alive_ != 0 || unheard_ != 0) return;
    if (--batches_ != 0) return spawn_batch();
    finish_->signal(sum_);
  }

  Number batches_, alive_ = 0, unheard_ = 0, sum_ = 0;
  Finish* finish_;
};

// ---- actors that stay

std::atomic<Number> heard{0};

class Idle : public event_based_actor {
 public:
  using event_based_actor::event_based_actor;

  behavior make_behavior() override {
    return {[this](Number n) {
      sum_ += n;
      heard.fetch_add(sum_, std::memory_order_relaxed);
    }};
  }

 private:
  Number sum_ = 0;
};

class Nursery : public event_based_actor {
 public:
  Nursery(actor_config& config, Number actors, Finish* finish)
      : event_based_actor(config), actors_(actors), left_(actors), finish_(finish) {}

  behavior make_behavior() override {
    return {[this](start_atom) {
      // A thief walks the whole queue of its victim, so the queue is kept short.
      if (heard != actors_ - left_)
        return delayed_send(this, std::chrono::milliseconds{1}, start_atom::value);
      if (left_ == 0) return finish_->signal(heard);
      constexpr Number batch = 1'000;
      for (Number i = 0; i < batch; ++i) {
        idle_.push_back(spawn<Idle>());
        send(idle_.back(), Number{1});
      }
      left_ -= batch;
      send(this, start_atom::value);
    }};
  }

 private:
  Number actors_, left_;
  std::vector<actor> idle_;  // an actor without a reference to it ends
  Finish* finish_;
};

// ---- actors that fail: their parent watches and spawns anew

struct Trial {
  std::uint64_t thrown_at = 0;
  Latencies* latencies = nullptr;
  Finish finish;
};

class Failing : public event_based_actor {
 public:
  Failing(actor_config& config, Trial* trial) : event_based_actor(config), trial_(*trial) {
    set_exception_handler(
        [](std::exception_ptr&) -> caf::error { return caf::sec::runtime_error; });
  }

  behavior make_behavior() override {
    return {[this](Number) {
      if (trial_.latencies != nullptr) {
        if (trial_.thrown_at != 0) trial_.latencies->add(trial_.thrown_at, ticks());
        trial_.thrown_at = ticks();
      }
      throw std::runtime_error("no");
    }};
  }

 private:
  Trial& trial_;
};

class Supervisor : public event_based_actor {
 public:
  Supervisor(actor_config& config, Trial* trial, Number children, Number throws)
      : event_based_actor(config),
        trial_(*trial),
        children_(children),
        to_start_(throws),
        left_(throws) {}

  behavior make_behavior() override {
    set_down_handler([this](caf::down_msg& down) {
      check(down.reason == caf::sec::runtime_error, "another failure");
      if (--left_ == 0) return trial_.finish.signal();
      if (to_start_ != 0) begin_one();
    });
    return {[this](start_atom) {
      for (Number i = 0; i < children_; ++i) begin_one();
    }};
  }

 private:
  void begin_one() {
    --to_start_;
    send(spawn<Failing, caf::monitored>(&trial_), Number{1});
  }

  Trial& trial_;
  Number children_, to_start_, left_;
};

double failures_per_second(caf::actor_system& system, Number children, Number throws,
                           Latencies* latencies) {
  static std::deque<Trial> trials;  // outlive their actors
  Trial& trial = trials.emplace_back();
  trial.latencies = latencies;
  const actor supervisor = system.spawn<Supervisor>(&trial, children, throws);
  const Stopwatch watch;
  caf::anon_send(supervisor, start_atom::value);
  trial.finish.wait();
  return static_cast<double>(throws) / watch.seconds();
}

}  // namespace

Figures run_tree(caf::actor_system& system, bool is_warm_up) {
  const Number leaves = is_warm_up ? 10'000 : 1'000'000;
  Finish finish;
  const actor root = system.spawn<Root>(leaves, &finish);
  const Stopwatch watch;
  caf::anon_send(root, start_atom::value);
  const Number sum = finish.wait();
  const double seconds = watch.seconds();
  check(sum == leaves * (leaves - 1) / 2, "tree1m: another sum");
  return {{"tree1m", seconds, "s"}, {"tree1m_peak_mb", actord::bench::peak_resident_mb(), "MB"}};
}

Figures run_spawnstop(caf::actor_system& system, bool is_warm_up) {
  const Number actors = is_warm_up ? 50'000 : 1'000'000;
  Finish finish;
  const actor breeder = system.spawn<Breeder>(actors, &finish);
  const Stopwatch watch;
  caf::anon_send(breeder, start_atom::value);
  const Number sum = finish.wait();
  const double seconds = watch.seconds();
  const Number of_batch = Breeder::batch * (Breeder::batch - 1) / 2;
  check(sum == actors / Breeder::batch * of_batch, "spawnstop: an answer is missing");
  return {{"spawnstop", static_cast<double>(actors) / seconds, "actors/s"}};
}

Figures run_idle_bytes(caf::actor_system& system, bool is_warm_up) {
  const Number actors = is_warm_up ? 1'000 : 1'000'000;
  heard = 0;
  Finish finish;
  const actor nursery = system.spawn<Nursery>(actors, &finish);
  const double before = actord::bench::resident_bytes();
  caf::anon_send(nursery, start_atom::value);
  check(finish.wait() == actors, "idle_bytes: another number of actors");
  const double grown = actord::bench::resident_bytes() - before;
  return {{"idle_bytes", grown / static_cast<double>(actors), "bytes"}};
}

Figures run_failure1(caf::actor_system& system, bool is_warm_up) {
  const Number throws = is_warm_up ? 5'000 : 200'000;
  Latencies latencies(static_cast<std::size_t>(throws));
  const double rate = failures_per_second(system, 1, throws, &latencies);
  check(latencies.count() + 1 == static_cast<std::size_t>(throws), "a restart is missing");
  return {{"failure1", rate, "failures/s"},
          {"failure1_p50_us", latencies.us(0.50), "us"},
          {"failure1_p99_us", latencies.us(0.99), "us"}};
}

Figures run_failure1000(caf::actor_system& system, bool is_warm_up) {
  return {{"failure1000", failures_per_second(system, 1'000, is_warm_up ? 5'000 : 200'000, nullptr),
           "failures/s"}};
}

}  // namespace caf_bench
