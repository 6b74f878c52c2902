// SPDX-License-Identifier: Apache-2.0
//
// Finds the closing brace that is probably too many. The parser notices only at a later one that
// there is no opening brace left, often at the end of the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "hocon/origin.hpp"

namespace actord::hocon {

struct ExtraBrace {
  SourceSpan brace;
  std::uint32_t opened_in = 0;  // the line of the { that it closes
};

/// `text` is a source in HOCON syntax, and `end` the place at which the parser stopped. Looks for
/// the first closing brace that begins its line and is indented more than the line of the { that it
/// closes. Such a brace is too many; or the last brace before it that stands behind other text, if
/// the { of the latter is indented as much. nullopt if the indentation says nothing.
std::optional<ExtraBrace> find_extra_brace(std::string_view text, std::uint32_t file,
                                           const Origin& end);

}  // namespace actord::hocon
