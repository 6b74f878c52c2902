// SPDX-License-Identifier: Apache-2.0
//
// A source line as a message may quote it: with its keys and its punctuation, and with `…` in place
// of every value. A value may be a secret, also one that only a plugin calls so, and a line that
// cannot be read does not tell.
#pragma once

#include <string>
#include <string_view>

#include "hocon/origin.hpp"

namespace actord::hocon {

struct MaskedLine {
  std::string text;
  unsigned column = 1;  // of the finding in `text`, in code points
  unsigned length = 1;
};

/// Whether the piece of the line that the finding is about is quoted although it is no key.
enum class QuotedPiece : bool { no, yes };

/// The line of `span`; empty if SourceFiles::line() does not give it. Quotes the keys that the
/// parser has found in it (SourceFiles::add_key()).
MaskedLine masked_line(const SourceFiles& files, const SourceSpan& span, QuotedPiece quoted);

}  // namespace actord::hocon
