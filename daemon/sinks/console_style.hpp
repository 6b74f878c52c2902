// SPDX-License-Identifier: Apache-2.0
//
// The colours of the console, and the words for levels.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "log/log_record.hpp"

namespace actord::sinks {

enum class Style : std::uint8_t { plain, dim, strong, path, verdict, error, warning, info, debug };

/// The sequence that begins a style; empty for `plain`.
constexpr std::string_view begin_of(Style style) noexcept {
  constexpr std::array<std::string_view, 9> sequences = {"",         "\x1b[2m",    "\x1b[1m",
                                                         "\x1b[36m", "\x1b[1;35m", "\x1b[1;31m",
                                                         "\x1b[33m", "\x1b[32m",   "\x1b[34m"};
  return sequences[static_cast<std::size_t>(style)];
}

/// The sequence that ends every style.
inline constexpr std::string_view end_of_style = "\x1b[0m";

/// The sequence that erases the line in which the cursor is, such as one of progress.
inline constexpr std::string_view erase_line = "\r\x1b[K";

constexpr Style style_of(log::Level level) noexcept {
  constexpr std::array<Style, 4> styles = {Style::error, Style::warning, Style::info, Style::debug};
  return styles[static_cast<std::size_t>(level) & 3U];
}

/// The level in five letters.
constexpr std::string_view label_of(log::Level level) noexcept {
  constexpr std::array<std::string_view, 4> labels = {"ERROR", "WARN ", "INFO ", "DEBUG"};
  return labels[static_cast<std::size_t>(level) & 3U];
}

}  // namespace actord::sinks
