// SPDX-License-Identifier: Apache-2.0
//
// The unresolved tree: what was written, with every definition of every key still there.
//
// A field keeps a stack of definitions, newest on top, and only two object literals that lie
// directly upon each other are merged at once (merge.hpp): every other decision waits for the
// resolver, which alone knows what a substitution stands for. All nodes live in one arena and die
// with it, so that no destructor recurses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "hocon/key_index.hpp"
#include "hocon/origin.hpp"
#include "hocon/secret_form.hpp"

namespace actord::hocon {

enum class NodeKind : std::uint8_t {
  null,
  boolean,
  number,
  string,
  object,         // a literal in braces
  array,          // a literal in brackets
  reference,      // ${path} or ${?path}
  concatenation,  // several of the above on one line
  append,         // the value of `key += value`
};

/// What a run of unquoted characters is when it stands alone: never an object or a substitution.
NodeKind kind_of_word(std::string_view word) noexcept;

struct Node;
struct ObjectLiteral;

using Elements = std::pmr::vector<Node*>;

/// The include statement that a substitution came in by: its path is tried below `prefix` first.
struct IncludeScope {
  // the list element that `prefix` starts from; null: the root
  const ObjectLiteral* anchor = nullptr;
  std::span<const std::string_view> prefix;
};

struct Reference {
  std::span<const std::string_view> path;  // as written
  const IncludeScope* scope = nullptr;     // null: the file is a layer itself
  bool optional = false;
};

/// One definition or element. Which member of the union holds follows from `kind`.
struct Node {
  NodeKind kind = NodeKind::null;
  // no substitution, concatenation or append anywhere inside; objects keep their own
  bool pure = true;
  bool blank = false;  // a piece of a concatenation that is only the space between two others
  SourceSpan span;
  Node* below = nullptr;  // the definition of the same field that this one came upon
  union {
    std::string_view text;  // scalars, as written but with quotes and escapes resolved
    ObjectLiteral* object;
    Elements* elements;  // of an array, or the pieces of a concatenation
    const Reference* reference;
    Node* appended;
  };

  Node() : text() {}
  bool is_scalar() const noexcept { return kind <= NodeKind::string; }
  bool is_pure() const noexcept;
};

struct Field {
  std::string_view key;
  Node* top = nullptr;  // the newest definition; the older ones hang below it
};

/// The fields of a literal in the order of their first mention.
struct ObjectLiteral {
  explicit ObjectLiteral(std::pmr::memory_resource* arena) : fields(arena) {}

  /// The position of `key` among the fields, or fields.size().
  std::size_t find(std::string_view key) const;
  /// The field of that key, made if there was none. The reference holds until the next call.
  Field& at(std::string_view key);

  /// Takes note of a definition of `key` right here, or by a path that only leads through here.
  void note_form(std::string_view key, bool in_passing) noexcept;

  std::pmr::vector<Field> fields;
  bool pure = true;                           // as Node::pure, hidden definitions included
  SecretForm secret_form = SecretForm::none;  // the one that was defined last

 private:
  static constexpr std::size_t indexed_from = 9;  // below, looking through the fields is quicker

  KeyIndex* index_ = nullptr;  // in the arena of the fields
};

/// Where in the tree a parser stands: the keys passed since the root, or since the list element
/// `anchor`.
struct Whereabouts {
  const ObjectLiteral* anchor = nullptr;
  std::vector<std::string_view> path;
  bool in_array = false;      // directly in a list, where no path leads
  bool in_secret = false;     // in a list of secrets
  std::uint32_t nesting = 0;  // open braces and brackets and path elements
};

inline bool Node::is_pure() const noexcept {
  return kind == NodeKind::object ? object->pure : pure;
}

}  // namespace actord::hocon
