// SPDX-License-Identifier: Apache-2.0
#include "os/watched_process.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "os/child_process.hpp"
#include "os/spawn_plan.hpp"

namespace actord::os {

namespace {

// glibc 2.36 has this in a header for C only.
constexpr auto by_descriptor = static_cast<idtype_t>(3);  // P_PIDFD

int spawn(pid_t& child, const ProcessCall& call) {
  SpawnPlan plan(SpawnPlan::Group::own);
  // First: the descriptor may have one of the numbers that are replaced.
  plan.duplicate(call.inherited, inherited_descriptor);
  plan.open_nothing(STDIN_FILENO, O_RDONLY);
  plan.duplicate(STDERR_FILENO, STDOUT_FILENO);
  plan.close_from(inherited_descriptor + 1);
  return plan.spawn(child, call.executable, call.arguments);
}

int send_signal(int process, int signal) noexcept {
  return static_cast<int>(::syscall(SYS_pidfd_send_signal, process, signal, nullptr, 0));
}

}  // namespace

base::Result<WatchedProcess, SystemError> WatchedProcess::start(const ProcessCall& call) {
  pid_t id = 0;
  if (const int failed = spawn(id, call))
    return system_error("cannot run " + call.executable, failed);
  return of_child(id);
}

base::Result<WatchedProcess, SystemError> WatchedProcess::of_child(int id) {
  Descriptor watched(static_cast<int>(::syscall(SYS_pidfd_open, id, 0)));
  if (watched.get() < 0) {
    const int error = errno;
    ::kill(id, SIGKILL);
    while (::waitpid(id, nullptr, 0) < 0 && errno == EINTR) continue;
    return system_error("cannot watch process " + std::to_string(id), error);
  }
  return WatchedProcess(id, std::move(watched));
}

WatchedProcess::WatchedProcess(WatchedProcess&& other) noexcept
    : id_(std::exchange(other.id_, -1)), watched_(std::move(other.watched_)), end_(other.end_) {}

WatchedProcess::~WatchedProcess() {
  if (id_ < 0 || end_) return;
  kill();
  siginfo_t info = {};
  while (::waitid(by_descriptor, static_cast<id_t>(watched_.get()), &info, WEXITED) != 0 &&
         errno == EINTR)
    continue;
}

std::optional<WatchedProcess::End> WatchedProcess::end() {
  if (id_ < 0 || end_) return end_;
  siginfo_t info = {};
  if (::waitid(by_descriptor, static_cast<id_t>(watched_.get()), &info, WEXITED | WNOHANG) == 0 &&
      info.si_pid != 0)
    end_ = End{info.si_code != CLD_EXITED, info.si_status};
  return end_;
}

bool WatchedProcess::is_stopped() const noexcept {
  if (id_ < 0 || end_) return false;
  siginfo_t info = {};
  return ::waitid(by_descriptor, static_cast<id_t>(watched_.get()), &info,
                  WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid != 0;
}

// The number of the process stays its own until end() has taken note of its end.
bool WatchedProcess::abort_thread(int thread_id) noexcept {
  return id_ > 0 && !end_ && thread_id > 0 && ::tgkill(id_, thread_id, SIGABRT) == 0;
}

void WatchedProcess::kill() noexcept { send_signal(watched_.get(), SIGKILL); }

std::string name_of_signal(int number) {
  const char* const name = ::sigabbrev_np(number);
  return name != nullptr ? "SIG" + std::string{name} : "signal " + std::to_string(number);
}

}  // namespace actord::os
