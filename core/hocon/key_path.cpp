// SPDX-License-Identifier: Apache-2.0
#include "hocon/key_path.hpp"

#include <utility>

#include "base/utf8.hpp"
#include "hocon/render.hpp"
#include "hocon/unicode.hpp"

namespace actord::hocon {

namespace {

/// Whether a character needs no quotes in a key, wherever the key stands.
bool is_plain(char32_t code) noexcept {
  const bool letter = (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
  const bool sign = code == '-' || code == '_' || code == '/' || code == '%';
  return letter || (code >= '0' && code <= '9') || sign ||
         (code >= 0x80 && !unicode::is_blank(code));
}

}  // namespace

void PathBuilder::start() {
  elements_.clear();
  current_ = blanks_ = {};
  joined_ = nullptr;
  quoted_ = malformed_ = false;
}

void PathBuilder::add_piece(std::string_view piece) {
  if (piece.empty()) return;
  if (current_.empty()) {
    current_ = piece;
  } else if (joined_ == nullptr && current_.data() + current_.size() == piece.data()) {
    current_ = {current_.data(), current_.size() + piece.size()};
  } else {
    if (joined_ == nullptr) {
      std::pmr::polymorphic_allocator<> allocator(arena_);
      joined_ = allocator.new_object<std::pmr::string>(current_);
    }
    current_ = joined_->append(piece);
  }
}

void PathBuilder::end_element() {
  if (current_.empty() && !quoted_) malformed_ = true;
  elements_.push_back(current_);
  current_ = {};
  joined_ = nullptr;
  quoted_ = false;
}

void PathBuilder::add(const Token& token) {
  if (token.kind == TokenKind::blank) {
    if (!current_.empty() || quoted_ || !elements_.empty()) blanks_ = token.text;
    return;
  }
  add_piece(std::exchange(blanks_, {}));
  if (token.kind == TokenKind::quoted) {
    quoted_ = true;
    add_piece(token.text);
    return;
  }
  std::string_view rest = token.text;
  for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
    add_piece(rest.substr(0, dot));
    end_element();
    rest.remove_prefix(dot + 1);
  }
  add_piece(rest);
}

bool PathBuilder::finish() {
  end_element();
  return !malformed_;
}

std::string to_text(std::span<const std::string_view> path) {
  std::string text;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (i > 0) text.push_back('.');
    text.append(quoted_key(path[i]));
  }
  return text;
}

std::optional<std::vector<std::string>> parse_path(std::string_view text) {
  if (base::utf8::find_invalid(text) != std::string_view::npos) return std::nullopt;
  std::pmr::monotonic_buffer_resource arena;
  Lexer lexer(text, 0, Lexer::Syntax::hocon, &arena);
  PathBuilder builder(&arena);
  for (Token token = lexer.next(); token.kind != TokenKind::end; token = lexer.next()) {
    const bool fits = token.kind == TokenKind::word || token.kind == TokenKind::quoted ||
                      token.kind == TokenKind::blank;
    if (!fits) return std::nullopt;
    builder.add(token);
  }
  if (!builder.finish()) return std::nullopt;
  return std::vector<std::string>(builder.elements().begin(), builder.elements().end());
}

std::string quoted_key(std::string_view key) {
  // Two slashes would begin a comment, and a blank beyond ASCII would count as a blank.
  bool plain = !key.empty() && key.find("//") == std::string_view::npos;
  for (std::string_view rest = key; plain && !rest.empty();) {
    const base::utf8::Decoded next = base::utf8::decode(rest);
    plain = next.bytes != 0 && is_plain(next.code);
    rest.remove_prefix(next.bytes);
  }
  if (plain) return std::string(key);
  std::string text;
  append_json_string(text, key);
  return text;
}

}  // namespace actord::hocon
