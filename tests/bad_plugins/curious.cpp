// SPDX-License-Identifier: Apache-2.0
//
// Its static initialiser tries out what it may do in the process that loads it. Its validate()
// tries again, and rejects every config with the list of all that could be done. With 0 lives it
// aborts, with fewer it does not return.
#include <actord/actord.hpp>

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>

namespace curious {

bool can_write() {
  const int file = ::open("curious-was-here", O_WRONLY | O_CREAT, 0600);
  if (file < 0) return false;
  ::close(file);
  return ::unlink("curious-was-here") == 0;
}

bool can_connect() {
  const int connection = ::socket(AF_UNIX, SOCK_STREAM, 0);
  if (connection >= 0) ::close(connection);
  return connection >= 0;
}

bool can_fork() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  if (child > 0) ::waitpid(child, nullptr, 0);
  return child > 0;
}

std::string what_it_could_do() {
  std::string list;
  if (can_write()) list += " write";
  if (can_connect()) list += " connect";
  if (can_fork()) list += " fork";
  if (::kill(::getppid(), 0) == 0) list += " signal";
  if (::ptrace(PTRACE_PEEKDATA, 0, nullptr, nullptr) != 0 && errno != EPERM) list += " trace";
  if (::getuid() == 0) list += " rule";
  return list.empty() ? " nothing" : list;
}

const std::string as_it_was_loaded = what_it_could_do();

struct CatConfig {
  int lives = 9;
  std::vector<std::string> names;
};
ACTORD_FIELDS(CatConfig, lives, names)

class Cat : public actord::Actor {
 public:
  using Config = CatConfig;
  using Receive = actord::Handlers<>;

  explicit Cat(const Config&) {}

  static void validate(const Config& config, actord::Findings& findings) {
    if (config.lives == 0) std::abort();
    while (config.lives < 0) ::pause();
    const std::string could = "loaded:" + as_it_was_loaded + "; validated:" + what_it_could_do();
    findings.reject(&CatConfig::lives, could);
    if (config.names.size() > 1) findings.at(&CatConfig::names).at(1).reject("not this name");
  }
};

}  // namespace curious

ACTORD_PLUGIN("curious", "1.0.0", actord::Behaviours<curious::Cat>, actord::Messages<>)
