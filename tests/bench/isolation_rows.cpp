// SPDX-License-Identifier: Apache-2.0
//
// What it costs that an actor lives in a host process: messages, beside the same actors in this
// process and beside two processes with a socket; and the time from a crash to the first message of
// the next incarnation, beside what the system itself takes to start and to end a process.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/clock.hpp"
#include "hosted_plugin.hpp"
#include "rows.hpp"

extern char** environ;

namespace actord::bench {

namespace {

// ---- messages -----------------------------------------------------------------------------------

// Seconds for so many hops between the two players.
double play(Rig& rig, Ref ping, Ref pong, std::int64_t hops) {
  Finish finish;
  const Ref referee = rig.spawn<Referee>(&finish);
  rig.tell(ping, Roles{pong, referee});
  rig.tell(pong, Roles{ping, referee});
  const Stopwatch watch;
  rig.tell(ping, hops);
  check(finish.wait() == 0, "isolation: the ball is lost");
  return watch.seconds();
}

// Seconds for so many messages from the source to the sink.
double send(Rig& rig, Ref source, Ref sink, std::int64_t n) {
  Finish finish;
  const Ref referee = rig.spawn<Referee>(&finish);
  rig.tell(sink, Roles{{}, referee});
  rig.tell(sink, Grow{0, n});
  rig.tell(source, Roles{sink, referee});
  const Stopwatch watch;
  rig.tell(source, n);
  check(finish.wait() == n * (n - 1) / 2, "isolation: another sum");
  return watch.seconds();
}

// Microseconds of a round trip after a pause, the median: from the tell of an actor in this process
// until it handles the answer.
double cold_round_trip_us(Rig& rig, Ref round_trip, Ref pong, int times) {
  std::vector<double> all;
  rig.tell(pong, Roles{round_trip, {}});
  for (int i = 0; i < times; ++i) {
    Finish finish;
    rig.tell(round_trip, Roles{pong, rig.spawn<Referee>(&finish)});
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
    rig.tell(round_trip, Number{1});
    all.push_back(static_cast<double>(finish.wait()) / 1e3);
  }
  return median(std::move(all));
}

// Microseconds of a round trip of 64 bytes over a socket between two processes.
double socket_round_trip_us(int times) {
  int ends[2];
  check(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0, "no sockets");
  char bytes[64] = {};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    while (read(ends[1], bytes, sizeof bytes) > 0) {
      if (write(ends[1], bytes, sizeof bytes) < 0) break;
    }
    _exit(0);
  }
  close(ends[1]);
  const Stopwatch watch;
  for (int i = 0; i < times; ++i) {
    check(write(ends[0], bytes, sizeof bytes) > 0, "the socket is closed");
    check(read(ends[0], bytes, sizeof bytes) > 0, "the socket is closed");
  }
  const double us = watch.seconds() * 1e6 / times;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return us;
}

// ---- crashes ------------------------------------------------------------------------------------

// Milliseconds from the end of the process, which `end` brings about, until the next incarnation of
// the actor handles a message that was sent directly after that. `end` returns its time.
template <class End>
double recovery_ms(Rig& rig, HostedPlugin& hosted, Ref actor, bool waits_for_spare, End&& end) {
  if (waits_for_spare) hosted.wait_for_spares(1);
  Finish alive, dead, back;
  rig.tell(actor, Roles{rig.spawn<Referee>(&dead), rig.spawn<Referee>(&alive)});
  alive.wait();
  const Ref referee = rig.spawn<Referee>(&back);
  const int process = hosted.process({});
  const std::int64_t ended_ns = end(referee, dead);
  const std::int64_t back_ns = back.wait();
  check(hosted.process({}) != process, "isolation_crash: the process lives");
  return static_cast<double>(back_ns - ended_ns) / 1e6;
}

// Milliseconds to start a program that does nothing, until it has said so.
double spawn_ms(const char* program) {
  int ends[2];
  check(pipe2(ends, O_CLOEXEC) == 0, "no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  const char* const words[] = {program, nullptr};
  const std::int64_t before = base::monotonic_ns();
  pid_t child = 0;
  check(posix_spawn(&child, words[0], &actions, nullptr, const_cast<char* const*>(words),
                    environ) == 0,
        "no process");
  close(ends[1]);
  char byte = 0;
  check(read(ends[0], &byte, 1) == 1, "the process has said nothing");
  const std::int64_t after = base::monotonic_ns();
  close(ends[0]);
  waitpid(child, nullptr, 0);
  posix_spawn_file_actions_destroy(&actions);
  return static_cast<double>(after - before) / 1e6;
}

// Milliseconds from kill() until the pidfd says that the process has ended.
double kill_ms() {
  const pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  const int watched = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  std::this_thread::sleep_for(std::chrono::milliseconds{2});
  const std::int64_t before = base::monotonic_ns();
  kill(child, SIGKILL);
  pollfd end{watched, POLLIN, 0};
  poll(&end, 1, -1);
  const std::int64_t after = base::monotonic_ns();
  close(watched);
  waitpid(child, nullptr, 0);
  return static_cast<double>(after - before) / 1e6;
}

template <class Measure>
double median_of(int times, Measure&& measure) {
  std::vector<double> all;
  for (int i = 0; i < times; ++i) all.push_back(measure());
  return median(std::move(all));
}

}  // namespace

Figures run_isolation(const Plan& plan) {
  Rig rig({.workers = plan.workers != 0 ? plan.workers : 1, .plugin = ACTORD_BOUNDARY_PLUGIN});
  HostedPlugin hosted(rig, 1);
  const Ref here = rig.spawn("boundary/Player"), there = hosted.spawn("Player");
  const Ref other = rig.spawn("boundary/Player"), round_trip = rig.spawn("boundary/RoundTrip");
  const Ref source = rig.spawn("boundary/Source"), sink = rig.spawn("boundary/Sink");
  const Ref hosted_sink = hosted.spawn("Sink");
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const std::int64_t n = is_warm_up ? 2'000 : 1'000'000;
    const int times = is_warm_up ? 3 : 101;
    const double hot = play(rig, here, there, n) / static_cast<double>(n) * 2 * 1e6;
    const double in_process = play(rig, here, other, n) / static_cast<double>(n) * 2 * 1e6;
    const double one_way = static_cast<double>(n) / send(rig, source, hosted_sink, n);
    const double one_way_here = static_cast<double>(n) / send(rig, source, sink, n);
    const double cold = cold_round_trip_us(rig, round_trip, there, times);
    const double socket = socket_round_trip_us(is_warm_up ? 100 : 100'000);
    return {{"isolation_hot_us", hot, "us"},
            {"isolation_in_process_us", in_process, "us"},
            {"isolation_socket_us", socket, "us"},
            {"isolation_cold_us", cold, "us"},
            {"isolation_one_way", one_way, "msg/s"},
            {"isolation_one_way_in_process", one_way_here, "msg/s"}};
  });
}

Figures run_isolation_crash(const Plan& plan) {
  const auto crash = [&](unsigned spare, bool by_kill, int times) {
    Rig rig({.workers = plan.workers, .plugin = ACTORD_BOUNDARY_PLUGIN});
    HostedPlugin hosted(rig, spare);
    const Ref actor = hosted.spawn("Mortal");
    std::int64_t last = 0;  // the same message twice would be poison
    return median_of(times, [&] {
      return recovery_ms(rig, hosted, actor, spare != 0, [&](Ref referee, Finish& dead) {
        const std::int64_t killed_ns = base::monotonic_ns();
        if (by_kill) kill(hosted.process({}), SIGKILL);
        else rig.tell(actor, Number{++last});
        rig.tell(actor, Roles{{}, referee});
        return by_kill ? killed_ns : dead.wait();
      });
    });
  };
  // Without arguments it only says that it is not for people: what the loader takes for a program
  // in C++, whose library the plugin needs.
  const std::string host = isolate::IsolationOptions{}.executable;
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const int times = is_warm_up ? 2 : 101;
    return {{"crash_kill_spare_ms", crash(1, true, times), "ms"},
            {"crash_kill_cold_ms", crash(0, true, times), "ms"},
            {"crash_segv_spare_ms", crash(1, false, times), "ms"},
            {"spawn_exec_ms", median_of(times, [] { return spawn_ms("/bin/echo"); }), "ms"},
            {"spawn_host_ms", median_of(times, [&] { return spawn_ms(host.c_str()); }), "ms"},
            {"kill_to_pidfd_ms", median_of(times, &kill_ms), "ms"}};
  });
}

}  // namespace actord::bench
