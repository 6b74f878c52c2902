// SPDX-License-Identifier: Apache-2.0
//
// Another program that runs beside this process: its output goes where the error messages of this
// process go, so that an operator sees it as it comes.
//
// Not here: a child whose output this process reads (child_process.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "os/descriptor.hpp"
#include "os/system_error.hpp"

namespace actord::os {

struct ProgramCall {
  std::string program;  // without a slash: looked for in $PATH
  std::vector<std::string> arguments;
  std::string folder;  // its working directory
  int output = 2;      // the descriptor that becomes its standard output and standard error
};

/// Whether a program of this name, which has no slash, is in one of the folders of $PATH.
bool is_installed(const std::string& program);

/// Owns the process: the destructor kills it, with all processes of its group. Used by one thread
/// at a time.
class ChildProgram {
 public:
  /// The program gets a process group of its own, so that ^C on the terminal does not reach it, no
  /// blocked signals, and nothing as its standard input.
  static base::Result<ChildProgram, SystemError> start(const ProgramCall& call);

  ChildProgram(ChildProgram&& other) noexcept;
  ChildProgram& operator=(ChildProgram&& other) noexcept;
  ~ChildProgram();

  /// Can be read when the program has ended.
  int fd() const noexcept { return watched_.get(); }
  /// How the program ended, as a shell tells it: the exit status, or 128 and the number of the
  /// signal. nullopt: it runs.
  std::optional<int> end();
  /// Sends a signal to the program and to all processes that it has started in its group.
  void send(int signal) noexcept;

 private:
  ChildProgram(int id, Descriptor watched) noexcept : id_(id), watched_(std::move(watched)) {}

  int id_;  // -1: moved from
  Descriptor watched_;
  std::optional<int> end_;
};

}  // namespace actord::os
