// SPDX-License-Identifier: Apache-2.0
//
// One line on the terminal that standard error is, which says how far long work is. Elsewhere
// nothing is written.
#pragma once

#include <string_view>

namespace actord::ctl {

class ProgressLine {
 public:
  ProgressLine() noexcept;
  /// Erases the line.
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// The text without control characters replaces the one before.
  void show(std::string_view text) noexcept;
  void clear() noexcept;

 private:
  const bool is_on_terminal_;
  bool is_shown_ = false;
};

}  // namespace actord::ctl
