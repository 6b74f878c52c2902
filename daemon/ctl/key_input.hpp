// SPDX-License-Identifier: Apache-2.0
//
// Single keys from the terminal that standard input is, for a verb that fills the screen.
#pragma once

#include <termios.h>

#include <optional>

namespace actord::ctl {

/// While it lives, the terminal gives each key at once, does not show it, and sends no signals.
class KeyInput {
 public:
  static constexpr char interrupt = '\x03', suspend_key = '\x1a';  // ^C, ^Z

  /// Null if `fd` is no terminal, or one of which this process is in the background.
  static std::optional<KeyInput> open(int fd);
  KeyInput(KeyInput&& other) noexcept;
  KeyInput& operator=(KeyInput&&) = delete;
  ~KeyInput();

  /// Can be read when there is a key.
  int fd() const noexcept { return fd_; }
  /// The next key that was pressed, or none; `interrupt` also at the end of the input.
  std::optional<char> next() noexcept;
  /// Does what the terminal does for ^Z otherwise. Returns when the process goes on.
  void suspend() noexcept;
  /// Does what the terminal does for ^C otherwise: the process ends, unless it ignores that.
  void be_interrupted() noexcept;

 private:
  KeyInput(int fd, const termios& former) noexcept : fd_(fd), former_(former) {}
  void take_over() noexcept;
  void give_back() noexcept;

  int fd_;  // -1: moved from
  termios former_;
};

}  // namespace actord::ctl
