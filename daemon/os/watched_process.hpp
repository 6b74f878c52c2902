// SPDX-License-Identifier: Apache-2.0
//
// A child process that is served for as long as it lives, and watched for its end.
//
// Not here: a child that is run to its end at once (child_process.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "os/descriptor.hpp"
#include "os/system_error.hpp"

namespace actord::os {

struct ProcessCall {
  std::string executable;
  std::vector<std::string> arguments;
  int inherited = -1;  // a descriptor that the child gets as os::inherited_descriptor
};

/// Owns the process: the destructor kills it and waits for its end.
class WatchedProcess {
 public:
  struct End {
    bool is_by_signal = false;
    int number = 0;  // the signal, or the exit status
  };

  /// The process gets nothing as its standard input, this process's standard error as its standard
  /// output and standard error, a process group of its own, so that ^C on the terminal does not
  /// reach it, no blocked signals, and no other descriptor than the one that `call` names. Threads:
  /// if the process asks for a signal at the death of its parent, it gets that at the end of the
  /// thread that calls this.
  static base::Result<WatchedProcess, SystemError> start(const ProcessCall& call);
  /// A child of this process that another one has made (sibling.hpp), and that nothing has waited
  /// for.
  static base::Result<WatchedProcess, SystemError> of_child(int id);

  WatchedProcess(WatchedProcess&& other) noexcept;
  WatchedProcess& operator=(WatchedProcess&&) = delete;
  ~WatchedProcess();

  int id() const noexcept { return id_; }
  /// Can be read when the process has ended.
  int fd() const noexcept { return watched_.get(); }
  /// Takes note of the end; nullopt: the process runs. One thread at a time.
  std::optional<End> end();
  /// Whether a signal such as SIGSTOP has stopped the process. The same thread.
  bool is_stopped() const noexcept;
  /// Sends SIGABRT to one thread of the process. False: it has no such thread. The same thread.
  bool abort_thread(int thread_id) noexcept;
  /// Any thread.
  void kill() noexcept;

 private:
  WatchedProcess(int id, Descriptor watched) noexcept : id_(id), watched_(std::move(watched)) {}

  int id_;  // -1: moved from
  Descriptor watched_;
  std::optional<End> end_;
};

/// "SIGSEGV"; "signal 77" if it has no name.
std::string name_of_signal(int number);

}  // namespace actord::os
