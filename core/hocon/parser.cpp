// SPDX-License-Identifier: Apache-2.0
#include "hocon/parser.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "hocon/extra_brace.hpp"
#include "hocon/merge.hpp"
#include "hocon/units.hpp"

namespace actord::hocon {

namespace {

/// The span from the first piece to the last, or to the end of the first line.
SourceSpan spanning(const SourceSpan& first, const SourceSpan& last) noexcept {
  if (first.at.line != last.at.line || last.length == UINT32_MAX) return {first.at, UINT32_MAX};
  return {first.at, last.at.column + last.length - first.at.column};
}

}  // namespace

Parser::Parser(const ParserSetting& setting, std::uint32_t file, Lexer::Syntax syntax,
               const IncludeScope* scope, TreePosition position)
    : setting_(setting),
      file_(file),
      syntax_(syntax),
      scope_(scope),
      position_(std::move(position)),
      lexer_(setting.files[file].text, file, syntax, &setting.arena),
      path_(&setting.arena) {}

// ---- tokens -------------------------------------------------------------------------------------

void Parser::skip_blanks() {
  while (token_.kind == TokenKind::blank) advance();
}

bool Parser::skip_blanks_and_newlines() {
  bool newline = false;
  for (; token_.kind == TokenKind::blank || token_.kind == TokenKind::newline; advance()) {
    newline = newline || token_.kind == TokenKind::newline;
  }
  return newline;
}

bool Parser::ends_value() const noexcept {
  switch (token_.kind) {
    case TokenKind::end:
    case TokenKind::newline:
    case TokenKind::comma:
    case TokenKind::close_brace:
    case TokenKind::close_bracket: return true;
    default: return false;
  }
}

Node* Parser::make(NodeKind kind, const SourceSpan& span) {
  Node* node = std::pmr::polymorphic_allocator<>(&setting_.arena).new_object<Node>();
  node->kind = kind;
  node->span = span;
  return node;
}

Node* Parser::make_object(const SourceSpan& span) {
  Node* node = make(NodeKind::object, span);
  node->object =
      std::pmr::polymorphic_allocator<>(&setting_.arena).new_object<ObjectLiteral>(&setting_.arena);
  return node;
}

bool Parser::enter(std::size_t levels, const SourceSpan& span) {
  if (levels > setting_.limits.nesting || position_.nesting + levels > setting_.limits.nesting)
    return fail_too_deep(span);
  position_.nesting += static_cast<std::uint32_t>(levels);
  return true;
}

// ---- the file and its fields --------------------------------------------------------------------

bool Parser::parse(ObjectLiteral& target) {
  advance();
  if (syntax_ == Lexer::Syntax::json) return parse_json(target);
  skip_blanks_and_newlines();
  if (token_.kind == TokenKind::open_bracket) {
    return fail(token_.span, "a configuration is an object, not a list",
                "give the list a key, such as `items = [...]`");
  }
  if (token_.kind != TokenKind::open_brace) return parse_fields(target, Until::end, {});
  const SourceSpan opened = token_.span;
  advance();
  if (!parse_fields(target, Until::close_brace, opened)) return false;
  skip_blanks_and_newlines();
  if (token_.kind == TokenKind::end) return true;
  if (report_extra_brace()) return false;
  if (token_.kind == TokenKind::close_brace)
    return fail(token_.span, "a } without a { before it", "remove it");
  return fail_at_token("nothing more after the closing } of the file");
}

bool Parser::parse_fields(ObjectLiteral& target, Until until, const SourceSpan& opened) {
  skip_blanks_and_newlines();
  while (true) {
    if (token_.kind == TokenKind::end) {
      if (until == Until::end) return true;
      return fail(opened, "a { that is not closed", "add the missing }",
                  "the file ends at line " + std::to_string(token_.span.at.line));
    }
    if (token_.kind == TokenKind::close_brace) {
      if (until == Until::end)
        return !report_extra_brace() && fail(token_.span, "a } without a { before it", "remove it");
      advance();
      return true;
    }
    if (!parse_field(target)) return false;
    const TokenKind close = until == Until::end ? TokenKind::end : TokenKind::close_brace;
    if (parse_element_end(close, "field") == ElementEnd::failed) return false;
  }
}

// Fields and elements are separated by a comma, a newline, or both.
Parser::ElementEnd Parser::parse_element_end(TokenKind close, std::string_view what) {
  const bool newline = skip_blanks_and_newlines();
  if (token_.kind == TokenKind::comma) {
    advance();
    skip_blanks_and_newlines();
    return ElementEnd::next;
  }
  const bool closed = token_.kind == close || token_.kind == TokenKind::end ||
                      token_.kind == TokenKind::close_brace;
  if (newline || closed) return ElementEnd::next;
  fail_at_token("a comma or a newline before the next " + std::string(what));
  return ElementEnd::failed;
}

bool Parser::parse_field(ObjectLiteral& target) {
  if (token_.kind == TokenKind::word && token_.text == "include") return parse_include(target);
  SourceSpan key;
  Separator separator = Separator::define;
  if (!parse_key(key) || !parse_separator(key, separator)) return false;
  const std::size_t elements = path_.elements().size();
  const std::size_t levels = elements - 1;  // the value's own bracket counts the last level
  setting_.files.add_key(key);
  if (!count(levels, key) || !enter(levels, key)) return false;
  position_.path.insert(position_.path.end(), path_.elements().begin(), path_.elements().end());
  if (!define_field(target, elements, key, separator)) return false;
  position_.path.resize(position_.path.size() - elements);
  leave(levels);
  return true;
}

bool Parser::parse_key(SourceSpan& span) {
  if (token_.kind == TokenKind::open_brace || token_.kind == TokenKind::open_bracket) {
    return fail(token_.span, "a key is expected here, not an object or a list");
  }
  if (token_.kind != TokenKind::word && token_.kind != TokenKind::quoted)
    return fail_at_token("a key");
  span = token_.span;
  path_.start();
  for (; token_.kind == TokenKind::word || token_.kind == TokenKind::quoted ||
         token_.kind == TokenKind::blank;
       advance()) {
    if (token_.kind != TokenKind::blank) span = spanning(span, token_.span);
    path_.add(token_);
  }
  if (path_.finish()) return true;
  return fail(span, "a key must not begin or end with a dot, nor have two in a row",
              "an empty name must be quoted: a.\"\".b");
}

bool Parser::parse_separator(const SourceSpan& key, Separator& separator) {
  if (skip_blanks_and_newlines() && token_.kind != TokenKind::colon &&
      token_.kind != TokenKind::equals && token_.kind != TokenKind::plus_equals &&
      token_.kind != TokenKind::open_brace) {
    return fail(key, "a key without a value",
                "write `key = value`, or `key { ... }` for an object");
  }
  switch (token_.kind) {
    case TokenKind::colon:
    case TokenKind::equals: separator = Separator::define; break;
    case TokenKind::plus_equals: separator = Separator::append; break;
    case TokenKind::open_brace: separator = Separator::open_brace; return true;
    case TokenKind::end:
    case TokenKind::comma:
    case TokenKind::close_brace:
    case TokenKind::close_bracket:
      return fail(key, "a key without a value",
                  "write `key = value`, or `key { ... }` for an object");
    case TokenKind::open_reference:
    case TokenKind::open_optional: return fail(token_.span, "a key cannot contain a substitution");
    default: return fail_at_token("`=`, `:`, `+=` or `{` after a key");
  }
  advance();
  skip_blanks_and_newlines();
  return true;
}

bool Parser::define_field(ObjectLiteral& target, std::size_t elements, const SourceSpan& key,
                          Separator separator) {
  if (separator != Separator::open_brace && ends_value()) {
    return fail(key, "a key without a value",
                "write `key = \"\"` for an empty string, `key = null` for nothing");
  }
  Node* value = separator == Separator::append ? parse_appended() : parse_value();
  if (value == nullptr) return false;
  const std::span<const std::string_view> path = position_.path;
  define(target, path.last(elements), value, key, &setting_.arena);
  return true;
}

// ---- values -------------------------------------------------------------------------------------

Node* Parser::parse_appended() {
  TreePosition outside = std::exchange(position_, {nullptr, {}, true, position_.nesting});
  Node* element = parse_value();
  position_ = std::move(outside);
  if (element == nullptr) return nullptr;
  Node* node = make(NodeKind::append, element->span);
  node->pure = false;
  node->appended = element;
  return node;
}

Node* Parser::parse_value() {
  Piece first;
  if (!parse_piece(first)) return nullptr;
  Token blank;
  if (token_.kind == TokenKind::blank) {
    blank = token_;
    advance();
  }
  return ends_value() ? to_node(first) : parse_concatenation(std::move(first), blank);
}

// Reads the other values of the line. `blank` is the blank after the first one, if there was one.
Node* Parser::parse_concatenation(Piece first, const Token& blank) {
  NodeKind collection = NodeKind::reference;  // no object or list so far
  bool text = false;
  joins(first, collection, text);
  std::vector<Piece> pieces = {std::move(first)};
  Token space = blank;
  while (!ends_value()) {
    if (token_.kind == TokenKind::blank) {
      space = token_;
      advance();
      continue;
    }
    if (space.kind == TokenKind::blank) pieces.push_back({nullptr, space});
    space.kind = TokenKind::end;
    Piece piece;
    if (!parse_piece(piece) || !joins(piece, collection, text)) return nullptr;
    pieces.push_back(piece);
  }
  return join(pieces);
}

// An object or list beside a text is an error at once, because no value of a substitution could
// mend it.
bool Parser::joins(const Piece& piece, NodeKind& collection, bool& text) {
  const bool is_text = piece.node == nullptr;
  text = text || is_text;
  if (!is_text && piece.node->kind != NodeKind::reference) collection = piece.node->kind;
  if (!text || collection == NodeKind::reference) return true;
  const std::string what = collection == NodeKind::object ? "an object" : "a list";
  fail(is_text ? piece.scalar.span : piece.node->span,
       what + " and a string cannot be joined into one value",
       "put a comma or a newline between two values, or quotes around one string");
  setting_.errors.back().code = codes::join;
  return false;
}

bool Parser::parse_piece(Piece& piece) {
  if (!count(1, token_.span)) return false;
  switch (token_.kind) {
    case TokenKind::word:
    case TokenKind::quoted:
      piece.scalar = token_;
      advance();
      return true;
    case TokenKind::open_brace: piece.node = parse_object(); break;
    case TokenKind::open_bracket: piece.node = parse_array(); break;
    case TokenKind::open_reference:
    case TokenKind::open_optional: piece.node = parse_reference(); break;
    default: return fail_after_value();
  }
  return piece.node != nullptr;
}

Node* Parser::to_node(const Piece& piece) {
  if (piece.node != nullptr) return piece.node;
  const bool word = piece.scalar.kind == TokenKind::word;
  Node* node = make(word ? kind_of_word(piece.scalar.text) : NodeKind::string, piece.scalar.span);
  node->text = piece.scalar.text;
  node->blank = piece.scalar.kind == TokenKind::blank;
  return node;
}

Node* Parser::parse_object() {
  const SourceSpan opened = token_.span;
  if (!enter(1, opened)) return nullptr;
  Node* node = make_object(opened);
  advance();
  if (position_.in_array) {
    const TreePosition outside =
        std::exchange(position_, {node->object, {}, false, position_.nesting});
    const bool good = parse_fields(*node->object, Until::close_brace, opened);
    position_ = outside;
    if (!good) return nullptr;
  } else if (!parse_fields(*node->object, Until::close_brace, opened)) {
    return nullptr;
  }
  leave(1);
  return node;
}

Node* Parser::parse_array() {
  const SourceSpan opened = token_.span;
  if (!enter(1, opened)) return nullptr;
  Node* node = make(NodeKind::array, opened);
  node->elements = std::pmr::polymorphic_allocator<>(&setting_.arena).new_object<Elements>();
  TreePosition outside = std::exchange(position_, {nullptr, {}, true, position_.nesting});
  advance();
  skip_blanks_and_newlines();
  while (token_.kind != TokenKind::close_bracket) {
    if (token_.kind == TokenKind::end) {
      fail(opened, "a [ that is not closed", "add the missing ]",
           "the file ends at line " + std::to_string(token_.span.at.line));
      return nullptr;
    }
    if (ends_value()) return fail_at_token("an element of the list"), nullptr;
    Node* element = parse_value();
    if (element == nullptr) return nullptr;
    node->pure = node->pure && element->is_pure();
    node->elements->push_back(element);
    if (parse_element_end(TokenKind::close_bracket, "element") == ElementEnd::failed)
      return nullptr;
  }
  advance();
  position_ = std::move(outside);
  leave(1);
  return node;
}

Node* Parser::parse_reference() {
  const Token opened = token_;
  path_.start();
  advance();
  skip_blanks();
  for (; token_.kind == TokenKind::word || token_.kind == TokenKind::quoted ||
         token_.kind == TokenKind::blank;
       advance()) {
    path_.add(token_);
  }
  if (token_.kind != TokenKind::close_brace) {
    if (token_.kind == TokenKind::newline || token_.kind == TokenKind::end) {
      fail(opened.span, "a substitution that is not closed",
           "close it with } on the same line: ${a.b}");
    } else if (token_.kind == TokenKind::reserved && token_.text == "?") {
      fail(token_.span, "a `?` in a substitution must follow the brace at once", "write ${?a.b}");
    } else if (token_.kind == TokenKind::open_reference ||
               token_.kind == TokenKind::open_optional) {
      fail(token_.span, "a substitution cannot contain another one");
    } else {
      fail_at_token("a path such as a.b and then } in a substitution");
    }
    return nullptr;
  }
  Node* node = make(NodeKind::reference, spanning(opened.span, token_.span));
  setting_.files.add_key(node->span);
  if (!path_.finish()) {
    fail(node->span,
         "no path in a substitution: a path must not be empty, begin or end with a dot, or have "
         "two in a row",
         "an empty name must be quoted: ${a.\"\".b}");
    return nullptr;
  }
  if (path_.elements().size() > setting_.limits.nesting) return fail_too_deep(node->span), nullptr;
  if (!count(path_.elements().size() - 1, node->span)) return nullptr;
  advance();
  std::pmr::polymorphic_allocator<> allocator(&setting_.arena);
  node->pure = false;
  auto* elements = allocator.allocate_object<std::string_view>(path_.elements().size());
  std::uninitialized_copy(path_.elements().begin(), path_.elements().end(), elements);
  node->reference = allocator.new_object<Reference>(Reference{
      {elements, path_.elements().size()}, scope_, opened.kind == TokenKind::open_optional});
  return node;
}

Node* Parser::join(std::span<const Piece> pieces) {
  const auto span_of = [](const Piece& piece) {
    return piece.node == nullptr ? piece.scalar.span : piece.node->span;
  };
  const SourceSpan span = spanning(span_of(pieces.front()), span_of(pieces.back()));
  const auto is_scalar = [](const Piece& piece) { return piece.node == nullptr; };
  if (std::all_of(pieces.begin(), pieces.end(), is_scalar)) return join_text(pieces, span);
  std::pmr::polymorphic_allocator<> allocator(&setting_.arena);
  Node* node = make(NodeKind::concatenation, span);
  node->pure = false;
  node->elements = allocator.new_object<Elements>();
  node->elements->reserve(pieces.size());
  for (const Piece& piece : pieces) node->elements->push_back(to_node(piece));
  return node;
}

Node* Parser::join_text(std::span<const Piece> pieces, const SourceSpan& span) {
  Node* node = make(NodeKind::string, span);
  const std::uint32_t begin = pieces.front().scalar.begin;
  const std::uint32_t end = pieces.back().scalar.end;
  std::size_t characters = 0;
  for (const Piece& piece : pieces) characters += piece.scalar.text.size();
  // Nothing was quoted, so that the text lies in the source in one piece.
  if (characters == end - begin) {
    node->text = std::string_view(setting_.files[file_].text).substr(begin, characters);
    return node;
  }
  auto& joined = *std::pmr::polymorphic_allocator<>(&setting_.arena).new_object<std::pmr::string>();
  joined.reserve(characters);
  for (const Piece& piece : pieces) joined.append(piece.scalar.text);
  node->text = joined;
  return node;
}

// ---- messages -----------------------------------------------------------------------------------

// A message must not quote text of the file either, because it may be a piece of a secret. It may
// quote a key that was read, and punctuation.
bool Parser::fail(const SourceSpan& span, std::string message, std::string help, std::string note) {
  setting_.errors.push_back(coded(
      codes::syntax,
      diagnostic_at(setting_.files, span, std::move(message), std::move(help), std::move(note))));
  return false;
}

// The current token, without its text unless that is punctuation.
std::string Parser::described_token() const {
  if (token_.kind == TokenKind::word) return "a text";
  if (token_.kind == TokenKind::quoted) return "a quoted string";
  return quoted_for_message(token_.text);
}

bool Parser::fail_too_deep(const SourceSpan& span) {
  fail(span, "nested deeper than " + std::to_string(setting_.limits.nesting) + " levels",
       "path elements count as levels too");
  setting_.errors.back().code = codes::limit;
  return false;
}

bool Parser::fail_too_many(const SourceSpan& span) {
  fail(span, too_many_values(setting_.limits));
  setting_.errors.back().code = codes::limit;
  return false;
}

bool Parser::fail_at_token(std::string_view expected) {
  switch (token_.kind) {
    case TokenKind::broken: {
      const LexicalProblem& problem = lexer_.problem();
      std::string note;
      if (problem.note_line != 0)
        note = "the file ends at line " + std::to_string(problem.note_line) + " inside it";
      return fail(problem.span, std::string(problem.message), std::string(problem.help),
                  std::move(note));
    }
    case TokenKind::end:
      return fail(token_.span, "the file ends where there should be " + std::string(expected));
    case TokenKind::newline:
      return fail(token_.span, "the line ends where there should be " + std::string(expected));
    case TokenKind::reserved:
      return fail(token_.span,
                  "the character " + quoted_for_message(token_.text) + " must be quoted",
                  "put the whole text in double quotes");
    default:
      return fail(token_.span, "expected " + std::string(expected) + ", got " + described_token());
  }
}

// Reports the brace that is too many, if the parser is at the } for which no { is left, or behind
// the } that closes the file. False if it cannot be found.
bool Parser::report_extra_brace() {
  const auto extra = find_extra_brace(setting_.files[file_].text, file_, token_.span.at);
  if (!extra) return false;
  const std::string line = std::to_string(token_.span.at.line);
  const bool is_at_brace = token_.kind == TokenKind::close_brace;
  fail(extra->brace, "a } that is probably too many",
       "remove it, or indent it as the line of its {",
       "it closes the { of line " + std::to_string(extra->opened_in) +
           (is_at_brace ? ", so that none is left for the } of line " + line
                        : ", and the file goes on in line " + line));
  return true;
}

// Reports a token that cannot continue a value.
bool Parser::fail_after_value() {
  const bool separator = token_.kind == TokenKind::colon || token_.kind == TokenKind::equals ||
                         token_.kind == TokenKind::plus_equals;
  if (!separator) return fail_at_token("a value");
  const std::string_view after = std::string_view(setting_.files[file_].text).substr(token_.end);
  const std::string what = "the character " + quoted_for_message(token_.text) + " must be quoted";
  if (token_.kind == TokenKind::colon && after.starts_with("//")) {
    return fail(token_.span, what, "put the whole address in double quotes: \"http://...\"");
  }
  return fail(token_.span, what,
              "put the text in double quotes; two fields on one line need a comma between them");
}

}  // namespace actord::hocon
