// SPDX-License-Identifier: Apache-2.0
//
// What must hold of every input: a fuzz target that finds it broken ends, and keeps the input.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace actord::fuzz {

/// Ends the process, as a crash does, unless it holds.
inline void must(bool holds, std::string_view what, std::string_view detail = {}) {
  if (holds) return;
  const std::string text = "broken: " + std::string(what) + "\n" + std::string(detail) + "\n";
  std::fputs(text.c_str(), stderr);
  std::abort();
}

}  // namespace actord::fuzz
