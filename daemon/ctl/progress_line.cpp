// SPDX-License-Identifier: Apache-2.0
#include "ctl/progress_line.hpp"

#include <unistd.h>

#include <string>

namespace actord::ctl {

namespace {

constexpr std::string_view erase_line = "\r\x1b[K";

// A line that cannot be written is not worth a failure.
void put(std::string_view text) noexcept {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

ProgressLine::ProgressLine() noexcept : is_on_terminal_(::isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(std::string_view text) noexcept try {
  if (!is_on_terminal_) return;
  is_shown_ = true;
  put(std::string{erase_line}.append(text));
} catch (...) {}  // no memory for a line of progress

void ProgressLine::clear() noexcept {
  if (!is_shown_) return;
  is_shown_ = false;
  put(erase_line);
}

}  // namespace actord::ctl
