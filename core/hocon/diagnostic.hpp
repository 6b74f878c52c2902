// SPDX-License-Identifier: Apache-2.0
//
// What is wrong with a configuration, said so that its author can mend it: place, source line,
// caret, help.
//
// Not here: what counts as wrong (lexer, parser, resolver, and whoever reads the tree).
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
  std::string help;             // how to mend it; may be empty
  std::string note;             // a fact that explains it; may be empty, may have several lines
  std::string snippet_line;     // the source line, shortened around the place, fit for a terminal
  unsigned snippet_column = 0;  // where the caret stands in snippet_line, from 1
  bool warning = false;
  bool remark = false;  // a warning that is nobody's fault: --strict lets it pass
};

using Diagnostics = std::vector<Diagnostic>;

/// The finding as a person reads it, ending in a newline:
///
///     x.conf:12:14: error: expected a duration, got the string "5 sec" [E0302]
///       12 |     timeout = 5 sec
///          |               ^^^^^
///       help: …
///       note: …
std::string format(const Diagnostic& diagnostic);

/// All findings, one after the other.
std::string format(const Diagnostics& diagnostics);

/// A finding about `span`, with the snippet taken from `files`.
Diagnostic diagnostic_at(const SourceFiles& files, const SourceSpan& span, std::string message,
                         std::string help = {}, std::string note = {});

/// The finding as one of that kind.
inline Diagnostic coded(std::string_view code, Diagnostic diagnostic) {
  diagnostic.code = code;
  return diagnostic;
}

/// `text` in double quotes for use in a message: control characters escaped, long texts shortened.
std::string quoted_for_message(std::string_view text);

}  // namespace actord::hocon
