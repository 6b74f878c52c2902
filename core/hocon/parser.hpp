// SPDX-License-Identifier: Apache-2.0
//
// Turns tokens into the unresolved tree. The fields of one file are defined directly in the object
// that the file belongs to.
//
// The first syntax error ends the file. Recursion is bounded by the nesting limit, path elements
// included. Not here: the search for included files (include.hpp).
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hocon/diagnostic.hpp"
#include "hocon/key_path.hpp"
#include "hocon/lexer.hpp"
#include "hocon/limits.hpp"
#include "hocon/node.hpp"
#include "hocon/secrets.hpp"

namespace actord::hocon {

/// An include statement, read but not yet followed.
struct IncludeRequest {
  enum class Form : std::uint8_t { heuristic, file, url, classpath };
  Form form = Form::heuristic;
  bool required = false;
  std::string_view name;
  SourceSpan span;  // of the name
};

/// Follows include statements for a parser.
class IncludeHandler {
 public:
  virtual ~IncludeHandler() = default;
  /// Defines the content of the named file in `target`. False, after an error is reported, if the
  /// including file cannot go on.
  virtual bool include(const IncludeRequest& request, ObjectLiteral& target,
                       const TreePosition& position) = 0;
};

/// The data that all parsers of one configuration share.
struct ParserSetting {
  std::pmr::memory_resource& arena;
  SourceFiles& files;
  const Limits& limits;
  std::uint64_t& nodes;  // of all files so far
  IncludeHandler& includes;
  Diagnostics& errors;
};

class Parser {
 public:
  /// `scope`: the include statement that names this file, null for a layer. `position`: where the
  /// `target` of parse() lies in the tree.
  Parser(const ParserSetting& setting, std::uint32_t file, Lexer::Syntax syntax,
         const IncludeScope* scope, TreePosition position);

  /// Reads the whole file into `target`. False after an error, which is reported.
  bool parse(ObjectLiteral& target);

 private:
  enum class Until : std::uint8_t { close_brace, end };
  enum class Separator : std::uint8_t { define, append, open_brace };
  enum class ElementEnd : std::uint8_t { next, closed, failed };

  // tokens
  void advance() { token_ = lexer_.next(); }
  void skip_blanks();
  bool skip_blanks_and_newlines();
  bool ends_value() const noexcept;

  // HOCON
  // Reads fields until a closing brace or the end of the file. `opened`: the place of the opening
  // brace.
  bool parse_fields(ObjectLiteral& target, Until until, const SourceSpan& opened);
  bool parse_field(ObjectLiteral& target);
  bool parse_key(SourceSpan& span);
  bool parse_separator(const SourceSpan& key, Separator& separator);
  bool define_field(ObjectLiteral& target, std::size_t elements, const SourceSpan& key,
                    Separator separator);
  // Reads the separator between two fields or elements.
  ElementEnd parse_element_end(TokenKind close, std::string_view what);
  Node* parse_value();
  Node* parse_object();
  Node* parse_array();
  Node* parse_appended();
  Node* parse_reference();

  /// One of several values on a line. A scalar that is joined with others into a text does not
  /// become a node of its own.
  struct Piece {
    Node* node = nullptr;
    Token scalar;  // valid if `node` is null
  };
  bool parse_piece(Piece& piece);
  Node* to_node(const Piece& piece);
  Node* parse_concatenation(Piece first, const Token& blank);
  Node* join(std::span<const Piece> pieces);
  // Joins pieces that are all scalars into one string.
  Node* join_text(std::span<const Piece> pieces, const SourceSpan& span);
  // Whether the piece can be joined to those before it. Updates `collection`, the kind of the
  // object or list seen so far, and `text`, which is true once there was a text.
  bool joins(const Piece& piece, NodeKind& collection, bool& text);

  // include statements
  bool parse_include(ObjectLiteral& target);
  // Reads the words before the name, such as `required(file(`. `open`: the number of parentheses.
  bool parse_include_forms(IncludeRequest& request, unsigned& open);

  // JSON
  Node* parse_json_value();
  bool parse_json_object(ObjectLiteral& target);
  bool parse_json_array(Elements& elements);
  ElementEnd parse_json_element_end(TokenKind close);
  bool parse_json(ObjectLiteral& target);

  // messages
  bool fail(const SourceSpan& span, std::string message, std::string help = {},
            std::string note = {});
  std::string described_token() const;
  bool fail_at_token(std::string_view expected);
  bool fail_after_value();
  bool report_extra_brace();
  bool fail_too_deep(const SourceSpan& span);
  bool fail_too_many(const SourceSpan& span);
  bool fail_json(std::string_view expected);

  // Counts values and elements of paths. False, after an error, beyond the limit.
  bool count(std::size_t nodes, const SourceSpan& span) {
    return (setting_.nodes += nodes) <= setting_.limits.nodes || fail_too_many(span);
  }
  Node* make(NodeKind kind, const SourceSpan& span);
  Node* make_object(const SourceSpan& span);
  // Counts levels of nesting. False, after an error, beyond the limit.
  bool enter(std::size_t levels, const SourceSpan& span);
  void leave(std::size_t levels) noexcept {
    position_.nesting -= static_cast<std::uint32_t>(levels);
  }

  const ParserSetting& setting_;
  std::uint32_t file_;
  Lexer::Syntax syntax_;
  const IncludeScope* scope_;
  TreePosition position_;
  Lexer lexer_;
  Token token_;
  PathBuilder path_;
};

}  // namespace actord::hocon
