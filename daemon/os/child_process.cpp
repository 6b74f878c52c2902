// SPDX-License-Identifier: Apache-2.0
#include "os/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "base/clock.hpp"
#include "os/descriptor.hpp"
#include "os/files.hpp"
#include "os/spawn_plan.hpp"

namespace actord::os {

namespace {

int spawn(pid_t& child, const ChildCall& call, int input, int output) {
  SpawnPlan plan(SpawnPlan::Group::parents);
  plan.duplicate(input, STDIN_FILENO);
  plan.duplicate(output, STDOUT_FILENO);
  plan.open_nothing(STDERR_FILENO, O_WRONLY);
  if (call.inherited >= 0) plan.duplicate(call.inherited, inherited_descriptor);
  plan.close_from(call.inherited >= 0 ? inherited_descriptor + 1 : STDERR_FILENO + 1);
  return plan.spawn(child, call.executable, call.arguments);
}

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
    const int failed = spawn(pid, call, input->get(), far_end.get());
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
