// SPDX-License-Identifier: Apache-2.0
//
// Real host processes, with a guest that does what a frame says (scripted_guest.cpp).
#include "isolate/host_pool.hpp"

#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "os/crash_handler.hpp"
#include "support/wait.hpp"
#include "testkit/world.hpp"

namespace actord::isolate {

namespace {

using Kind = link::HostEnd::Kind;
using support::wait_until;

const std::string plugin_file = ACTORD_BAD_PLUGINS "/mortal.so";

IsolationOptions test_options() {
  IsolationOptions options;
  options.executable = ACTORD_SCRIPTED_HOST;
  options.spare = 0;
  return options;
}

/// A pool with a plugin of that name, and what it has told.
struct Hosts {
  explicit Hosts(
      IsolationOptions options = test_options(), const std::string& welcome = {},
      const std::string& name = "mortal", const std::string& file = plugin_file,
      bool has_attach = true, std::function<void()> on_welcome = [] {})
      : pool(world.system(), std::move(options), events()), plugin(name) {
    auto copy = os::SealedCopy::of(file, "actord:test", SIZE_MAX);
    REQUIRE(copy.ok());
    hosted = {name,
              file,
              std::make_shared<const os::SealedCopy>(std::move(*copy)),
              [welcome, on_welcome] { return on_welcome(), welcome; },
              [this](std::string_view request, std::string& answer) {
                const std::lock_guard lock(mutex);
                asked.emplace_back(request);
                answer = "answer to " + std::string{request};
                return request != "what must not be";
              },
              has_attach};
    pool.add_plugin(hosted);
  }
  ~Hosts() { pool.end_all(); }

  void use_newer_plugin() { pool.add_plugin(hosted); }

  IsolationEvents events() {
    return {[this](const HostFacts&) { ++started; }, [this](const HostFacts&) { ++ready; },
            [this](const HostFacts& facts, const HostDeath& death) {
              const std::lock_guard lock(mutex);
              deaths.push_back(death);
              dead_groups.push_back(facts.group);
            },
            [this](const HostFacts&, const StuckCall& call) {
              const std::lock_guard lock(mutex);
              stuck.push_back(call);
            }};
  }
  link::HostPtr get(const std::string& group = "all") {
    auto host = pool.host_for({plugin, group});
    if (!host) MESSAGE(host.error().what);
    REQUIRE(host.ok());
    return *host;
  }
  std::string why_not() {
    const auto host = pool.host_for({plugin, "all"});
    REQUIRE_FALSE(host.ok());
    return host.error().what;
  }
  bool was_asked(std::string_view request) {
    const std::lock_guard lock(mutex);
    return std::ranges::find(asked, request) != asked.end();
  }
  HostDeath death(std::size_t number = 0) {
    wait_until(
        [&] {
          const std::lock_guard lock(mutex);
          return deaths.size() > number;
        },
        "the end of the host");
    const std::lock_guard lock(mutex);
    return deaths[number];
  }

  testkit::World world;
  std::atomic<int> started{0}, ready{0};
  std::mutex mutex;
  std::vector<HostDeath> deaths;
  std::vector<std::string> dead_groups, asked;
  std::vector<StuckCall> stuck;
  HostPool pool;
  const std::string plugin;
  HostedPlugin hosted;
};

struct Reply {
  link::Channel::Turned turned;
  std::string requests;
};

Reply call(link::Host& host, std::string_view frame) {
  link::Channel& channel = host.acquire();
  Reply reply;
  reply.turned = channel.exchange(frame, reply.requests);
  host.release(channel);
  return reply;
}

/// 'R', 'S', 'T' …; '-': there is no such process.
char state_of(int process) {
  std::string status;
  std::getline(std::ifstream("/proc/" + std::to_string(process) + "/stat"), status);
  const std::size_t name_end = status.rfind(") ");
  return name_end == status.npos ? '-' : status.at(name_end + 2);
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_SUITE_BEGIN("isolate/host_pool");

TEST_CASE("a host is started when it is asked for, and does what frames say") {
  Hosts hosts;
  CHECK(hosts.started == 0);
  const auto host = hosts.get();
  CHECK(host->is_alive());
  CHECK(call(*host, "echo hello").requests == "hello");
  CHECK(call(*host, "echo " + std::string(300000, 'x')).requests == std::string(300000, 'x'));
  CHECK(hosts.get() == host);
  CHECK(hosts.started == 1);
  wait_until([&] { return hosts.ready == 1; }, "the news that the host is ready");
}

TEST_CASE("each group has a process of its own") {
  Hosts hosts;
  const auto one = hosts.get("one"), two = hosts.get("two");
  CHECK(call(*one, "pid").requests != call(*two, "pid").requests);
  CHECK(hosts.pool.hosts().size() == 2);
}

TEST_CASE("many threads call into a process at once, and wait for a lane if there is none") {
  auto options = test_options();
  options.lanes = 3;
  Hosts hosts(options);
  const auto host = hosts.get();
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int j = 0; j < 500; ++j) {
        const std::string text = std::to_string(i) + '/' + std::to_string(j);
        if (call(*host, "echo " + text).requests == text) ++right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 4000);
}

TEST_CASE("a crash is told at once by its signal, its place and its work") {
  if (!os::can_report_crashes) return;
  Hosts hosts;
  const auto host = hosts.get();
  const Reply reply = call(*host, "first before the crash/crash");
  CHECK_FALSE(reply.turned.is_alive);
  CHECK(reply.turned.was_started);
  CHECK(reply.requests == "before the crash");
  CHECK_FALSE(host->is_alive());
  const link::HostEnd end = host->end();
  CHECK(end.kind == Kind::signal);
  CHECK(end.number == SIGSEGV);
  CHECK(end.signal == "SIGSEGV");
  CHECK(has(end.detail, "at address 0x0 in "));
  CHECK(has(end.detail, "crash_here"));
  const HostDeath death = hosts.death();
  CHECK(death.end.detail == end.detail);
  CHECK(death.work == "first before the crash/crash");
  REQUIRE_FALSE(death.stack.empty());
  CHECK(has(death.stack.front(), "crash_here"));
  CHECK(hosts.get() != host);
}

TEST_CASE("abort() and exit() are told with what has called them") {
  if (!os::can_report_crashes) return;
  Hosts hosts;
  auto host = hosts.get();
  CHECK_FALSE(call(*host, "abort").turned.is_alive);
  CHECK(host->end().signal == "SIGABRT");
  host = hosts.get();
  CHECK_FALSE(call(*host, "exit 3").turned.is_alive);
  CHECK(host->end().kind == Kind::exited);
  CHECK(host->end().number == 3);
  CHECK(has(host->end().detail, "exit(3) was called in "));
  host = hosts.get();
  CHECK_FALSE(call(*host, "_exit 4").turned.is_alive);
  CHECK(host->end().number == 4);
  host = hosts.get();
  CHECK_FALSE(call(*host, "leave").turned.is_alive);
  CHECK(has(host->end().detail, "pthread_exit() was called in "));
}

TEST_CASE("a process that is killed is found by the kernel's word") {
  Hosts hosts;
  const auto host = hosts.get();
  const Reply reply = call(*host, "first said before/kill");
  CHECK_FALSE(reply.turned.is_alive);
  CHECK(reply.turned.was_started);
  CHECK(reply.requests == "said before");
  CHECK(host->end().kind == Kind::signal);
  CHECK(host->end().signal == "SIGKILL");
}

TEST_CASE("an idle process that is killed ends, and the next call goes to another one") {
  Hosts hosts;
  const auto host = hosts.get();
  ::kill(std::stoi(call(*host, "pid").requests), SIGKILL);
  wait_until([&] { return !host->is_alive(); }, "the end of the process");
  CHECK(host->end().signal == "SIGKILL");
  const Reply reply = call(*host, "echo x");
  CHECK_FALSE(reply.turned.is_alive);
  CHECK_FALSE(reply.turned.was_started);
  CHECK(call(*hosts.get(), "echo x").requests == "x");
}

TEST_CASE("a call beside the one that crashes is told that it is not to blame") {
  if (!os::can_report_crashes) return;
  Hosts hosts;
  const auto host = hosts.get();
  Reply beside;
  std::thread thread([&] { beside = call(*host, "tell-and-hang it hangs"); });
  wait_until([&] { return hosts.was_asked("it hangs"); }, "the call to hang");
  const Reply guilty = call(*host, "crash");
  thread.join();
  CHECK_FALSE(guilty.turned.is_alive);
  CHECK_FALSE(guilty.turned.is_bystander);
  CHECK_FALSE(beside.turned.is_alive);
  CHECK(beside.turned.was_started);
  CHECK(beside.turned.is_bystander);
}

TEST_CASE("an overflow of the stack is told as any other crash") {
  if (!os::can_report_crashes) return;
  Hosts hosts;
  const auto host = hosts.get();
  CHECK_FALSE(call(*host, "overflow").turned.is_alive);
  CHECK(host->end().signal == "SIGSEGV");
  CHECK(has(host->end().detail, "overflow_here"));
}

TEST_CASE("a process that the plugin forks may crash, and the host goes on") {
  Hosts hosts;
  const auto host = hosts.get();
  if (os::can_report_crashes) CHECK(call(*host, "fork-crash").requests == "11");
  // A sanitizer reports the memory of the parent as leaked.
  if (os::can_report_crashes) CHECK(call(*host, "fork-exit").requests == "0");
  CHECK(host->is_alive());
  CHECK(call(*host, "echo x").requests == "x");
}

TEST_CASE("a host keeps within its limits, and has descriptors of its own only") {
  auto options = test_options();
  options.nofile = 77;
  options.memory_max = std::uint64_t{4} << 30;
  Hosts hosts(options);
  const bool is_limited = os::can_report_crashes;  // not in a sanitizer's build
  CHECK(call(*hosts.get(), "limits").requests ==
        (is_limited ? "core 0, files 77, memory 4294967296" : "core 0, files 77, memory -1"));
  // Those of 0 to 2, the socket, and the copy of the plugin.
  CHECK(call(*hosts.get(), "descriptors").requests == "5");
}

TEST_CASE("a host does not end by a signal that is meant for its service") {
  Hosts hosts;
  const auto host = hosts.get();
  const int id = std::stoi(call(*host, "pid").requests);
  for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGPIPE}) ::kill(id, signal);
  CHECK(call(*host, "echo x").requests == "x");
  CHECK(::getpgid(id) == id);
}

TEST_CASE("a host ends with the process that has started it") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t daemon = ::fork();
  if (daemon == 0) {
    ::alarm(60);
    Hosts hosts;
    const std::string id = call(*hosts.get(), "pid").requests;
    static_cast<void>(::write(ends[1], id.c_str(), id.size() + 1));
    for (;;) ::pause();
  }
  char id[32] = {};
  REQUIRE(::read(ends[0], id, sizeof id - 1) > 0);
  const int process = std::stoi(id);
  CHECK(state_of(process) != '-');
  ::kill(daemon, SIGKILL);
  ::waitpid(daemon, nullptr, 0);
  // It may stay as a zombie until the process that takes over orphans looks at it.
  wait_until([&] { return state_of(process) == '-' || state_of(process) == 'Z'; },
             "the end of the host");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE("a crash of a thread that the plugin has started ends the process") {
  if (!os::can_report_crashes) return;
  Hosts hosts;
  const auto host = hosts.get();
  CHECK_FALSE(call(*host, "thread-crash").turned.is_alive);
  CHECK(host->end().signal == "SIGSEGV");
}

TEST_CASE("a call that does not return is warned of, and then its process is killed") {
  auto options = test_options();
  options.stuck_timeout_ns = 600 * base::ns_per_ms;
  Hosts hosts(options);
  const auto host = hosts.get();
  CHECK_FALSE(call(*host, "hang").turned.is_alive);
  const link::HostEnd end = host->end();
  CHECK(end.kind == Kind::hang);
  CHECK(has(end.detail, "a call has not returned after 600 ms"));
  if (os::can_report_crashes) CHECK(has(end.detail, "hang_here"));
  hosts.death();
  REQUIRE(hosts.stuck.size() == 1);
  CHECK(hosts.stuck[0].work == "hang");
}

TEST_CASE("a process that a signal has stopped is killed as one that hangs") {
  auto options = test_options();
  options.stuck_timeout_ns = 300 * base::ns_per_ms;
  Hosts hosts(options);
  const auto host = hosts.get();
  CHECK_FALSE(call(*host, "stop").turned.is_alive);
  CHECK(host->end().kind == Kind::hang);
  CHECK(has(host->end().detail, "because a signal has stopped the process"));
}

TEST_CASE("a call into a process that was stopped before is not started") {
  auto options = test_options();
  options.stuck_timeout_ns = 300 * base::ns_per_ms;
  Hosts hosts(options);
  const auto host = hosts.get();
  const int id = std::stoi(call(*host, "pid").requests);
  ::kill(id, SIGSTOP);
  wait_until([&] { return state_of(id) == 'T'; }, "the process to be stopped");
  const Reply reply = call(*host, "echo x");
  CHECK_FALSE(reply.turned.is_alive);
  CHECK_FALSE(reply.turned.was_started);
  CHECK(host->end().kind == Kind::hang);
}

TEST_CASE("a process whose plugin closes all descriptors ends for that") {
  Hosts hosts;
  const auto host = hosts.get();
  call(*host, "close");
  CHECK_FALSE(call(*host, "tell something").turned.is_alive);
  CHECK(host->end().kind == Kind::protocol);
  CHECK(has(host->end().detail, "it has closed its connection to actord"));
}

TEST_CASE("other threads of a plugin ask actord, also while it is attached") {
  Hosts hosts(test_options(), "ask");
  const auto host = hosts.get();
  CHECK(call(*host, "ask for this").requests == "answer to for this");
  const std::string much(500000, 'x');
  CHECK(call(*host, "ask " + much).requests == "answer to " + much);
  call(*host, "tell that");
  call(*host, "ask for this");
  const std::lock_guard lock(hosts.mutex);
  CHECK(hosts.asked == std::vector<std::string>{"in attach", "for this", much, "that", "for this"});
}

TEST_CASE("a process that asks for what it must not ask for is killed") {
  Hosts hosts;
  const auto host = hosts.get();
  CHECK_FALSE(call(*host, "ask what must not be").turned.is_alive);
  CHECK(host->end().kind == Kind::protocol);
  CHECK(has(host->end().detail, "it has asked for what it must not ask for"));
}

TEST_CASE("kill() ends the process for the reason that is given") {
  Hosts hosts;
  const auto host = hosts.get();
  host->kill(Kind::protocol, "it lies");
  CHECK_FALSE(host->is_alive());
  CHECK(host->end().kind == Kind::protocol);
  CHECK(host->end().detail == "it lies");
  CHECK(hosts.death().end.detail == "it lies");
}

TEST_CASE("a host that cannot begin says why") {
  {
    Hosts hosts(test_options(), "refuse");
    CHECK(has(hosts.why_not(), "it does not like the welcome"));
  }
  if (os::can_report_crashes) {
    Hosts hosts(test_options(), "crash");
    CHECK(has(hosts.why_not(), "it was ended by SIGSEGV at address 0x0"));
  }
  {
    auto options = test_options();
    options.start_timeout_ns = 3 * base::ns_per_s;  // exec and the load of the plugin count, too
    Hosts hosts(options, "hang");
    CHECK(has(hosts.why_not(), "attach() has not returned after 3 s"));
  }
  {
    auto options = test_options();
    options.start_timeout_ns = 300 * base::ns_per_ms;
    Hosts hosts(options, "", "endless", ACTORD_BAD_PLUGINS "/static_endless.so");
    CHECK(has(hosts.why_not(), "the plugin was not loaded after 300 ms"));
  }
  {
    Hosts hosts(test_options(), "", "no_entry", ACTORD_BAD_PLUGINS "/no_entry.so");
    CHECK(has(hosts.why_not(), "it does not export actord_plugin_v1"));
  }
  {
    auto options = test_options();
    options.executable = "/does/not/exist";
    Hosts hosts(options);
    CHECK(has(hosts.why_not(), "cannot run /does/not/exist: No such file or directory"));
  }
  Hosts hosts;
  const auto host = hosts.pool.host_for({"unknown", ""});
  REQUIRE_FALSE(host.ok());
  CHECK(has(host.error().what, "there is no plugin \"unknown\""));
}

TEST_CASE("a host that does not keep to the protocol of its socket is killed") {
  const auto why = [](const std::string& name, bool is_patient = true) {
    auto options = test_options();
    if (!is_patient) options.start_timeout_ns = 300 * base::ns_per_ms;
    Hosts hosts(options, "", name);
    return hosts.why_not();
  };
  CHECK(has(why("liar_silent", false), "was not loaded after 300 ms"));
  CHECK(has(why("liar_early"), "it has asked for what it must not ask for"));
  CHECK(has(why("liar_long"), "it has sent a packet that is too long"));
  CHECK(has(why("liar_short"), "it has sent a packet that is none of its protocol"));
  CHECK(has(why("liar_mixed"), "it has begun a step before it has ended the one before"));
  CHECK(has(why("liar_endless"), "it has sent a step of more than 64 MiB"));
  CHECK(has(why("liar_deaf"), "it has closed its connection to actord"));
}

TEST_CASE("after a crash a spare takes the place, and another spare is started") {
  if (!os::can_report_crashes) return;
  auto options = test_options();
  options.spare = 1;
  Hosts hosts(options);
  auto host = hosts.get();
  const auto has_spare = [&] {
    const auto facts = hosts.pool.hosts();
    return facts.size() == 2 && hosts.started == hosts.ready + 1;
  };
  for (int i = 0; i < 3; ++i) {
    wait_until(has_spare, "a spare");
    const int started = hosts.started;
    call(*host, "crash");
    host = hosts.get();
    CHECK(call(*host, "echo x").requests == "x");
    wait_until([&] { return hosts.started == started + 1; }, "the next spare");
  }
}

namespace {

int wait_for_spare(const HostPool& pool) {
  int spare = 0;
  wait_until(
      [&] {
        for (const HostFacts& facts : pool.hosts())
          if (!facts.is_adopted && facts.was_spare) spare = facts.process_id;
        return spare != 0;
      },
      "a spare");
  return spare;
}

}  // namespace

TEST_CASE("a spare that is killed is not given to an actor") {
  for (const bool has_attach : {true, false}) {
    CAPTURE(has_attach);
    auto options = test_options();
    options.spare = 1;
    Hosts hosts(options, {}, "mortal", plugin_file, has_attach);
    hosts.get();
    for (int i = 0; i < 4; ++i) {
      ::kill(wait_for_spare(hosts.pool), SIGKILL);
      const std::string group = "group " + std::to_string(i);
      Reply reply = call(*hosts.get(group), "echo x");
      // One that was attached may seem to live a little longer. Then the call has not begun.
      if (!has_attach && !reply.turned.is_alive) {
        CHECK_FALSE(reply.turned.was_started);
        reply = call(*hosts.get(group), "echo x");
      }
      CHECK(reply.requests == "x");
    }
  }
}

// The guest here asks when it is attached, which a plugin without attach() cannot do.
TEST_CASE("a spare is attached before an actor needs it, unless the plugin would see that") {
  for (const bool has_attach : {true, false}) {
    CAPTURE(has_attach);
    auto options = test_options();
    options.spare = 1;
    Hosts hosts(options, "ask", "mortal", plugin_file, has_attach);
    const auto asked = [&] {
      const std::lock_guard lock(hosts.mutex);
      return hosts.asked.size();
    };
    hosts.get();
    wait_for_spare(hosts.pool);
    if (!has_attach) wait_until([&] { return asked() == 2; }, "the spare to be attached");
    CHECK(asked() == (has_attach ? 1 : 2));
    CHECK(call(*hosts.get("another"), "echo x").requests == "x");
    CHECK(asked() >= 2);
  }
}

TEST_CASE("a host without actors is ended in order after a while, and so are its spares") {
  auto options = test_options();
  options.spare = 1;
  options.unused_ns = 2 * base::ns_per_s;  // more than the start of a host under a sanitizer
  Hosts hosts(options);
  const auto host = hosts.get();
  const auto instance = host->move_in(actor::nobody, 0);
  wait_until([&] { return hosts.started == 2; }, "the spare");
  CHECK(call(*host, "echo x").requests == "x");
  CHECK(host->is_alive());
  host->move_out(instance);
  CHECK(hosts.death(0).end.kind == Kind::closed);
  CHECK(hosts.death(1).end.kind == Kind::closed);
  CHECK(hosts.pool.hosts().empty());
  CHECK(call(*hosts.get(), "echo x").requests == "x");
}

TEST_CASE("a spare that is not wanted any more while it starts ends in order") {
  auto options = test_options();
  options.spare = 1;
  support::Latch is_starting{1}, is_unwanted{1};
  std::atomic<int> welcomes{0};
  const auto wait_in_start_of_spare = [&] {
    if (++welcomes != 3) return;  // the first host takes two, for its start and its attach
    is_starting.count_down();
    is_unwanted.wait("the spare to be unwanted");
  };
  Hosts hosts(options, {}, "mortal", plugin_file, false, wait_in_start_of_spare);
  const auto host = hosts.get();
  is_starting.wait("the start of the spare");
  hosts.use_newer_plugin();
  is_unwanted.count_down();
  const HostDeath death = hosts.death();
  CHECK(death.end.kind == Kind::closed);
  CHECK_FALSE(death.was_late);
  CHECK(call(*host, "echo x").requests == "x");
}

TEST_CASE("a pool that ends takes its hosts along, also one that hangs") {
  auto options = test_options();
  options.end_grace_ns = 300 * base::ns_per_ms;
  Hosts hosts(options);
  const auto busy = hosts.get("busy"), idle = hosts.get("idle");
  std::thread thread([&] { call(*busy, "hang"); });
  hosts.pool.end_all();
  thread.join();
  CHECK(hosts.deaths.size() == 2);
  CHECK_FALSE(hosts.pool.host_for({"mortal", "all"}).ok());
}

TEST_CASE("hosts are counted by how they have ended") {
  auto options = test_options();
  options.stuck_timeout_ns = 500 * base::ns_per_ms;
  Hosts hosts(options);
  const auto idle = hosts.get("idle");
  call(*hosts.get("one"), "hang");
  hosts.death(0);
  call(*hosts.get("two"), "kill");
  hosts.death(1);
  const HostCounts counts = hosts.pool.counts().at("mortal");
  CHECK(counts.started == 3);
  CHECK(counts.of(HostOutcome::hang) == 1);
  CHECK(counts.of(HostOutcome::crashed) == 1);
  CHECK(counts.of(HostOutcome::stopped) == 0);
  CHECK(counts.killed() == 1);
  hosts.pool.end_all();
  CHECK(hosts.pool.counts().at("mortal").of(HostOutcome::stopped) == 1);
}

TEST_CASE("a host leaves no descriptor behind") {
  const auto count = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                         std::filesystem::directory_iterator{});
  };
  Hosts hosts;
  hosts.get();
  const auto before = count();
  for (int i = 0; i < 20; ++i) {
    const auto host = hosts.get();
    host->kill(Kind::protocol, "for a test");
    hosts.death(static_cast<std::size_t>(i));
  }
  hosts.get();
  wait_until([&] { return count() <= before; }, "the descriptors to be closed");
}

TEST_SUITE_END();

}  // namespace actord::isolate
