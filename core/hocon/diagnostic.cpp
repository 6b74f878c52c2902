// SPDX-License-Identifier: Apache-2.0
#include "hocon/diagnostic.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/utf8.hpp"
#include "hocon/masked_line.hpp"
#include "hocon/printable.hpp"

namespace actord::hocon {

namespace {

constexpr std::size_t snippet_columns = 110;  // about what a terminal shows without wrapping
constexpr std::size_t quoted_code_points = 60;

/// Takes a window of the line around the column, with dots where it was cut.
void take_snippet(Diagnostic& diagnostic, const MaskedLine& masked) {
  std::string_view line = masked.text;
  std::size_t first = 0;
  if (masked.column > snippet_columns * 3 / 4) first = masked.column - snippet_columns / 3;
  line.remove_prefix(base::utf8::offset_of(line, first));
  if (first > 0) diagnostic.snippet_line = "...";
  diagnostic.snippet_column =
      static_cast<unsigned>(masked.column - first + diagnostic.snippet_line.size());
  std::size_t columns = 0;
  for (; !line.empty() && columns < snippet_columns; ++columns)
    append_printable(diagnostic.snippet_line, line);
  // The caret ends where the shown text ends.
  const std::size_t shown = base::utf8::length(diagnostic.snippet_line);
  const std::size_t room =
      shown >= diagnostic.snippet_column ? shown - diagnostic.snippet_column + 1 : 1;
  diagnostic.length = static_cast<unsigned>(std::clamp<std::size_t>(masked.length, 1, room));
  if (!line.empty()) diagnostic.snippet_line.append("...");
}

Diagnostic finding_at(const SourceFiles& files, const SourceSpan& span, QuotedPiece quoted,
                      std::string message, std::string help, std::string note) {
  Diagnostic diagnostic;
  diagnostic.message = std::move(message);
  diagnostic.help = std::move(help);
  diagnostic.note = std::move(note);
  if (!span.at.known()) return diagnostic;
  diagnostic.file = files[span.at.file].name;
  diagnostic.line = span.at.line;
  diagnostic.column = span.at.column;
  diagnostic.length = std::max(span.length, 1U);
  const MaskedLine line = masked_line(files, span, quoted);
  if (!line.text.empty()) take_snippet(diagnostic, line);
  return diagnostic;
}

void append_labelled(std::string& out, std::string_view label, const std::string& unclean) {
  const std::string clean = printable(unclean);
  std::string_view text = clean;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    out.append("  ").append(label).append(line).append("\n");
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    label = "        ";
  }
}

}  // namespace

std::string format(const Diagnostic& diagnostic) {
  std::string out;
  if (!diagnostic.file.empty()) {
    out.append(printable(diagnostic.file));
    if (diagnostic.line != 0) {
      out.append(":").append(std::to_string(diagnostic.line));
      out.append(":").append(std::to_string(diagnostic.column));
    }
    out.append(": ");
  }
  const char* const severity = diagnostic.warning ? "warning: " : "error: ";
  out.append(diagnostic.remark ? "note: " : severity).append(printable(diagnostic.message));
  if (!diagnostic.code.empty()) out.append(" [").append(diagnostic.code).append("]");
  out.append("\n");
  if (!diagnostic.snippet_line.empty()) {
    const std::string number = std::to_string(diagnostic.line);
    out.append("  ").append(number).append(" | ").append(diagnostic.snippet_line).append("\n");
    out.append(2 + number.size(), ' ').append(" | ");
    out.append(diagnostic.snippet_column - 1, ' ').append(diagnostic.length, '^').append("\n");
  }
  append_labelled(out, "help: ", diagnostic.help);
  append_labelled(out, "note: ", diagnostic.note);
  return out;
}

std::string format(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) out.append(format(diagnostic));
  return out;
}

Diagnostic diagnostic_at(const SourceFiles& files, const SourceSpan& span, std::string message,
                         std::string help, std::string note) {
  return finding_at(files, span, QuotedPiece::no, std::move(message), std::move(help),
                    std::move(note));
}

Diagnostic diagnostic_quoting(const SourceFiles& files, const SourceSpan& span, std::string message,
                              std::string help, std::string note) {
  return finding_at(files, span, QuotedPiece::yes, std::move(message), std::move(help),
                    std::move(note));
}

std::string quoted_for_message(std::string_view text) {
  std::string out = "\"";
  for (std::size_t shown = 0; !text.empty(); ++shown) {
    if (shown == quoted_code_points) return out.append("...\"");
    if (text.front() == '\n') {
      out.append("\\n");
      text.remove_prefix(1);
    } else {
      append_printable(out, text);
    }
  }
  return out.append("\"");
}

}  // namespace actord::hocon
