// SPDX-License-Identifier: Apache-2.0
//
// The soak: a system on real threads under a load of failures, spawns, stops, timers, watches and
// asks, for as many seconds as given. At the end all messages and blocks must be accounted for.
//
//   actord-soak [--seconds N] [--workers N]
//
// Prints a line every ten seconds. Exits with 1 if messages or blocks are unaccounted for, an actor
// is left, memory grows by 5 % or more after the first minute, or fewer than 1000 restarts happen a
// second. A run of up to 60 seconds checks neither memory nor restarts.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <future>
#include <string_view>
#include <thread>

#include "base/clock.hpp"
#include "log/hub.hpp"
#include "sched/thread_executor.hpp"
#include "sdk/host_table.hpp"
#include "soak/soak_actors.hpp"
#include "support/wait.hpp"
#include "system/actor_system.hpp"

namespace {

using namespace actord;
using soak::Tally;

constexpr int line_every_s = 10, settled_after_s = 60;
constexpr double growth_max = 0.05, restarts_per_s_min = 1'000;

struct SoakOptions {
  int seconds = 300;
  int workers = 8;
};

double resident_mb() {
  long all = 0, resident = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  ACTORD_ASSERT(file != nullptr && std::fscanf(file, "%ld %ld", &all, &resident) == 2);
  std::fclose(file);
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1048576.0;
}

/// The system, a sink that reads the log and throws it away, and the tree.
class Soak {
 public:
  explicit Soak(const SoakOptions& options)
      : hub_([] { return base::monotonic_ns(); }, {.level = log::Level::warning}),
        sink_([this] { drain(); }),
        system_(settings_for(options), executor_, hub_, sdk::host_table()) {
    using namespace soak;
    const auto added = system_.add_plugin(
        *plugin_table<Behaviours<Boss, Foreman, PatientForeman, Hand, Transient>,
                      Messages<Pulse, Wake, Job, WatchRequest, Question, Answer>>("soak", "1"));
    ACTORD_ASSERT(added.ok());
    actor::Deployment bounded;
    bounded.pattern = "/user/boss/*/bounded";
    bounded.options.mailbox_capacity = 16;
    system::SystemListener listener;
    listener.on_ready = [this] { ready_.count_down(); };
    listener.on_stopped = [this] { stopped_.set_value(); };
    system_.start(*system_.build_snapshot({.deployments = {bounded}}), std::move(listener));
    ready_.wait("a system that is ready");
    auto props = system_.props_of(detail::props_of<Boss>(
        &tally_, static_cast<std::uint32_t>(std::max(2 * options.workers, 4))));
    ACTORD_ASSERT(system_.spawn("boss", std::move(*props)).ok());
  }
  ~Soak() {
    is_draining_.store(false);
    hub_.interrupt();
    const support::TimeLimit limit("the end of the sink");
    sink_.join();
  }

  /// Returns true if the system stops by itself within `time`.
  bool wait(std::chrono::milliseconds time) {
    return has_stopped_.wait_for(time) == std::future_status::ready;
  }
  void stop() {
    system_.terminate();
    const support::TimeLimit limit("the end of the system and of its threads");
    has_stopped_.wait();
    system_.join();
  }

  Tally& tally() { return tally_; }
  system::ActorSystem& system() { return system_; }

 private:
  static system::SystemSettings settings_for(const SoakOptions& options) {
    system::SystemSettings settings;
    settings.name = "soak";
    settings.workers = static_cast<unsigned>(options.workers);
    settings.live.dead_letters.logged = 0;
    return settings;
  }
  void drain() {
    while (is_draining_.load()) {
      hub_.wait_for_records();
      hub_.drain([](const log::Record&) {});
    }
  }

  Tally tally_;
  sched::ThreadExecutor executor_;
  log::Hub hub_;
  std::atomic<bool> is_draining_{true};
  std::thread sink_;
  support::Latch ready_{1};
  std::promise<void> stopped_;
  std::future<void> has_stopped_ = stopped_.get_future();
  system::ActorSystem system_;
};

/// Prints the lines, and measures how memory grows.
class Progress {
 public:
  explicit Progress(Tally& tally) : tally_(tally) {}

  void line(double at_s) {
    const double span = at_s - last_s_;
    const double memory = resident_mb();
    std::printf("%5.0f s %10.0f messages/s %7.0f restarts/s %7.0f spawns/s %7.1f MB resident\n",
                at_s, rate(tally_.messages, messages_, span),
                rate(tally_.restarts, restarts_, span), rate(tally_.spawns, spawns_, span), memory);
    std::fflush(stdout);
    last_s_ = at_s;
    if (at_s >= settled_after_s) (settled_mb_ == 0 ? settled_mb_ : last_mb_) = memory;
  }
  /// Growth of memory from the line at one minute to the last one, as a share; 0: the run was too
  /// short.
  double growth() const { return last_mb_ == 0 ? 0 : last_mb_ / settled_mb_ - 1; }
  double settled_mb() const { return settled_mb_; }
  double last_mb() const { return last_mb_; }

 private:
  static double rate(Tally::Count& count, std::uint64_t& before, double span) {
    const std::uint64_t now = count.load(std::memory_order_relaxed);
    return static_cast<double>(now - std::exchange(before, now)) / span;
  }

  Tally& tally_;
  std::uint64_t messages_ = 0, restarts_ = 0, spawns_ = 0;
  double last_s_ = 0, settled_mb_ = 0, last_mb_ = 0;
};

bool holds(bool condition, const char* what) {
  if (!condition) std::printf("FAIL %s\n", what);
  return condition;
}

bool check_conservation(Soak& soak) {
  Tally& tally = soak.tally();
  const actor::MessageCounters counters = soak.system().counters();
  const std::size_t blocks = soak.system().blocks_in_use();
  std::printf(
      "%llu messages sent, %llu accounted for; %zu blocks of %zu in use; %lld instances left\n",
      static_cast<unsigned long long>(counters.sent),
      static_cast<unsigned long long>(counters.ended()), blocks, soak.system().envelopes.carved(),
      static_cast<long long>(tally.instances.load()));
  std::printf(
      "%llu escalations, %llu resumes, %llu Terminated, %llu answers, %llu missed, %llu beats\n",
      static_cast<unsigned long long>(tally.escalations.load()),
      static_cast<unsigned long long>(tally.resumes.load()),
      static_cast<unsigned long long>(tally.watched_ends.load()),
      static_cast<unsigned long long>(tally.answers.load()),
      static_cast<unsigned long long>(tally.no_answers.load()),
      static_cast<unsigned long long>(tally.beats.load()));
  bool is_good = holds(counters.sent == counters.ended(), "conservation of messages");
  is_good &= holds(blocks == 0, "conservation of blocks");
  is_good &= holds(tally.instances.load() == 0, "every actor destroyed");
  return is_good;
}

bool run(const SoakOptions& options) {
  Soak soak(options);
  Progress progress(soak.tally());
  const std::int64_t start = base::monotonic_ns();
  const auto seconds = [&] { return static_cast<double>(base::monotonic_ns() - start) * 1e-9; };
  bool is_good = true;
  for (int next = std::min(line_every_s, options.seconds); is_good;) {
    const double left_s = next - seconds();
    const auto left = std::chrono::milliseconds(static_cast<std::int64_t>(left_s * 1e3) + 1);
    is_good = holds(left_s <= 0 || !soak.wait(left), "the system runs until it is stopped");
    progress.line(seconds());
    if (next == options.seconds) break;
    next = std::min(next + line_every_s, options.seconds);
  }
  const double restarts_per_s = static_cast<double>(soak.tally().restarts.load()) / seconds();
  soak.stop();
  is_good &= check_conservation(soak);
  is_good &= holds(soak.tally().watched_ends.load() != 0, "watchers get Terminated");
  if (options.seconds <= settled_after_s) return is_good;
  std::printf("%.1f MB at one minute, %.1f MB at the end: %+.1f %%\n", progress.settled_mb(),
              progress.last_mb(), progress.growth() * 100);
  is_good &= holds(progress.growth() < growth_max, "memory is flat after the first minute");
  is_good &= holds(restarts_per_s >= restarts_per_s_min, "at least 1000 restarts/s");
  return is_good;
}

int usage(const char* why) {
  std::fprintf(stderr, "actord-soak: %s\nusage: actord-soak [--seconds N] [--workers N]\n", why);
  return 64;
}

}  // namespace

int main(int argc, char** argv) {
  SoakOptions options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    int* const number = word == "--seconds"   ? &options.seconds
                        : word == "--workers" ? &options.workers
                                              : nullptr;
    if (number == nullptr) return usage(("no such option: " + std::string{word}).c_str());
    const std::string_view text = i + 1 == argc ? "" : argv[++i];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
    if (error != std::errc{} || end != text.data() + text.size() || *number <= 0)
      return usage((std::string{word} + " wants a number above 0").c_str());
  }
  const bool is_good = run(options);
  std::puts(is_good ? "soak: holds" : "soak: does not hold");
  return is_good ? 0 : 1;
}
