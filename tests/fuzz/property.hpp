// SPDX-License-Identifier: Apache-2.0
//
// Checks of properties that must hold for every input. If one does not hold the fuzz target ends,
// and the fuzzer keeps the input.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace actord::fuzz {

/// Ends the process, as a crash does, unless the property holds.
inline void must(bool holds, std::string_view what, std::string_view detail = {}) {
  if (holds) return;
  const std::string text = "broken: " + std::string(what) + "\n" + std::string(detail) + "\n";
  std::fputs(text.c_str(), stderr);
  std::abort();
}

}  // namespace actord::fuzz
