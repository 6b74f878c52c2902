// SPDX-License-Identifier: Apache-2.0
//
// A finding about a configuration, with all that its author needs to mend it: place, source line,
// caret, help.
//
// Not here: the checks themselves (lexer, parser, resolver, and the readers of the tree).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hocon/finding_codes.hpp"
#include "hocon/origin.hpp"

namespace actord::hocon {

/// One finding. `line` 0 means the file as a whole, an empty `file` the configuration as a whole.
struct Diagnostic {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;    // code points, from 1
  unsigned length = 0;    // code points under the caret
  std::string_view code;  // a constant, such as "E0302" (finding_codes.hpp); may be empty
  std::string message;
  std::string help;  // how to mend it; may be empty
  std::string note;  // a fact that explains the finding; may be empty or have several lines
  // the source line, without values, shortened around the place, safe to print
  std::string snippet_line;
  unsigned snippet_column = 0;  // the caret's column in snippet_line, from 1
  bool warning = false;
  bool remark = false;  // a warning without a mistake behind it; --strict accepts it
};

using Diagnostics = std::vector<Diagnostic>;

/// The finding as text for people, ending in a newline:
///
///     x.conf:12:14: error: expected a duration, got the string "5 sec" [E0302]
///       12 |     timeout = 5 sec
///          |               ^^^^^
///       help: …
///       note: …
std::string format(const Diagnostic& diagnostic);

/// All findings as text, one after the other.
std::string format(const Diagnostics& diagnostics);

/// A finding about `span`. The snippet is the line in `files`, with `…` in place of its values
/// (masked_line.hpp).
Diagnostic diagnostic_at(const SourceFiles& files, const SourceSpan& span, std::string message,
                         std::string help = {}, std::string note = {});

/// The same with the text of the span, which must not be a secret.
Diagnostic diagnostic_quoting(const SourceFiles& files, const SourceSpan& span, std::string message,
                              std::string help = {}, std::string note = {});

/// The same finding with the given code.
inline Diagnostic coded(std::string_view code, Diagnostic diagnostic) {
  diagnostic.code = code;
  return diagnostic;
}

/// `text` in double quotes for a message: control characters escaped, long texts shortened.
std::string quoted_for_message(std::string_view text);

}  // namespace actord::hocon
