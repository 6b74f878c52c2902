// SPDX-License-Identifier: Apache-2.0
//
// Splits characters into tokens, one at a time. A token knows its place; escapes in quoted strings
// are already resolved.
//
// Not here: which token may follow which (parser). The text must be valid UTF-8.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "hocon/origin.hpp"

namespace actord::hocon {

enum class TokenKind : std::uint8_t {
  end,
  newline,
  blank,  // a run of blanks without a newline
  comma,
  colon,
  equals,
  plus_equals,
  open_brace,
  close_brace,
  open_bracket,
  close_bracket,
  open_reference,  // ${
  open_optional,   // ${?
  quoted,          // text: the string without quotes and escapes
  word,            // a run of unquoted characters: text, number, true, …
  reserved,        // one character that is allowed only in quotes
  broken,          // invalid; problem() has the reason
};

struct Token {
  TokenKind kind = TokenKind::end;
  SourceSpan span;
  std::uint32_t begin = 0;  // offsets in the text
  std::uint32_t end = 0;
  std::string_view text;  // of quoted: the string it stands for; else the characters
};

/// The reason for which a token is broken, as texts for a Diagnostic.
struct LexicalProblem {
  SourceSpan span;
  std::string_view message;
  std::string_view help;
  std::uint32_t note_line = 0;  // the last line, if the text ends inside the token; else 0
};

/// Reads one source. Strings with escapes are built in the arena.
class Lexer {
 public:
  enum class Syntax : std::uint8_t { hocon, json };

  Lexer(std::string_view text, std::uint32_t file, Syntax syntax, std::pmr::memory_resource* arena);

  Token next();
  const LexicalProblem& problem() const noexcept { return problem_; }

 private:
  struct Mark {
    std::uint32_t offset, line, column;
  };
  Mark here() const noexcept;
  Token token(TokenKind kind, const Mark& from) const;
  // Sets problem() and returns a broken token.
  Token fail(const Mark& from, std::string_view message, std::string_view help = {});
  // Counts a line; `at_` is its first character.
  void start_line() noexcept;

  bool skip_blanks();
  void skip_comment();
  Token punctuation(char character, const Mark& from);
  Token word(const Mark& from);
  Token number_word(const Mark& from);
  // Skips the rest of a word.
  void skip_word();
  Token quoted(const Mark& from);
  // Reads on from the first escape of a quoted string that began at `begin`.
  Token quoted_with_escapes(const Mark& from, std::uint32_t begin);
  Token triple_quoted(const Mark& from);
  // Reports a string that does not end, and skips the rest of the text.
  Token unterminated(const Mark& from, std::string_view message, std::string_view help);
  bool take_escape(std::pmr::string& out);
  bool take_unicode_escape(std::pmr::string& out);
  int take_hex4();
  bool at_comment() const noexcept;

  std::string_view text_;
  std::uint32_t file_;
  Syntax syntax_;
  std::pmr::memory_resource* arena_;
  std::uint32_t at_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t line_start_ = 0;
  std::uint32_t continuations_ = 0;  // UTF-8 continuation bytes on this line so far
  LexicalProblem problem_;
};

}  // namespace actord::hocon
