// SPDX-License-Identifier: Apache-2.0
//
// Takes the place of link::Guest in the program `scripted-host`: each frame is a command for a
// test, so that a host process can be brought to every end without a plugin for each.
#include "link/guest.hpp"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>

#include "base/sync.hpp"
#include "os/process.hpp"

namespace actord::link {

namespace {

volatile int* nowhere = nullptr;

[[gnu::noinline]] void crash_here() { *nowhere = 1; }

[[gnu::noinline]] void hang_here() {
  for (;;) base::cpu_relax();
}

// Each level hands its frame to the next, so that no compiler makes a loop of it.
[[gnu::noinline]] int overflow_here(volatile const char* above) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(above[0] + 1);
  return overflow_here(frame) + frame[0];
}

void exit_here() { std::exit(0); }  // NOLINT(concurrency-mt-unsafe)

// The signal that has ended a child, or its exit status.
int status_of_child(void (*act)()) {
  const pid_t child = ::fork();
  if (child == 0) act();
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

std::string limits() {
  const auto limit = [](auto what) {
    rlimit found = {};
    ::getrlimit(what, &found);
    return std::to_string(static_cast<std::int64_t>(found.rlim_cur));
  };
  return "core " + limit(RLIMIT_CORE) + ", files " + limit(RLIMIT_NOFILE) + ", memory " +
         limit(RLIMIT_AS);
}

std::ptrdiff_t open_descriptors() {
  // Without the one that lists them.
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                       std::filesystem::directory_iterator{}) -
         1;
}

int number_in(std::string_view text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

struct GuestState {
  Guest::Surroundings surroundings;

  void answer_from_outside(HostChannel& channel, std::string_view request) {
    std::string answer;
    std::thread([&] { surroundings.outside->ask(request, &answer); }).join();
    channel.put(answer);
  }

  void tell_and_hang(std::string_view request) {
    surroundings.outside->ask(request, nullptr);
    hang_here();
  }

  void obey(HostChannel& channel, std::string_view command, std::string_view rest) {
    if (command == "echo") channel.put(rest);
    else if (command == "pid") channel.put(std::to_string(os::process_id()));
    else if (command == "crash") crash_here();
    else if (command == "abort") std::abort();
    else if (command == "kill") ::kill(os::process_id(), SIGKILL);
    else if (command == "exit") std::exit(number_in(rest));  // NOLINT(concurrency-mt-unsafe)
    else if (command == "_exit") ::_exit(number_in(rest));
    else if (command == "leave") ::pthread_exit(nullptr);
    else if (command == "hang") hang_here();
    else if (command == "stop") ::raise(SIGSTOP);
    else if (command == "thread-crash") std::thread(&crash_here).join();
    else if (command == "ask") answer_from_outside(channel, rest);
    else if (command == "tell") surroundings.outside->ask(rest, nullptr);
    else if (command == "tell-and-hang") tell_and_hang(rest);
    else if (command == "overflow") channel.put(std::to_string(overflow_here("x")));
    else if (command == "fork-crash") channel.put(std::to_string(status_of_child(&crash_here)));
    else if (command == "fork-exit") channel.put(std::to_string(status_of_child(&exit_here)));
    else if (command == "limits") channel.put(limits());
    else if (command == "descriptors") channel.put(std::to_string(open_descriptors()));
    else if (command == "close") ::close_range(0, ~0U, 0);
    else channel.put("?");
  }
};

Guest::Guest(const actord_plugin&, Surroundings surroundings)
    : state_(new GuestState{surroundings}) {}
Guest::~Guest() = default;

/// The welcome is a command, too.
base::Result<void> Guest::attach(std::string_view welcome) {
  if (welcome == "refuse") return base::Error{"it does not like the welcome"};
  if (welcome == "hang") hang_here();
  if (welcome == "crash") crash_here();
  std::string answer;
  if (welcome == "ask") state_->surroundings.outside->ask("in attach", &answer);
  return {};
}

void Guest::serve(HostChannel& channel) {
  for (std::string_view frame; channel.turn(frame);) {
    const std::string_view command = frame.substr(0, frame.find(' '));
    std::string_view rest = frame.substr(std::min(frame.size(), command.size() + 1));
    state_->surroundings.note_work(frame.substr(0, 64));
    // "first TEXT/COMMAND": puts the text, and goes on with the command
    if (command == "first") {
      const std::size_t slash = rest.find('/');
      channel.put(rest.substr(0, slash));
      rest.remove_prefix(slash + 1);
      const std::string_view next = rest.substr(0, rest.find(' '));
      state_->obey(channel, next, rest.substr(std::min(rest.size(), next.size() + 1)));
    } else {
      state_->obey(channel, command, rest);
    }
    state_->surroundings.note_work({});
  }
}

void Guest::detach() { ::write(STDERR_FILENO, "detached\n", 9); }

}  // namespace actord::link
