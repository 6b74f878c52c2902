// SPDX-License-Identifier: Apache-2.0
//
// The interface by which a reader of another syntax, such as YAML, builds the unresolved tree,
// value by value, each with its place.
//
// The reader calls the builder as it goes through the text: begin_object, then for each member key
// and one value, then end. Keys are literal: no path is split, and nothing is substituted. A plain
// scalar has the type that the same word alone would have in HOCON. The builder enforces the limits
// and the rule that no object has a key twice.
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

namespace actord::hocon {

/// Builds the tree of one file. A call returns false after an error, which has been reported; then
/// every further call returns false. Calls that cannot form a tree, such as a value without a key,
/// are bugs.
class LiteralBuilder {
 public:
  enum class Style : std::uint8_t { plain, quoted };

  /// The data that all files of one configuration share, and the place where this file belongs.
  struct Setting {
    std::pmr::memory_resource& arena;
    SourceFiles& files;
    const Limits& limits;
    std::uint64_t& nodes;  // of all files so far
    Diagnostics& errors;
    const TreePosition& position;
  };
  LiteralBuilder(const Setting& setting, std::uint32_t file);

  /// The place of `bytes` bytes of the text. Fast as long as `begin` rarely moves back.
  SourceSpan span(std::size_t begin, std::size_t bytes = 1);

  bool begin_object(const SourceSpan& at);
  bool begin_list(const SourceSpan& at);
  bool key(const SourceSpan& at, std::string_view key);
  bool scalar(const SourceSpan& at, std::string_view text, Style style);
  /// Closes the innermost object or list.
  bool end();

  /// Reports an error and ends the file. Returns false.
  bool fail(const SourceSpan& at, std::string message, std::string help = {},
            std::string note = {});
  /// The same for a file that is too large.
  bool fail_beyond_limit(const SourceSpan& at, std::string message, std::string help = {});

 private:
  friend class UnresolvedConfig;

  struct Level {
    Node* node;            // the object or list
    std::string_view key;  // of the member that comes next
    bool has_key = false;
  };

  // Defines the fields of the file in `target`. False after an error.
  bool finish(ObjectLiteral& target);
  Node* make(NodeKind kind, const SourceSpan& at);
  // Adds a node to the innermost object or list, or makes it the root.
  bool add(Node* node);
  // Adds an object or list and makes it the innermost one.
  bool open(Node* node);
  // Copies the text into the arena and lets `text` refer to the copy.
  bool keep(const SourceSpan& at, std::string_view& text);

  Setting setting_;
  const std::uint32_t file_;
  Node* root_ = nullptr;
  std::vector<Level> levels_;
  std::uint64_t text_bytes_ = 0;
  bool failed_ = false;

  // The place that was computed last.
  std::size_t offset_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
};

/// Reads a whole text, valid UTF-8, into the builder. Does not throw.
using SyntaxReader = std::function<void(std::string_view text, LiteralBuilder& builder)>;

}  // namespace actord::hocon
