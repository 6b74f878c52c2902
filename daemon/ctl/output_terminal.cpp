// SPDX-License-Identifier: Apache-2.0
#include "ctl/output_terminal.hpp"

#include <sys/ioctl.h>

#include <cstdlib>

namespace actord::ctl {

namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
  return value == nullptr ? std::string_view{} : value;
}

std::string_view sequence_of(Colour colour) noexcept {
  switch (colour) {
    case Colour::red: return "\x1b[31m";
    case Colour::green: return "\x1b[32m";
    case Colour::yellow: return "\x1b[33m";
    case Colour::dim: return "\x1b[2m";
    case Colour::bold: return "\x1b[1m";
    case Colour::none: break;
  }
  return "\x1b[0m";
}

}  // namespace

OutputTerminal::Size OutputTerminal::size() const noexcept {
  winsize window{};
  if (::ioctl(fd_, TIOCGWINSZ, &window) != 0 || window.ws_col == 0 || window.ws_row == 0) return {};
  return {window.ws_col, window.ws_row};
}

bool OutputTerminal::has_colours() const noexcept {
  const std::string_view kind = variable("TERM");
  return variable("NO_COLOR").empty() && !kind.empty() && kind != "dumb";
}

void OutputTerminal::set(Colour colour) {
  if (has_colours()) output_.pass_unchanged(sequence_of(colour));
}

void OutputTerminal::clear() { output_.pass_unchanged("\x1b[H\x1b[2J"); }

void print_in(Colour colour, std::string_view text, std::ostream& out, OutputTerminal* terminal) {
  if (terminal != nullptr) terminal->set(colour);
  out << text;
  if (terminal != nullptr) terminal->set(Colour::none);
}

}  // namespace actord::ctl
