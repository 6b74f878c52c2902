// SPDX-License-Identifier: Apache-2.0
//
// The real program actord-host as a zygote.
#include "isolate/zygote.hpp"

#include <doctest/doctest.h>

#include <sys/types.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "os/packet_socket.hpp"
#include "support/wait.hpp"

namespace actord::isolate {

namespace {

using support::wait_until;

/// What the kernel says of a process in that file.
std::string said_of(int process, const std::string& file) {
  std::ifstream stream("/proc/" + std::to_string(process) + "/" + file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// A number that a line of /proc/PID/status begins with.
int number_of(int process, const std::string& name) {
  const std::string status = said_of(process, "status");
  const std::size_t at = status.find("\n" + name + ":");
  return at == status.npos ? -1 : std::stoi(status.substr(at + name.size() + 2));
}

/// The process of the zygote, which is the child of this process that says so.
int zygote_process() {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != name.npos) continue;
    const int process = std::stoi(name);
    if (number_of(process, "PPid") == ::getpid() &&
        said_of(process, "cmdline").find("zygote") != std::string::npos)
      return process;
  }
  return -1;
}

/// A host that a zygote has made, and this process's end of the connection.
struct Made {
  explicit Made(Zygote& zygote, const std::string& plugin = "mortal") {
    auto sockets = os::packet_sockets();
    REQUIRE(sockets.ok());
    was_asked = zygote.ask(ACTORD_HOST, plugin, sockets->far_end.get());
    if (was_asked) {
      if (auto host = zygote.answer()) process.emplace(std::move(*host));
    }
    near_end = std::move(sockets->near_end);
    if (!process) return;
    // Before it, the host is called what the zygote is, of which it is a copy.
    wait_until([&] { return said_of(process->id(), "cmdline").find(plugin) != std::string::npos; },
               "the name of the host");
  }

  bool was_asked = false;
  std::optional<os::WatchedProcess> process;
  os::Descriptor near_end;
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

TEST_CASE("a zygote under a sanitizer says that it cannot fork, and is not asked again") {
  Zygote zygote;
  const Made first(zygote), second(zygote);
  CHECK(first.was_asked);
  CHECK_FALSE(first.process);
  CHECK_FALSE(second.was_asked);
}

#else

TEST_CASE("a host of a zygote is a child of this process, with its own group and its name") {
  Zygote zygote;
  Made made(zygote, "an_example");
  REQUIRE(made.process);
  const int process = made.process->id();
  CHECK(number_of(process, "PPid") == ::getpid());
  wait_until([&] { return ::getpgid(process) == process; }, "the group of the host");
  CHECK(said_of(process, "cmdline").find("an_example") != std::string::npos);
  CHECK(number_of(process, "Threads") == 1);

  CHECK_FALSE(made.process->end());
  made.near_end = os::Descriptor{};
  wait_until([&] { return made.process->end().has_value(); }, "the end of the host");
  CHECK_FALSE(made.process->end()->is_by_signal);
  CHECK(made.process->end()->number == 0);
}

TEST_CASE("hosts of one zygote end one by one, each with its own status") {
  Zygote zygote;
  Made first(zygote), second(zygote);
  REQUIRE(first.process);
  REQUIRE(second.process);
  first.process->kill();
  wait_until([&] { return first.process->end().has_value(); }, "the end of the first host");
  CHECK(first.process->end()->number == SIGKILL);
  CHECK_FALSE(second.process->end());
  CHECK(Made(zygote).process);
}

TEST_CASE("a thread of a host can be aborted by its id, which glibc knows as well") {
  Zygote zygote;
  Made made(zygote);
  REQUIRE(made.process);
  CHECK(made.process->abort_thread(made.process->id()));
  wait_until([&] { return made.process->end().has_value(); }, "the end of the host");
  CHECK(made.process->end()->number == SIGABRT);
}

TEST_CASE("a zygote that was killed is replaced, and its hosts go on") {
  Zygote zygote;
  Made before(zygote);
  REQUIRE(before.process);
  REQUIRE(::kill(zygote_process(), SIGKILL) == 0);
  wait_until([] { return zygote_process() == -1; }, "the end of the zygote");
  CHECK_FALSE(Made(zygote).process);  // this one is started without it
  CHECK(Made(zygote).process);
  CHECK_FALSE(before.process->end());
}

TEST_CASE("a zygote that a signal has stopped is given up after a second") {
  Zygote zygote;
  REQUIRE(Made(zygote).process);
  const int stopped = zygote_process();
  REQUIRE(::kill(stopped, SIGSTOP) == 0);
  wait_until([&] { return said_of(stopped, "status").find("T (stopped)") != std::string::npos; },
             "the stop of the zygote");
  const Made made(zygote);
  CHECK(made.was_asked);
  CHECK_FALSE(made.process);
  CHECK(zygote_process() == -1);
  CHECK(Made(zygote).process);
}

#endif

TEST_CASE("a program that is not there makes no zygote") {
  Zygote zygote;
  CHECK_FALSE(zygote.ask("/there/is/no/actord-host", "mortal", STDIN_FILENO));
}

TEST_CASE("another program is another zygote") {
  Zygote zygote;
  const Made made(zygote);
  CHECK_FALSE(zygote.ask("/there/is/no/actord-host", "mortal", STDIN_FILENO));
  CHECK(zygote_process() == -1);
}

}  // namespace

}  // namespace actord::isolate
