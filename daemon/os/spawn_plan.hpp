// SPDX-License-Identifier: Apache-2.0
//
// How a child process begins: which descriptors, which folder and which process group it has. No
// signal is blocked in it, and all have their default actions.
#pragma once

#include <spawn.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace actord::os {

class SpawnPlan {
 public:
  enum class Group : bool {
    parents,
    own  // ^C on the terminal does not reach the child
  };

  explicit SpawnPlan(Group group);
  ~SpawnPlan();
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  // ---- carried out in this order, in the child ----
  /// Descriptor `number` becomes what `descriptor` is then.
  void duplicate(int descriptor, int number);
  /// It becomes /dev/null, opened with O_RDONLY or O_WRONLY.
  void open_nothing(int number, int mode);
  /// All descriptors from that number on are closed.
  void close_from(int number);
  void change_folder(const std::string& folder);

  /// Starts the process with this process's environment. A program without a slash is looked for in
  /// $PATH. Returns 0 or the error number.
  int spawn(pid_t& child, const std::string& program,
            const std::vector<std::string>& arguments) const;

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace actord::os
