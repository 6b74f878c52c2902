// SPDX-License-Identifier: Apache-2.0
#include "sinks/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace actord::sinks {
namespace {

std::string_view variable(const char* name) noexcept {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view{} : value;
}

unsigned columns_of_environment() noexcept {
  const std::string_view text = variable("COLUMNS");
  unsigned short columns = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), columns);
  const bool is_number = read.ec == std::errc{} && read.ptr == text.data() + text.size();
  return is_number && columns != 0 ? columns : Terminal::default_columns;
}

}  // namespace

Terminal::Terminal(int fd) noexcept
    : fd_(fd),
      is_terminal_(::isatty(fd) == 1),
      can_rewrite_(is_terminal_ && !variable("TERM").empty() && variable("TERM") != "dumb"),
      is_colourless_(!variable("NO_COLOR").empty()),
      columns_without_window_(columns_of_environment()) {}

unsigned Terminal::columns() const noexcept {
  winsize window{};
  if (::ioctl(fd_, TIOCGWINSZ, &window) == 0 && window.ws_col != 0) return window.ws_col;
  return columns_without_window_;
}

}  // namespace actord::sinks
