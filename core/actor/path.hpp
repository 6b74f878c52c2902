// SPDX-License-Identifier: Apache-2.0
//
// Names and paths as text: "/user/crawler/fetcher-1". An actor spawned without a name gets one like
// "$a".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace actord::actor {

/// The longest name of an actor, in bytes.
inline constexpr std::size_t name_size_max = 255;

/// Empty if `name` may be given to an actor; else a sentence that says why not, with an invalid
/// character and its position (supervision.md 142).
std::string why_name_is_invalid(std::string_view name);

/// The generated name for a number: $a, $b, … $z, $A, … (supervision.md 143).
std::string numbered_name(std::uint64_t number);
/// The same into a caller's buffer; returns its length. Async-signal-safe.
std::size_t write_numbered_name(std::uint64_t number, char (&out)[16]) noexcept;

/// `path` relative to `base` as an absolute path, with ".." and "." resolved. The parent of the
/// root is the root.
std::string absolute_path(std::string_view base, std::string_view path);

/// True if `path` matches `pattern`. In a segment of a pattern `*` stands for any characters, `?`
/// for any one; the segment `**` at the end stands for one or more segments.
bool path_matches(std::string_view pattern, std::string_view path);
/// True if it has `*` or `?`, and so may match several paths.
inline bool is_pattern(std::string_view path) {
  return path.find_first_of("*?") != std::string_view::npos;
}
/// Takes the first segment from the front of an absolute path: "/a/b" becomes "/b" and answers "a".
std::string_view take_segment(std::string_view& path);
/// True if `name` matches one segment of a pattern.
bool segment_matches(std::string_view pattern, std::string_view name);
/// True if there can be a name that both segments match.
bool segments_meet(std::string_view a, std::string_view b);

}  // namespace actord::actor
