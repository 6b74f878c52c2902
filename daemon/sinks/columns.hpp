// SPDX-License-Identifier: Apache-2.0
//
// The width of texts on a terminal, in columns. A character takes no column (combining marks), one,
// or two (Chinese, most emoji).
//
// The texts are valid UTF-8 without control characters, see line_text. Colour sequences that this
// process adds ("\x1b[…m") take no column.
#pragma once

#include <string>
#include <string_view>

namespace actord::sinks {

/// A character that the C library does not know counts as the most columns that it may take.
unsigned columns_of(std::string_view text) noexcept;

/// The longest start of `text` that takes at most `columns`.
std::string_view first_columns(std::string_view text, unsigned columns) noexcept;

/// `text`, or as much of it as fits into `columns` together with "…". A colour is ended after the
/// cut. 0 columns: empty.
std::string cut_end(std::string_view text, unsigned columns);

/// Like cut_end() for a text without colours, but leaves out the middle. The end keeps the larger
/// part, because it tells more about a path.
std::string cut_middle(std::string_view text, unsigned columns);

}  // namespace actord::sinks
