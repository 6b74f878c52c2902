// SPDX-License-Identifier: Apache-2.0
//
// Host processes that are killed at random instants under load: no message may be lost from the
// books, and actors that have nothing to do with it must hardly notice. The control kills as many
// processes that do nothing.
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "base/clock.hpp"
#include "hosted_plugin.hpp"
#include "rows.hpp"

extern char** environ;

namespace actord::bench {

namespace {

using std::chrono::microseconds;

class Echo : public Actor {
 public:
  void answer(Context& ctx, const Number& n) { ctx.reply(n); }
  using Receive = Handlers<&Echo::answer>;
};

/// Measures how long an echo takes. The row reads the times when no actor runs any more.
class Prober : public Actor {
 public:
  Prober(Ref echo, std::vector<std::int64_t>* times) : echo_(echo), times_(*times) {}
  // A number above 0 is when the echo was asked for.
  void probe(Context& ctx, const Number& n) {
    if (n.value == 0) ctx.tell(echo_, Number{base::monotonic_ns()});
    else times_.push_back(base::monotonic_ns() - n.value);
  }
  using Receive = Handlers<&Prober::probe>;

 private:
  Ref echo_;
  std::vector<std::int64_t>& times_;
};

/// Does something until it is destroyed.
class Background {
 public:
  template <class Work>
  explicit Background(Work work)
      : thread_([this, work] {
          while (!is_over_) work();
        }) {}
  ~Background() {
    is_over_ = true;
    thread_.join();
  }
  Background(const Background&) = delete;

 private:
  std::atomic<bool> is_over_{false};
  std::thread thread_;
};

void kill_idle_process() {
  const char* const words[] = {"/bin/sleep", "60", nullptr};
  pid_t child = 0;
  check(posix_spawn(&child, words[0], nullptr, nullptr, const_cast<char* const*>(words), environ) ==
            0,
        "isolation_kills: no process");
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

/// How one round has gone.
struct Round {
  double p99_us = 0;
  std::int64_t kills = 0;
};

Round play_round(bool kills_hosts, std::int64_t kills, unsigned workers, std::mt19937_64& random) {
  std::vector<std::int64_t> times;
  times.reserve(1 << 20);
  Round round;
  {
    Rig rig({.workers = workers, .plugin = ACTORD_BOUNDARY_PLUGIN, .restarts_all = true});
    HostedPlugin hosted(rig, 1);
    const Ref mortal = hosted.spawn("Mortal");
    const Ref prober = rig.spawn<Prober>(rig.spawn<Echo>(), &times);
    const Ref referee = rig.spawn<Echo>();
    {
      std::uint64_t last = 0;  // a message that kills twice would be poison
      const Background load([&] {
        for (int i = 0; i < 10; ++i) rig.tell(mortal, Roles{{++last}, referee});
        std::this_thread::sleep_for(microseconds{200});
      });
      const Background probes([&] {
        rig.tell(prober, Number{0});
        std::this_thread::sleep_for(microseconds{300});
      });
      std::uniform_int_distribution<int> pause_us(0, 3000);
      for (; round.kills < kills; ++round.kills) {
        std::this_thread::sleep_for(microseconds{pause_us(random)});
        if (!kills_hosts) {
          kill_idle_process();
          continue;
        }
        int process = 0;
        while ((process = hosted.process({})) == 0) std::this_thread::yield();
        kill(process, SIGKILL);
        while (hosted.process({}) == process) std::this_thread::sleep_for(microseconds{50});
      }
    }
    rig.stop();
    const actor::MessageCounters counters = rig.system().counters();
    check(counters.sent == counters.ended(), "isolation_kills: messages are lost");
  }
  std::ranges::sort(times);
  check(!times.empty(), "isolation_kills: nothing was measured");
  round.p99_us = static_cast<double>(times[times.size() * 99 / 100]) / 1e3;
  return round;
}

}  // namespace

Figures run_isolation_kills(const Plan& plan) {
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    std::mt19937_64 random(static_cast<std::uint64_t>(base::monotonic_ns()));
    const int rounds = is_warm_up ? 1 : 5;
    const std::int64_t kills = is_warm_up ? 20 : 2'000;
    std::vector<double> with, without;
    std::int64_t n = 0;
    for (int i = 0; i < rounds; ++i) {
      const Round killed = play_round(true, kills, plan.workers, random);
      with.push_back(killed.p99_us);
      n += killed.kills;
      without.push_back(play_round(false, kills, plan.workers, random).p99_us);
    }
    const double p99 = median(with), control = median(without);
    return {{"isolation_kills", static_cast<double>(n), "kills"},
            {"isolation_kills_p99_us", p99, "us"},
            {"isolation_control_p99_us", control, "us"},
            {"isolation_kills_ratio", p99 / control, "x"}};
  });
}

}  // namespace actord::bench
