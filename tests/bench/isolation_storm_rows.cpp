// SPDX-License-Identifier: Apache-2.0
//
// Host processes that are killed or stopped at random instants under load: no message may be lost
// from the books, and actors that have nothing to do with it must hardly notice.
//
// The control has the same load on an actor in a host process that lives. Instead of it as many
// processes that do nothing are started and ended, at the same instants. As in the daemon, the
// isolated actor runs on blocking-io, so that the workers that are measured do the same in both.
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

/// Takes what the actor in the host process says. An answer would be a message that kills it.
class Listener : public Actor {
 public:
  void hear(const Number&) {}
  using Receive = Handlers<&Listener::hear>;
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

/// A process that does nothing. Ends with the object.
class IdleProcess {
 public:
  IdleProcess() {
    const char* const words[] = {"/bin/sleep", "60", nullptr};
    check(posix_spawn(&id_, words[0], nullptr, nullptr, const_cast<char* const*>(words), environ) ==
              0,
          "isolation_kills: no process");
  }
  ~IdleProcess() {
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }
  IdleProcess(const IdleProcess&) = delete;
  int id() const { return id_; }

 private:
  pid_t id_ = 0;
};

/// What is done to processes.
struct Storm {
  int signal = SIGKILL;
  std::int64_t times = 0;
  int pause_us_max = 0;               // between two
  std::int64_t stuck_timeout_ns = 0;  // after which a process that is stopped is killed; 0: none is
};

/// How one round has gone.
struct Round {
  double p99_us = 0;
  std::vector<std::int64_t> instants_ns;  // from its beginning: when a process got the signal
};

void sleep_until(std::int64_t instant_ns) {
  const std::int64_t left_ns = instant_ns - base::monotonic_ns();
  if (left_ns > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(left_ns));
}

// A host gets the signal at random instants, each when the one before has been replaced.
std::vector<std::int64_t> storm_hosts(const Storm& storm, HostedPlugin& hosted,
                                      std::mt19937_64& random) {
  std::uniform_int_distribution<std::int64_t> pause_ns(0, storm.pause_us_max * 1000);
  std::vector<std::int64_t> instants_ns;
  const std::int64_t begin_ns = base::monotonic_ns();
  int process = hosted.wait_for_other_than(0);
  std::int64_t next_ns = begin_ns;
  for (std::int64_t i = 0; i < storm.times; ++i) {
    next_ns = std::max(next_ns + pause_ns(random), base::monotonic_ns());
    sleep_until(next_ns);
    instants_ns.push_back(base::monotonic_ns() - begin_ns);
    kill(process, storm.signal);
    process = hosted.wait_for_other_than(process);
  }
  return instants_ns;
}

// An idle process gets the signal at each of these instants.
void storm_idle(const Storm& storm, const std::vector<std::int64_t>& instants_ns) {
  const std::int64_t begin_ns = base::monotonic_ns();
  for (const std::int64_t instant_ns : instants_ns) {
    const IdleProcess idle;
    sleep_until(begin_ns + instant_ns);
    kill(idle.id(), storm.signal);
    if (storm.stuck_timeout_ns != 0)
      std::this_thread::sleep_for(std::chrono::nanoseconds(storm.stuck_timeout_ns));
  }
}

// `control`: the instants of the round that it is the control of; null: it is none.
Round play_round(const Storm& storm, const std::vector<std::int64_t>* control, unsigned workers,
                 std::mt19937_64& random) {
  std::vector<std::int64_t> times;
  times.reserve(1 << 20);
  Round round;
  {
    Rig rig({.workers = workers, .plugin = ACTORD_BOUNDARY_PLUGIN, .restarts_all = true});
    HostedPlugin hosted(rig, {.spare = 1, .stuck_timeout_ns = storm.stuck_timeout_ns});
    const Ref mortal = hosted.spawn("Mortal", {}, "blocking-io");
    const Ref prober = rig.spawn<Prober>(rig.spawn<Echo>(), &times);
    const Ref listener = rig.spawn_on<Listener>("blocking-io");
    {
      std::uint64_t last = 0;  // a message that kills twice would be poison
      const Background load([&] {
        for (int i = 0; i < 10; ++i) rig.tell(mortal, Roles{{++last}, listener});
        std::this_thread::sleep_for(microseconds{200});
      });
      const Background probes([&] {
        rig.tell(prober, Number{0});
        std::this_thread::sleep_for(microseconds{300});
      });
      if (control == nullptr) round.instants_ns = storm_hosts(storm, hosted, random);
      else storm_idle(storm, *control);
    }
    hosted.stop();
    const actor::MessageCounters counters = rig.system().counters();
    check(counters.sent == counters.ended(), "isolation: messages are lost");
    const link::HostEnd::Kind expected =
        storm.signal == SIGKILL ? link::HostEnd::Kind::signal : link::HostEnd::Kind::hang;
    check(hosted.ended_by(expected) == static_cast<std::int64_t>(round.instants_ns.size()),
          "isolation: a process has not ended as it was made to");
  }
  std::ranges::sort(times);
  check(!times.empty(), "isolation: nothing was measured");
  round.p99_us = static_cast<double>(times[times.size() * 99 / 100]) / 1e3;
  return round;
}

/// The medians of rounds that are played in turn.
struct Storms {
  std::int64_t times = 0;
  double p99_us = 0, control_us = 0;
};

Storms play_rounds(const Storm& storm, int rounds, unsigned workers) {
  std::mt19937_64 random(static_cast<std::uint64_t>(base::monotonic_ns()));
  std::vector<double> with, without;
  Storms all;
  for (int i = 0; i < rounds; ++i) {
    const Round round = play_round(storm, nullptr, workers, random);
    with.push_back(round.p99_us);
    all.times += static_cast<std::int64_t>(round.instants_ns.size());
    without.push_back(play_round(storm, &round.instants_ns, workers, random).p99_us);
  }
  all.p99_us = median(with);
  all.control_us = median(without);
  return all;
}

}  // namespace

Figures run_isolation_kills(const Plan& plan) {
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const Storm storm{.times = is_warm_up ? 20 : 2'000, .pause_us_max = 6'000};
    const Storms all = play_rounds(storm, is_warm_up ? 1 : 5, plan.workers);
    return {{"isolation_kills", static_cast<double>(all.times), "kills"},
            {"isolation_kills_p99_us", all.p99_us, "us"},
            {"isolation_control_p99_us", all.control_us, "us"},
            {"isolation_kills_ratio", all.p99_us / all.control_us, "x"}};
  });
}

Figures run_isolation_stops(const Plan& plan) {
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const Storm storm{.signal = SIGSTOP,
                      .times = is_warm_up ? 3 : 20,
                      .pause_us_max = 20'000,
                      .stuck_timeout_ns = 60 * base::ns_per_ms};
    const Storms all = play_rounds(storm, is_warm_up ? 1 : 5, plan.workers);
    return {{"isolation_stops", static_cast<double>(all.times), "stops"},
            {"isolation_stops_p99_us", all.p99_us, "us"},
            {"isolation_stops_control_us", all.control_us, "us"},
            {"isolation_stops_ratio", all.p99_us / all.control_us, "x"}};
  });
}

}  // namespace actord::bench
