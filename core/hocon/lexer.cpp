// SPDX-License-Identifier: Apache-2.0
#include "hocon/lexer.hpp"

#include <array>
#include <string>

#include "base/utf8.hpp"
#include "hocon/unicode.hpp"
#include "hocon/units.hpp"

namespace actord::hocon {

namespace {

constexpr std::string_view reserved_characters = "$\"{}[]:=,+#`^?!@*&\\";

/// The role of an ASCII character outside quotes; `beyond` is for all other bytes.
enum class Class : std::uint8_t { word, blank, newline, reserved, beyond };

constexpr std::array<Class, 256> classes = [] {
  std::array<Class, 256> table{};
  for (unsigned c = 0; c < 256; ++c) {
    const bool blank = c == 0x20 || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
    if (c >= 0x80) table[c] = Class::beyond;
    else if (c == '\n') table[c] = Class::newline;
    else if (blank) table[c] = Class::blank;
    else if (reserved_characters.find(static_cast<char>(c)) != std::string_view::npos)
      table[c] = Class::reserved;
  }
  return table;
}();

Class class_of(char c) noexcept { return classes[static_cast<unsigned char>(c)]; }
bool is_ascii(char c) noexcept { return static_cast<unsigned char>(c) < 0x80; }
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_number_character(char c) noexcept {
  return is_digit(c) || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-';
}
bool is_control(char c) noexcept { return static_cast<unsigned char>(c) < 0x20; }

constexpr std::string_view close_help =
    "close it with \" on the same line, or use \"\"\" for text of several lines";

}  // namespace

Lexer::Lexer(std::string_view text, std::uint32_t file, Syntax syntax,
             std::pmr::memory_resource* arena)
    : text_(text), file_(file), syntax_(syntax), arena_(arena) {}

Lexer::Mark Lexer::here() const noexcept {
  return {at_, line_, at_ - line_start_ - continuations_ + 1};
}

Token Lexer::token(TokenKind kind, const Mark& from) const {
  const Mark to = here();
  Token token;
  token.kind = kind;
  // The span of a token of several lines reaches to the end of the first line, because a caret is
  // drawn on one line only.
  token.span = {{file_, from.line, from.column},
                to.line == from.line ? to.column - from.column : UINT32_MAX};
  token.begin = from.offset;
  token.end = at_;
  token.text = text_.substr(from.offset, at_ - from.offset);
  return token;
}

Token Lexer::fail(const Mark& from, std::string_view message, std::string_view help) {
  const Token token = this->token(TokenKind::broken, from);
  problem_ = {token.span, message, help, 0};
  return token;
}

void Lexer::start_line() noexcept {
  ++line_;
  line_start_ = at_;
  continuations_ = 0;
}

bool Lexer::at_comment() const noexcept {
  if (at_ >= text_.size()) return false;
  return text_[at_] == '#' || text_.substr(at_, 2) == "//";
}

bool Lexer::skip_blanks() {
  const std::uint32_t begin = at_;
  while (at_ < text_.size()) {
    const Class kind = class_of(text_[at_]);
    if (kind == Class::blank) {
      ++at_;
      continue;
    }
    if (kind != Class::beyond) break;
    const base::utf8::Decoded decoded = base::utf8::decode(text_.substr(at_));
    if (!unicode::is_blank(decoded.code)) break;
    at_ += decoded.bytes;
    continuations_ += decoded.bytes - 1;
  }
  return at_ != begin;
}

void Lexer::skip_comment() {
  const std::size_t newline = text_.find('\n', at_);
  const std::size_t end = newline == std::string_view::npos ? text_.size() : newline;
  for (; at_ < end; ++at_) continuations_ += base::utf8::is_continuation(text_[at_]) ? 1 : 0;
}

Token Lexer::next() {
  Mark from = here();
  if (skip_blanks()) {
    const Token blank = token(TokenKind::blank, from);
    std::string_view rest = blank.text;
    if (from.offset == 0 && rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
    if (syntax_ == Syntax::json && rest.find_first_not_of(" \t\r") != std::string_view::npos) {
      return fail(from, "JSON knows no blank but space, tab, carriage return and newline");
    }
    return blank;
  }
  if (at_comment() && syntax_ == Syntax::hocon) {
    skip_comment();
    from = here();
  }
  if (at_ >= text_.size()) return token(TokenKind::end, from);
  const char character = text_[at_];
  if (character == '\n') {
    ++at_;
    const Token newline = {
        TokenKind::newline, {{file_, from.line, from.column}, 1}, from.offset, at_, "\n"};
    start_line();
    return newline;
  }
  if (character == '"') return quoted(from);
  return class_of(character) == Class::reserved ? punctuation(character, from) : word(from);
}

Token Lexer::punctuation(char character, const Mark& from) {
  ++at_;
  const auto followed_by = [&](char wanted) {
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  };
  switch (character) {
    case ',': return token(TokenKind::comma, from);
    case ':': return token(TokenKind::colon, from);
    case '=': return token(TokenKind::equals, from);
    case '{': return token(TokenKind::open_brace, from);
    case '}': return token(TokenKind::close_brace, from);
    case '[': return token(TokenKind::open_bracket, from);
    case ']': return token(TokenKind::close_bracket, from);
    case '+': return token(followed_by('=') ? TokenKind::plus_equals : TokenKind::reserved, from);
    case '$':
      if (!followed_by('{')) return token(TokenKind::reserved, from);
      return token(followed_by('?') ? TokenKind::open_optional : TokenKind::open_reference, from);
    default: return token(TokenKind::reserved, from);
  }
}

void Lexer::skip_word() {
  while (at_ < text_.size()) {
    const char character = text_[at_];
    const Class kind = class_of(character);
    if (kind == Class::word) {
      if (character == '/' && at_comment()) return;
      ++at_;
      continue;
    }
    if (kind != Class::beyond) return;
    const base::utf8::Decoded decoded = base::utf8::decode(text_.substr(at_));
    if (unicode::is_blank(decoded.code)) return;
    at_ += decoded.bytes;
    continuations_ += decoded.bytes - 1;
  }
}

Token Lexer::word(const Mark& from) {
  if (is_digit(text_[at_]) || text_[at_] == '-') return number_word(from);
  skip_word();
  return token(TokenKind::word, from);
}

// Outside quotes, a `+` may stand only in the exponent of a number.
Token Lexer::number_word(const Mark& from) {
  std::uint32_t end = at_;
  while (end < text_.size() && is_number_character(text_[end])) ++end;
  if (is_json_number(text_.substr(at_, end - at_))) at_ = end;
  skip_word();
  return token(TokenKind::word, from);
}

Token Lexer::unterminated(const Mark& from, std::string_view message, std::string_view help) {
  at_ = static_cast<std::uint32_t>(text_.size());
  problem_ = {{{file_, from.line, from.column}, 3}, message, help, line_};
  return {TokenKind::broken, problem_.span, from.offset, at_, {}};
}

Token Lexer::quoted(const Mark& from) {
  if (text_.substr(at_, 3) == "\"\"\"" && syntax_ == Syntax::hocon) return triple_quoted(from);
  const std::uint32_t begin = ++at_;
  for (; at_ < text_.size(); ++at_) {
    const char character = text_[at_];
    if (character == '"') {
      const std::string_view meaning = text_.substr(begin, at_ - begin);
      ++at_;
      Token token = this->token(TokenKind::quoted, from);
      token.text = meaning;
      return token;
    }
    if (character == '\\') return quoted_with_escapes(from, begin);
    if (character == '\n') break;
    if (is_control(character)) {
      const Mark bad = here();
      ++at_;
      return fail(bad, "a control character in a quoted string",
                  "write it as an escape, such as \\t or \\u0001");
    }
    continuations_ += base::utf8::is_continuation(character) ? 1 : 0;
  }
  return fail(from, "a quoted string that is not closed", close_help);
}

Token Lexer::quoted_with_escapes(const Mark& from, std::uint32_t begin) {
  std::pmr::polymorphic_allocator<> allocator(arena_);
  std::pmr::string& out = *allocator.new_object<std::pmr::string>(text_.substr(begin, at_ - begin));
  while (at_ < text_.size() && text_[at_] != '\n') {
    const char character = text_[at_];
    if (character == '"') {
      ++at_;
      Token token = this->token(TokenKind::quoted, from);
      token.text = out;
      return token;
    }
    if (character == '\\') {
      if (!take_escape(out)) return {TokenKind::broken, problem_.span, from.offset, at_, {}};
      continue;
    }
    const Mark bad = here();
    ++at_;
    if (is_control(character)) {
      return fail(bad, "a control character in a quoted string",
                  "write it as an escape, such as \\t or \\u0001");
    }
    continuations_ += base::utf8::is_continuation(character) ? 1 : 0;
    out.push_back(character);
  }
  return fail(from, "a quoted string that is not closed", close_help);
}

bool Lexer::take_escape(std::pmr::string& out) {
  const Mark from = here();
  ++at_;
  const char letter = at_ < text_.size() ? text_[at_] : '\0';
  static constexpr std::string_view letters = "\"\\/bfnrt";
  static constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  if (const std::size_t which = letters.find(letter);
      letter != '\0' && which != std::string_view::npos) {
    ++at_;
    out.push_back(meanings[which]);
    return true;
  }
  if (letter == 'u') return take_unicode_escape(out);
  if (at_ < text_.size() && letter != '\n' && is_ascii(letter)) ++at_;
  fail(from, "no such escape in a quoted string",
       "escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX; a backslash itself is \\\\");
  return false;
}

int Lexer::take_hex4() {
  int value = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    int digit = -1;
    if (is_digit(c)) digit = c - '0';
    else if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
    else if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

bool Lexer::take_unicode_escape(std::pmr::string& out) {
  Mark from = here();
  --from.offset, --from.column;  // include the backslash
  ++at_;
  const auto bad = [&](std::string_view message, std::string_view help) {
    fail(from, message, help);
    return false;
  };
  const int first = take_hex4();
  if (first < 0) return bad("\\u needs four hexadecimal digits", "for example \\u00e9");
  auto code = static_cast<char32_t>(first);
  const bool high = code >= 0xD800 && code <= 0xDBFF;
  if (code >= 0xDC00 && code <= 0xDFFF)
    return bad("half of a surrogate pair", "write the character itself");
  if (high) {
    if (text_.substr(at_, 2) != "\\u")
      return bad("half of a surrogate pair", "write the character itself");
    at_ += 2;
    const int second = take_hex4();
    if (second < 0xDC00 || second > 0xDFFF)
      return bad("half of a surrogate pair", "write the character itself");
    code = 0x10000 + ((code - 0xD800) << 10U) + (static_cast<char32_t>(second) - 0xDC00);
  }
  std::string bytes;
  base::utf8::append(bytes, code);
  out.append(bytes);
  return true;
}

// No escapes. If more than three quotes end the string, the last three close it.
Token Lexer::triple_quoted(const Mark& from) {
  at_ += 3;
  const std::uint32_t begin = at_;
  while (at_ < text_.size()) {
    const char character = text_[at_];
    if (character == '"' && text_.substr(at_, 3) == "\"\"\"") {
      std::uint32_t end = at_ + 3;
      while (end < text_.size() && text_[end] == '"') ++end;
      at_ = end;
      Token token = this->token(TokenKind::quoted, from);
      token.text = text_.substr(begin, end - 3 - begin);
      return token;
    }
    ++at_;
    if (character == '\n') start_line();
    else continuations_ += base::utf8::is_continuation(character) ? 1 : 0;
  }
  return unterminated(from, "a \"\"\" string that is not closed", "close it with \"\"\"");
}

}  // namespace actord::hocon
