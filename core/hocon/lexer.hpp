// SPDX-License-Identifier: Apache-2.0
//
// Characters to tokens, one at a time. A token knows its place; escapes of quoted strings are
// already resolved.
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
  quoted,          // text: the string it stands for
  word,            // a run of unquoted characters: text, number, true, …
  reserved,        // one character that must be quoted
  broken,          // no token: problem() says why
};

struct Token {
  TokenKind kind = TokenKind::end;
  SourceSpan span;
  std::uint32_t begin = 0;  // offsets in the text
  std::uint32_t end = 0;
  std::string_view text;  // of quoted: the meaning; of all others: the characters
};

/// Why a token is broken: texts for a Diagnostic.
struct LexicalProblem {
  SourceSpan span;
  std::string_view message;
  std::string_view help;
  std::uint32_t note_line = 0;  // where the text ended in the middle of the token; 0: elsewhere
};

/// Reads one source. Strings that contain escapes are built in the arena.
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
  Token fail(const Mark& from, std::string_view message, std::string_view help = {});
  void start_line() noexcept;

  bool skip_blanks();
  void skip_comment();
  Token punctuation(char character, const Mark& from);
  Token word(const Mark& from);
  Token number_word(const Mark& from);
  void run_over_word();
  Token quoted(const Mark& from);
  Token quoted_with_escapes(const Mark& from, std::uint32_t begin);
  Token triple_quoted(const Mark& from);
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
  std::uint32_t continuations_ = 0;  // bytes on this line, up to here, that begin no character
  LexicalProblem problem_;
};

}  // namespace actord::hocon
