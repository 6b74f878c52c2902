// SPDX-License-Identifier: Apache-2.0
//
// What the terminal behind a descriptor can do, and how wide its window is.
#pragma once

namespace actord::sinks {

class Terminal {
 public:
  static constexpr unsigned default_columns = 80;

  /// Reads the environment: TERM, NO_COLOR and COLUMNS.
  explicit Terminal(int fd) noexcept;

  /// Whether the descriptor is a terminal.
  bool is_terminal() const noexcept { return is_terminal_; }
  /// Whether lines may be coloured: a terminal, unless TERM is "dumb" or not set, or the
  /// environment has NO_COLOR.
  bool has_colours() const noexcept { return can_rewrite_ && !is_colourless_; }
  /// Whether a line may be written over another: as for colours, but with NO_COLOR, too.
  bool can_rewrite() const noexcept { return can_rewrite_; }
  /// The width of the window now. If the terminal does not tell it: COLUMNS of the environment,
  /// else default_columns.
  unsigned columns() const noexcept;

 private:
  int fd_;
  bool is_terminal_;
  bool can_rewrite_;
  bool is_colourless_;
  unsigned columns_without_window_;
};

}  // namespace actord::sinks
