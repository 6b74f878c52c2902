// SPDX-License-Identifier: Apache-2.0
#include "os/child_program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "os/process.hpp"

namespace actord::os {

namespace {

int spawn(pid_t& child, const ProgramCall& call) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, call.output, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, call.output, STDERR_FILENO);
  ::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  ::posix_spawn_file_actions_addchdir_np(&actions, call.folder.c_str());
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none, all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::vector<std::string> words{call.program};
  words.insert(words.end(), call.arguments.begin(), call.arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int failed = ::posix_spawnp(&child, call.program.c_str(), &actions, &attributes,
                                    argv.data(), const_cast<char* const*>(environment()));
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  return failed;
}

}  // namespace

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
