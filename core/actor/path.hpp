// SPDX-License-Identifier: Apache-2.0
//
// Names and paths as text: "/user/crawler/fetcher-1", "$a" for the nameless.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace actord::actor {

/// Empty if `name` may be given to an actor; else a sentence that tells the character and its
/// position (supervision.md 142).
std::string why_name_is_invalid(std::string_view name);

/// supervision.md 143: $a, $b, … $z, $A, … one after the other.
std::string numbered_name(std::uint64_t number);
/// The same into a caller's buffer; answers its length. Async-signal-safe.
std::size_t write_numbered_name(std::uint64_t number, char (&out)[16]) noexcept;

/// Where `path` leads from `base`, with ".." and "." resolved; above the root is the root.
std::string absolute_path(std::string_view base, std::string_view path);

/// Whether `path` matches `pattern`, in which the segment `*` stands for any one segment, and `**`
/// at its end for one or more.
bool path_matches(std::string_view pattern, std::string_view path);

}  // namespace actord::actor
