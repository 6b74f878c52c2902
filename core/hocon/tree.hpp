// SPDX-License-Identifier: Apache-2.0
//
// The resolved configuration: an immutable tree. Every value knows where it was written.
//
// Reading a value as a type either succeeds or returns a Diagnostic that points at the value. Not
// here: the keys and their meaning (the readers of the tree), and the way the tree is built
// (resolver).
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "hocon/diagnostic.hpp"
#include "hocon/origin.hpp"
#include "hocon/secret_reader.hpp"

namespace actord::hocon {

enum class Kind : std::uint8_t { null, boolean, number, string, object, array };

/// "null", "a boolean", "a number", "a string", "an object", "a list": for use in a sentence.
std::string_view name_of(Kind kind) noexcept;

struct TreeNode;
struct TreeData;
struct SecretFindings;
struct Member;

/// A definition that a later one replaced.
struct Overridden {
  Origin origin;
  std::string place;  // "file:line"
  std::string text;   // the first line as written; "(secret)" for secrets
};

/// A value in a tree: a handle of two pointers, valid as long as a Tree with this data lives.
///
/// A default-constructed Value is absent; member() and find() return one if there is no such value.
/// Only exists(), node(), member() and find() may be called on an absent value. Threads: any.
class Value {
 public:
  Value() = default;
  Value(const TreeData* tree, const TreeNode* node) : tree_(tree), node_(node) {}

  bool exists() const noexcept { return node_ != nullptr; }
  explicit operator bool() const noexcept { return exists(); }
  friend bool operator==(const Value& a, const Value& b) noexcept { return a.node_ == b.node_; }
  /// The node, from which Tree::value_of() makes the Value again; null if absent.
  const TreeNode* node() const noexcept { return node_; }

  Kind kind() const;
  bool is_null() const { return kind() == Kind::null; }
  bool is_object() const { return kind() == Kind::object; }
  bool is_array() const { return kind() == Kind::array; }
  bool is_string() const { return kind() == Kind::string; }
  bool is_number() const { return kind() == Kind::number; }
  bool is_boolean() const { return kind() == Kind::boolean; }

  /// A scalar as it was written, without quotes and escapes; "" for objects and lists.
  std::string_view text() const;

  // ---- where it stands --------------------------------------------------------------------------

  /// The place under its key; for `a = ${b}` the place of `${b}`.
  Origin origin() const;
  /// The place of its text; differs from origin() if a substitution brought the text here.
  Origin source_origin() const;
  /// The source text under its key, including substitutions, to the end of the line. It may contain
  /// secrets.
  std::string_view written() const;
  /// origin() as "file:line".
  std::string origin_text() const;
  std::string_view file() const;
  /// Its key in its object; "" for the root and for elements of lists.
  std::string_view key() const;
  /// "a.b.c", with keys quoted where necessary and elements of lists as "[0]"; "" for the root.
  std::string path() const;
  Value parent() const;
  /// Whether it is a secret or contains one. If so, text() must not be shown.
  bool is_secret() const;
  /// The definitions of this key that were replaced, newest first.
  std::vector<Overridden> overridden() const;

  // ---- what it holds ----------------------------------------------------------------------------

  /// The number of members or elements; 0 for scalars.
  std::size_t size() const;
  /// The i-th member in the order of first definition, or the i-th element (with an empty key).
  Member at(std::size_t i) const;
  /// The member with that key; absent if there is none or this is no object.
  Value member(std::string_view key) const;
  /// The value at a path such as a.b."c.d"; absent if there is none or the path is invalid.
  Value find(std::string_view path) const;
  /// The key most similar to `key`, or "" if none is close: for "did you mean".
  std::string_view nearest(std::string_view key) const;

  // ---- as a type, by HOCON's rules of conversion ------------------------------------------------

  base::Result<bool, Diagnostic> as_bool() const;
  /// A number without a fraction, within [least, most].
  base::Result<std::int64_t, Diagnostic> as_int64(std::int64_t least = INT64_MIN,
                                                  std::int64_t most = INT64_MAX) const;
  base::Result<double, Diagnostic> as_double() const;
  /// A string, number or boolean as it was written.
  base::Result<std::string, Diagnostic> as_string() const;
  base::Result<std::int64_t, Diagnostic> as_duration_ns() const;
  base::Result<std::int64_t, Diagnostic> as_bytes() const;
  /// The elements of a list, or of an object with numeric keys, ordered by key.
  base::Result<std::vector<Value>, Diagnostic> as_list() const;

  /// An error that points at this value.
  Diagnostic reject(std::string reason, std::string help = {}) const;
  /// The same finding as a warning.
  Diagnostic warn(std::string reason, std::string help = {}) const;
  /// "expected <wanted>, got the string "x"", as an error that points at this value.
  Diagnostic mismatch(std::string_view wanted, std::string help = {}) const;

 private:
  const TreeData* tree_ = nullptr;
  const TreeNode* node_ = nullptr;
};

struct Member {
  std::string_view key;
  Value value;
};

/// A file that the loading looked at.
struct LoadedFile {
  enum class State : std::uint8_t { loaded, missing };
  std::string name;
  State state = State::loaded;
  Origin included_from;  // not known for the layers themselves
};

/// A resolved configuration. Copies share the same data, which does not change once actors read it.
/// Threads: any.
class Tree {
 public:
  /// An empty object.
  Tree();
  explicit Tree(std::shared_ptr<TreeData> data) : data_(std::move(data)) {}

  Value root() const;
  Value find(std::string_view path) const { return root().find(path); }
  /// The value of a node of this tree; null gives an absent value.
  Value value_of(const TreeNode* node) const { return {data_.get(), node}; }
  /// All files looked at, in order.
  const std::vector<LoadedFile>& files() const;
  /// Warnings of the loading, such as includes of files that do not exist.
  const Diagnostics& warnings() const;
  const SourceFiles& sources() const;

  // ---- secrets; only before other threads see the tree ------------------------------------------

  /// Makes values secret that may be secrets although nothing declares them, with all values in
  /// them and all values with the same origins.
  void make_secret(const std::vector<Value>& values);
  /// The same for values that are declared secrets. They may be kept elsewhere, or contain such
  /// values: those are fetched.
  SecretFindings fetch_secrets(const std::vector<Value>& values, const SecretReader& reader);
  /// The origins of the texts of secrets, without those that only make_secret() has hidden.
  const std::set<Origin>& declared_secrets() const;

 private:
  std::shared_ptr<TreeData> data_;
};

}  // namespace actord::hocon
