// SPDX-License-Identifier: Apache-2.0
#include "os/child_program.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <sstream>
#include <utility>

#include "os/process.hpp"
#include "os/spawn_plan.hpp"

namespace actord::os {

namespace {

int spawn(pid_t& child, const ProgramCall& call) {
  SpawnPlan plan(SpawnPlan::Group::own);
  plan.open_nothing(STDIN_FILENO, O_RDONLY);
  plan.duplicate(call.output, STDOUT_FILENO);
  plan.duplicate(call.output, STDERR_FILENO);
  plan.close_from(STDERR_FILENO + 1);
  plan.change_folder(call.folder);
  return plan.spawn(child, call.program, call.arguments);
}

}  // namespace

bool is_installed(const std::string& program) {
  std::istringstream folders(environment_variable("PATH").value_or(""));
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + '/' + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

base::Result<ChildProgram, SystemError> ChildProgram::start(const ProgramCall& call) {
  pid_t id = 0;
  if (const int failed = spawn(id, call)) return system_error("cannot run " + call.program, failed);
  // glibc 2.36 declares pidfd_open() for C only.
  Descriptor watched(static_cast<int>(::syscall(SYS_pidfd_open, id, 0)));
  const int error = errno;
  const bool is_watched = watched.get() >= 0;
  ChildProgram program(id, std::move(watched));
  if (!is_watched) return system_error("cannot watch " + call.program, error);
  return program;
}

ChildProgram::ChildProgram(ChildProgram&& other) noexcept
    : id_(std::exchange(other.id_, -1)), watched_(std::move(other.watched_)), end_(other.end_) {}

ChildProgram& ChildProgram::operator=(ChildProgram&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(watched_, other.watched_);
  std::swap(end_, other.end_);
  return *this;
}

ChildProgram::~ChildProgram() {
  if (id_ < 0 || end_) return;
  send(SIGKILL);
  while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) continue;
}

std::optional<int> ChildProgram::end() {
  if (id_ < 0 || end_) return end_;
  int status = 0;
  if (::waitpid(id_, &status, WNOHANG) == id_)
    end_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return end_;
}

void ChildProgram::send(int signal) noexcept {
  if (id_ >= 0 && !end_) ::kill(-id_, signal);
}

}  // namespace actord::os
