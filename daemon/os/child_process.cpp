// SPDX-License-Identifier: Apache-2.0
#include "os/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "base/clock.hpp"
#include "os/descriptor.hpp"
#include "os/files.hpp"
#include "os/process.hpp"

namespace actord::os {

namespace {

/// The file actions and attributes for posix_spawn().
class SpawnPlan {
 public:
  SpawnPlan(int input, int output, int inherited) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (inherited >= 0)
      ::posix_spawn_file_actions_adddup2(&actions_, inherited, inherited_descriptor);
    ::posix_spawn_file_actions_addclosefrom_np(
        &actions_, inherited >= 0 ? inherited_descriptor + 1 : STDERR_FILENO + 1);
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
  std::array<char, 65536> buffer;
  const ssize_t n = ::read(fd, buffer.data(), buffer.size());
  if (n <= 0) return false;
  text.append(buffer.data(), static_cast<std::size_t>(n));
  return true;
}

/// Waits for the child's end and collects its output. The end of the output does not mean the
/// child's end, because a grandchild may keep the pipe open. `exited` stands for every end.
ChildEnd::Kind wait_for_end(int child, int output, const ChildCall& call, std::string& text) {
  const std::int64_t until_ns = base::monotonic_ns() + call.limit_ns;
  std::array<pollfd, 3> watched{pollfd{child, POLLIN, 0}, pollfd{output, POLLIN, 0},
                                pollfd{call.cancelled, POLLIN, 0}};  // poll() skips -1
  for (;;) {
    const std::int64_t left_ns = until_ns - base::monotonic_ns();
    if (left_ns <= 0) return ChildEnd::Kind::timed_out;
    const int ready =
        ::poll(watched.data(), watched.size(), static_cast<int>(left_ns / base::ns_per_ms) + 1);
    if (ready <= 0) continue;
    if (watched[0].revents != 0) break;
    if (watched[2].revents != 0) return ChildEnd::Kind::cancelled;
    if (watched[1].revents == 0) continue;
    if (!read_some(output, text)) watched[1].fd = -1;
    if (text.size() > call.output_bytes_max) return ChildEnd::Kind::too_much_output;
  }
  while (text.size() <= call.output_bytes_max && read_some(output, text)) continue;
  return text.size() > call.output_bytes_max ? ChildEnd::Kind::too_much_output
                                             : ChildEnd::Kind::exited;
}

}  // namespace

base::Result<ChildEnd, SystemError> run_child(const ChildCall& call) {
  // A pipe would have to be filled while the child runs.
  const auto input = file_in_memory(call.input);
  if (!input) return input.error();
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return system_error("cannot make a pipe", errno);
  const Descriptor output(ends[0]);
  pid_t pid = 0;
  {
    const Descriptor far_end(ends[1]);
    const int failed = SpawnPlan(input->get(), far_end.get(), call.inherited)
                           .spawn(pid, call.executable, call.arguments);
    if (failed != 0) return system_error("cannot run " + call.executable, failed);
  }
  ::fcntl(output.get(), F_SETFL, O_NONBLOCK);
  // glibc 2.36 declares pidfd_open() for C only.
  const Descriptor child(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  ChildEnd end;
  const int error = child.get() < 0 ? errno : 0;
  if (error == 0) end.kind = wait_for_end(child.get(), output.get(), call, end.output);
  if (error != 0 || end.kind != ChildEnd::Kind::exited) ::kill(pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (error != 0) return system_error("cannot watch a child process", error);
  if (end.kind == ChildEnd::Kind::exited && WIFSIGNALED(status))
    end.kind = ChildEnd::Kind::by_signal;
  end.number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return end;
}

}  // namespace actord::os
