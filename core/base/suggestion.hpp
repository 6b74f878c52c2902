// SPDX-License-Identifier: Apache-2.0
//
// Suggestions for names that are unknown and probably mistyped.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace actord::base {

/// The Levenshtein distance, with a swap of neighbours as one edit; limit + 1 if it is more than
/// `limit`.
unsigned edit_distance(std::string_view a, std::string_view b, unsigned limit);

/// The candidate closest to `word`: within 2 edits, or 1 if `word` has fewer than 5 letters. Empty
/// if there is none.
std::string_view nearest_of(std::string_view word, const std::vector<std::string_view>& candidates);

/// `did you mean "name"?`; empty if `name` is.
std::string did_you_mean(std::string_view name);

/// "a, b, c", with the separator given.
std::string joined(std::span<const std::string_view> words, std::string_view separator = ", ");

}  // namespace actord::base
