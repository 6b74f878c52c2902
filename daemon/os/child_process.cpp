// SPDX-License-Identifier: Apache-2.0
#include "os/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "base/clock.hpp"
#include "os/descriptor.hpp"
#include "os/process.hpp"

namespace actord::os {

namespace {

// limit for the child's output, in bytes; the beginning is dropped
constexpr std::size_t output_bytes_max = 4096;

/// The file actions and attributes for posix_spawn().
class SpawnPlan {
 public:
  explicit SpawnPlan(int output) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    ::posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  int spawn(pid_t& child, const std::string& executable,
            const std::vector<std::string>& arguments) const {
    std::vector<std::string> words{executable};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    return ::posix_spawn(&child, executable.c_str(), &actions_, &attributes_, argv.data(),
                         const_cast<char* const*>(environment()));
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

/// Reads what is available; false: nothing was read.
bool read_some(int fd, std::string& text) {
  std::array<char, output_bytes_max> buffer;
  const ssize_t n = ::read(fd, buffer.data(), buffer.size());
  if (n <= 0) return false;
  text.append(buffer.data(), static_cast<std::size_t>(n));
  text.erase(0, text.size() - std::min(text.size(), output_bytes_max));
  return true;
}

/// Waits for the child's end and collects its output; false: the time limit has passed. The end of
/// the output does not mean the child's end, because a grandchild may keep the pipe open.
bool wait_for_end(int child, int output, std::int64_t limit_ns, std::string& text) {
  const std::int64_t until_ns = base::monotonic_ns() + limit_ns;
  std::array<pollfd, 2> watched{pollfd{child, POLLIN, 0}, pollfd{output, POLLIN, 0}};
  for (;;) {
    const std::int64_t left_ns = until_ns - base::monotonic_ns();
    if (left_ns <= 0) return false;
    const int ready =
        ::poll(watched.data(), watched.size(), static_cast<int>(left_ns / base::ns_per_ms) + 1);
    if (ready <= 0) continue;
    if (watched[0].revents != 0) break;
    if (!read_some(output, text)) watched[1].fd = -1;
  }
  while (read_some(output, text)) continue;
  return true;
}

}  // namespace

base::Result<ChildEnd, SystemError> run_child(const std::string& executable,
                                              const std::vector<std::string>& arguments,
                                              std::int64_t limit_ns) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return system_error("cannot make a pipe", errno);
  const Descriptor output(ends[0]);
  pid_t pid = 0;
  {
    const Descriptor input(ends[1]);
    const int failed = SpawnPlan(input.get()).spawn(pid, executable, arguments);
    if (failed != 0) return system_error("cannot run " + executable, failed);
  }
  ::fcntl(output.get(), F_SETFL, O_NONBLOCK);
  // glibc 2.36 declares pidfd_open() for C only.
  const Descriptor child(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  ChildEnd end;
  const int error = child.get() < 0 ? errno : 0;
  const bool has_ended =
      error == 0 && wait_for_end(child.get(), output.get(), limit_ns, end.output);
  if (!has_ended) ::kill(pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (error != 0) return system_error("cannot watch a child process", error);
  if (!has_ended) end.kind = ChildEnd::Kind::timed_out;
  else if (WIFSIGNALED(status)) end.kind = ChildEnd::Kind::by_signal;
  end.number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return end;
}

void end_with_parent() noexcept { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }

}  // namespace actord::os
