// SPDX-License-Identifier: Apache-2.0
//
// Lays a failure out on one line of a given width. Where there is no room, parts are shortened or
// left out in the order of what an operator can do without.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace actord::sinks {

/// The parts of the line, in their order on it.
enum class FailurePart : std::uint8_t {
  time,     // "13:01:06.124"
  level,    // "ERROR"
  place,    // path of the actor
  type,     // of the failure
  message,  // of the failure
  verdict,  // "→ restart in 1.5s"
  rule,     // that decided
  origin,   // place of the rule, "file:line"
  id        // of the failure
};
inline constexpr std::size_t failure_parts = 9;

/// A text for each part; empty: there is none. The texts are valid UTF-8 without control
/// characters.
struct FailureTexts {
  std::array<std::string, failure_parts> texts;

  std::string& operator[](FailurePart part) noexcept {
    return texts[static_cast<std::size_t>(part)];
  }
  const std::string& operator[](FailurePart part) const noexcept {
    return texts[static_cast<std::size_t>(part)];
  }
};

/// The parts for a line of at most `width` columns, each with the spaces and punctuation that
/// separate it from the part before. Joined in their order they are the line.
///
/// The id and the verdict are kept longest, then the type, the place, the origin of the rule, the
/// message, the level and the time. A rule named like the failure's type is left out first.
FailureTexts lay_out_failure(FailureTexts texts, unsigned width);

}  // namespace actord::sinks
