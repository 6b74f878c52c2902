// SPDX-License-Identifier: Apache-2.0
//
// The parser for files named *.json, which are strict JSON.
#include <string>
#include <utility>

#include "hocon/merge.hpp"
#include "hocon/parser.hpp"
#include "hocon/units.hpp"

namespace actord::hocon {

bool Parser::fail_json(std::string_view expected) {
  if (token_.kind == TokenKind::word || token_.kind == TokenKind::reserved) {
    return fail(token_.span, "expected " + std::string(expected) + ", got " + described_token(),
                "a .json file is strict JSON; name it .conf to use HOCON");
  }
  return fail_at_token(expected);
}

bool Parser::parse_json(ObjectLiteral& target) {
  skip_blanks_and_newlines();
  if (token_.kind == TokenKind::open_bracket) {
    return fail(token_.span, "a configuration is an object, not a list");
  }
  if (token_.kind != TokenKind::open_brace) return fail_json("an object in braces");
  if (!parse_json_object(target)) return false;
  skip_blanks_and_newlines();
  return token_.kind == TokenKind::end || fail_json("the end of the file");
}

Node* Parser::parse_json_value() {
  const Token token = token_;
  if (!count(1, token.span)) return nullptr;
  switch (token.kind) {
    case TokenKind::quoted:
    case TokenKind::word: {
      Node* node = to_node({nullptr, token});
      const bool bare = token.kind == TokenKind::word && node->kind == NodeKind::string;
      if (bare && !is_json_number(token.text)) return fail_json("a JSON value"), nullptr;
      advance();
      return node;
    }
    case TokenKind::open_brace: {
      if (!enter(1, token.span)) return nullptr;
      Node* node = make_object(token.span);
      if (!parse_json_object(*node->object)) return nullptr;
      leave(1);
      return node;
    }
    case TokenKind::open_bracket: {
      if (!enter(1, token.span)) return nullptr;
      Node* node = make(NodeKind::array, token.span);
      node->elements = std::pmr::polymorphic_allocator<>(&setting_.arena).new_object<Elements>();
      if (!parse_json_array(*node->elements)) return nullptr;
      leave(1);
      return node;
    }
    default: return fail_json("a JSON value"), nullptr;
  }
}

// Reads the end of a member or element: the closing bracket, or a comma with another one behind it.
Parser::ElementEnd Parser::parse_json_element_end(TokenKind close) {
  skip_blanks_and_newlines();
  if (token_.kind == close) return advance(), ElementEnd::closed;
  if (token_.kind != TokenKind::comma) {
    return fail_json(close == TokenKind::close_brace ? "`,` or `}`" : "`,` or `]`"),
           ElementEnd::failed;
  }
  advance();
  skip_blanks_and_newlines();
  return ElementEnd::next;
}

bool Parser::parse_json_object(ObjectLiteral& target) {
  ObjectLiteral members(&setting_.arena);  // of this literal only: JSON allows no key twice
  advance();
  skip_blanks_and_newlines();
  if (token_.kind == TokenKind::close_brace) return advance(), true;
  for (ElementEnd end = ElementEnd::next; end == ElementEnd::next;) {
    if (token_.kind != TokenKind::quoted) return fail_json("a key in double quotes");
    const Token key = token_;
    if (members.find(key.text) != members.fields.size()) {
      setting_.files.add_key(key.span);
      return fail(key.span,
                  "the key " + quoted_for_message(key.text) + " stands twice in one JSON object");
    }
    advance();
    skip_blanks_and_newlines();
    if (token_.kind != TokenKind::colon) return fail_json("`:`");
    setting_.files.add_key(key.span);
    advance();
    skip_blanks_and_newlines();
    Node* value = parse_json_value();
    if (value == nullptr) return false;
    members.at(key.text);
    std::pmr::polymorphic_allocator<> allocator(&setting_.arena);
    define(target, {&key.text, 1}, value, key.span, &setting_.arena);
    end = parse_json_element_end(TokenKind::close_brace);
    if (end == ElementEnd::failed) return false;
  }
  return true;
}

bool Parser::parse_json_array(Elements& elements) {
  advance();
  skip_blanks_and_newlines();
  if (token_.kind == TokenKind::close_bracket) return advance(), true;
  for (ElementEnd end = ElementEnd::next; end == ElementEnd::next;) {
    Node* value = parse_json_value();
    if (value == nullptr) return false;
    elements.push_back(value);
    end = parse_json_element_end(TokenKind::close_bracket);
    if (end == ElementEnd::failed) return false;
  }
  return true;
}

}  // namespace actord::hocon
