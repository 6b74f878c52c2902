// SPDX-License-Identifier: Apache-2.0
//
// The time from a send on a thread that is no worker to the handler of an actor, while all workers
// sleep.
#include <atomic>
#include <thread>

#include "rig.hpp"
#include "rows.hpp"

namespace actord::bench {

namespace {

class Sleeper : public Actor {
 public:
  explicit Sleeper(std::atomic<std::uint64_t>* woken_at) : woken_at_(*woken_at) {}

  void on(const Number&) { woken_at_.store(ticks(), std::memory_order_release); }
  using Receive = Handlers<&Sleeper::on>;

 private:
  std::atomic<std::uint64_t>& woken_at_;
};

}  // namespace

Figures run_wake(const Plan& plan) {
  std::atomic<std::uint64_t> woken_at{0};
  Rig rig(plan.workers);
  const Ref sleeper = rig.spawn<Sleeper>(&woken_at);
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const std::size_t times = is_warm_up ? 50 : 1'000;
    Latencies latencies(times);
    for (std::size_t i = 0; i < times; ++i) {
      sleep_ms(2);
      woken_at = 0;
      const std::uint64_t sent_at = ticks();
      rig.tell(sleeper, 1);
      while (woken_at.load(std::memory_order_acquire) == 0) std::this_thread::yield();
      latencies.add(sent_at, woken_at);
    }
    return {{"wake_p50_us", latencies.us(0.5), "us"}, {"wake_p99_us", latencies.us(0.99), "us"}};
  });
}

}  // namespace actord::bench
