// SPDX-License-Identifier: Apache-2.0
//
// The unresolved tree: the source as written, with all definitions of all keys.
//
// A field has a stack of definitions, the newest on top. Only two object literals next to each
// other are merged at once (merge.hpp). Every other decision is left to the resolver, because only
// the resolver knows the value of a substitution. All nodes live in one arena and are freed with
// it, so that no destructor recurses.
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

/// The kind of a run of unquoted characters that stands alone: never an object or a substitution.
NodeKind kind_of_word(std::string_view word) noexcept;

struct Node;
struct ObjectLiteral;

using Elements = std::pmr::vector<Node*>;

/// The include statement through which a substitution came in. The resolver tries its path below
/// `prefix` first.
struct IncludeScope {
  // The list element that `prefix` starts from; null: the root.
  const ObjectLiteral* anchor = nullptr;
  std::span<const std::string_view> prefix;
};

struct Reference {
  std::span<const std::string_view> path;  // as written
  const IncludeScope* scope = nullptr;     // null: the file is a layer itself
  bool optional = false;
};

/// One definition or element. `kind` says which member of the union is valid.
struct Node {
  NodeKind kind = NodeKind::null;
  // No substitution, concatenation or append inside. For objects, ObjectLiteral::pure counts.
  bool pure = true;
  bool blank = false;  // a piece of a concatenation: the blanks between two others
  SourceSpan span;
  Node* below = nullptr;  // the next older definition of the same field
  union {
    std::string_view text;  // scalars, without quotes and escapes
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
  Node* top = nullptr;  // the newest definition; `below` leads to the older ones
};

/// The fields of an object, in the order of their first definition.
struct ObjectLiteral {
  explicit ObjectLiteral(std::pmr::memory_resource* arena) : fields(arena) {}

  /// The position of `key` among the fields, or fields.size().
  std::size_t find(std::string_view key) const;
  /// The field with that key, created if missing. The reference is valid until the next call.
  Field& at(std::string_view key);

  /// Updates `secret_form` after a definition of `key`. `in_passing`: a path of several elements
  /// ended with `key`.
  void note_form(std::string_view key, bool in_passing) noexcept;

  std::pmr::vector<Field> fields;
  bool pure = true;  // as Node::pure, for all definitions, hidden ones included
  SecretForm secret_form = SecretForm::none;  // the form that was defined last

 private:
  static constexpr std::size_t indexed_from = 9;  // for fewer fields, a linear search is faster

  KeyIndex* index_ = nullptr;  // in the arena of the fields
};

/// A parser's position in the tree: the keys since the root, or since the list element `anchor`.
struct TreePosition {
  const ObjectLiteral* anchor = nullptr;
  std::vector<std::string_view> path;
  bool in_array = false;      // directly in a list, where no path leads
  std::uint32_t nesting = 0;  // open braces, brackets and path elements
};

inline bool Node::is_pure() const noexcept {
  return kind == NodeKind::object ? object->pure : pure;
}

}  // namespace actord::hocon
