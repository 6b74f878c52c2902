// SPDX-License-Identifier: Apache-2.0
//
// The terminal that standard output is: its size, colours, and the escape sequences that the stream
// of a verb does not let through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ctl/printable_stream.hpp"

namespace actord::ctl {

enum class Colour : std::uint8_t { none, red, green, yellow, dim, bold };

class OutputTerminal {
 public:
  struct Size {
    std::size_t columns = 80, rows = 24;
  };

  /// `output` writes to the descriptor `fd`, a terminal. Both outlive the object.
  OutputTerminal(PrintableBuffer& output, int fd) noexcept : output_(output), fd_(fd) {}

  /// As of now.
  Size size() const noexcept;
  /// Not with NO_COLOR, nor on a terminal without colours.
  bool has_colours() const noexcept;
  /// What is printed from now on has this colour; nothing happens on a terminal without colours.
  void set(Colour colour);
  /// Empties the screen, for what is printed next.
  void clear();

 private:
  PrintableBuffer& output_;
  const int fd_;
};

/// Prints a text in a colour if there is a terminal.
void print_in(Colour colour, std::string_view text, std::ostream& out, OutputTerminal* terminal);

}  // namespace actord::ctl
