// SPDX-License-Identifier: Apache-2.0
//
// How a syntax that this room does not know feeds the unresolved tree: value by value, each with
// its place.
//
// A reader of such a syntax calls the builder as it goes through the text: begin_object, for each
// member key and then one value, end. Keys are literal, no path is split and nothing is
// substituted; a plain scalar counts as the same word alone would in HOCON. The limits and the rule
// that no object has a key twice are the builder's.
//
// Not here: which files have which syntax (source.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "hocon/diagnostic.hpp"
#include "hocon/limits.hpp"
#include "hocon/node.hpp"
#include "hocon/secrets.hpp"

namespace actord::hocon {

/// One file. Every call answers whether to go on: after the first false, which is also reported,
/// there is nothing left to do. Calls that make no tree (a member without its key) are bugs.
class LiteralBuilder {
 public:
  enum class Style : std::uint8_t { plain, quoted };

  /// What the files of one configuration share, and where this one belongs.
  struct Setting {
    std::pmr::memory_resource& arena;
    SourceFiles& files;
    const Limits& limits;
    const SecretPlaces& secrets;
    Diagnostics& errors;
    const Whereabouts& where;
  };
  LiteralBuilder(const Setting& setting, std::uint32_t file);

  /// The place of some bytes of the text. Cheap as long as `begin` hardly ever goes back.
  SourceSpan place(std::size_t begin, std::size_t bytes = 1);

  bool begin_object(const SourceSpan& at);
  bool begin_list(const SourceSpan& at);
  bool key(const SourceSpan& at, std::string_view key);
  bool scalar(const SourceSpan& at, std::string_view text, Style style);
  /// Closes the innermost object or list.
  bool end();

  /// Reports what is wrong and ends the file: always false.
  bool fail(const SourceSpan& at, std::string message, std::string help = {},
            std::string note = {});

 private:
  friend class UnresolvedConfig;

  struct Level {
    Node* node;            // the object or list
    std::string_view key;  // of the member that comes next
    bool has_key = false;
  };

  bool finish(ObjectLiteral& target);
  std::vector<std::string_view> path() const;
  Node* make(NodeKind kind, const SourceSpan& at);
  bool add(Node* node);
  bool open(Node* node);
  bool keep(const SourceSpan& at, std::string_view& text);

  Setting setting_;
  const std::uint32_t file_;
  Node* root_ = nullptr;
  std::vector<Level> levels_;
  std::uint64_t nodes_ = 0;
  std::uint64_t text_bytes_ = 0;
  bool failed_ = false;

  // The place found last.
  std::size_t offset_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
};

/// Reads a whole text, valid UTF-8, into the builder. Throws nothing.
using SyntaxReader = std::function<void(std::string_view text, LiteralBuilder& builder)>;

}  // namespace actord::hocon
