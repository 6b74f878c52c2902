// SPDX-License-Identifier: Apache-2.0
#include "os/spawn_plan.hpp"

#include <csignal>

#include "os/process.hpp"

namespace actord::os {

SpawnPlan::SpawnPlan(Group group) {
  ::posix_spawn_file_actions_init(&actions_);
  ::posix_spawnattr_init(&attributes_);
  sigset_t none, all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&attributes_, &none);
  ::posix_spawnattr_setsigdefault(&attributes_, &all);
  ::posix_spawnattr_setpgroup(&attributes_, 0);
  const int own_group = group == Group::own ? POSIX_SPAWN_SETPGROUP : 0;
  ::posix_spawnattr_setflags(
      &attributes_, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | own_group));
}

SpawnPlan::~SpawnPlan() {
  ::posix_spawn_file_actions_destroy(&actions_);
  ::posix_spawnattr_destroy(&attributes_);
}

void SpawnPlan::duplicate(int descriptor, int number) {
  ::posix_spawn_file_actions_adddup2(&actions_, descriptor, number);
}

void SpawnPlan::open_nothing(int number, int mode) {
  ::posix_spawn_file_actions_addopen(&actions_, number, "/dev/null", mode, 0);
}

void SpawnPlan::close_from(int number) {
  ::posix_spawn_file_actions_addclosefrom_np(&actions_, number);
}

void SpawnPlan::change_folder(const std::string& folder) {
  ::posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
}

int SpawnPlan::spawn(pid_t& child, const std::string& program,
                     const std::vector<std::string>& arguments) const {
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return ::posix_spawnp(&child, program.c_str(), &actions_, &attributes_, argv.data(),
                        const_cast<char* const*>(environment()));
}

}  // namespace actord::os
