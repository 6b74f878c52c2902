// SPDX-License-Identifier: Apache-2.0
#include "hocon/extra_brace.hpp"

#include <memory_resource>
#include <vector>

#include "hocon/lexer.hpp"

namespace actord::hocon {

namespace {

struct Open {
  std::uint32_t line = 0;
  std::uint32_t indent = 0;   // the column of the first token of the line
  bool is_reference = false;  // ${ or ${?
};

/// A closing brace behind other text whose { is on an earlier line.
struct Suspect {
  ExtraBrace brace;
  std::uint32_t indent = 0;  // of the line of its {
};

}  // namespace

std::optional<ExtraBrace> find_extra_brace(std::string_view text, std::uint32_t file,
                                           const Origin& end) {
  std::pmr::monotonic_buffer_resource arena;
  Lexer lexer(text, file, Lexer::Syntax::hocon, &arena);
  std::vector<Open> open;
  std::optional<Suspect> suspect;
  std::uint32_t line = 0, indent = 0;
  for (Token token = lexer.next(); token.kind != TokenKind::end && token.span.at < end;
       token = lexer.next()) {
    if (token.kind == TokenKind::blank || token.kind == TokenKind::newline) continue;
    const bool begins_line = token.span.at.line != line;
    if (begins_line) line = token.span.at.line, indent = token.span.at.column;
    const bool is_reference =
        token.kind == TokenKind::open_reference || token.kind == TokenKind::open_optional;
    if (is_reference || token.kind == TokenKind::open_brace)
      open.push_back({line, indent, is_reference});
    if (token.kind != TokenKind::close_brace || open.empty()) continue;
    const Open closed = open.back();
    open.pop_back();
    if (closed.is_reference || closed.line == line) continue;
    const ExtraBrace brace{token.span, closed.line};
    if (!begins_line) suspect = Suspect{brace, closed.indent};
    else if (indent > closed.indent)
      return suspect && suspect->indent == indent ? suspect->brace : brace;
  }
  return std::nullopt;
}

}  // namespace actord::hocon
