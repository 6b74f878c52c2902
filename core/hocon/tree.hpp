// SPDX-License-Identifier: Apache-2.0
//
// The resolved configuration: an immutable tree whose every value knows where it was written.
//
// Reading a value of a wanted type either succeeds or yields a Diagnostic that points at the value.
// Not here: which keys exist and what they mean (whoever reads the tree), and how it came to be
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
  std::string text;   // as written, shortened to its first line; "(secret)" of secrets
};

/// A value in a tree: a handle as cheap as two pointers, valid while a Tree that it came from
/// lives.
///
/// A default-constructed Value is absent: what member() and find() answer when there is nothing.
/// Asking an absent value for anything but exists(), member() or find() is a bug. Threads: any.
class Value {
 public:
  Value() = default;
  Value(const TreeData* tree, const TreeNode* node) : tree_(tree), node_(node) {}

  bool exists() const noexcept { return node_ != nullptr; }
  explicit operator bool() const noexcept { return exists(); }
  friend bool operator==(const Value& a, const Value& b) noexcept { return a.node_ == b.node_; }
  /// Its half that Tree::value_of() makes it whole from; null when absent.
  const TreeNode* node() const noexcept { return node_; }

  Kind kind() const;
  bool is_null() const { return kind() == Kind::null; }
  bool is_object() const { return kind() == Kind::object; }
  bool is_array() const { return kind() == Kind::array; }
  bool is_string() const { return kind() == Kind::string; }
  bool is_number() const { return kind() == Kind::number; }
  bool is_boolean() const { return kind() == Kind::boolean; }

  /// A scalar as it was written, quotes and escapes resolved; "" for objects and lists.
  std::string_view text() const;

  // ---- where it stands --------------------------------------------------------------------------

  /// Where this value was written under its key; for `a = ${b}` the place of the `${b}`.
  Origin origin() const;
  /// Where its text comes from; differs from origin() when a substitution brought it here.
  Origin source_origin() const;
  /// What was written under its key, substitutions and all, up to the end of its line.
  std::string_view written() const;
  /// origin() as "file:line".
  std::string place() const;
  std::string_view file() const;
  /// The key under which its object holds it; "" for the root and for elements of lists.
  std::string_view key() const;
  /// "a.b.c", keys quoted where they must be, elements of lists as "[0]"; "" for the root.
  std::string path() const;
  Value parent() const;
  /// Whether it is a secret or was made of one: text() must not be shown then.
  bool is_secret() const;
  /// The definitions of this key that this one replaced, newest first.
  std::vector<Overridden> overridden() const;

  // ---- what it holds ----------------------------------------------------------------------------

  /// Members of an object or elements of a list; 0 for scalars.
  std::size_t size() const;
  /// The i-th member in order of first definition, or the i-th element (with an empty key).
  Member at(std::size_t i) const;
  /// The member of that literal name; absent when there is none or this is no object.
  Value member(std::string_view key) const;
  /// Follows a path such as a.b."c.d"; absent when it leads nowhere or is no path.
  Value find(std::string_view path) const;
  /// The member name nearest to `key` by edit distance, "" when none is near: for "did you mean".
  std::string_view nearest(std::string_view key) const;

  // ---- as a type, by HOCON's rules of conversion ------------------------------------------------

  base::Result<bool, Diagnostic> as_bool() const;
  /// A number without a fraction within [least, most].
  base::Result<std::int64_t, Diagnostic> as_int64(std::int64_t least = INT64_MIN,
                                                  std::int64_t most = INT64_MAX) const;
  base::Result<double, Diagnostic> as_double() const;
  /// Strings, numbers and booleans; the text is as written.
  base::Result<std::string, Diagnostic> as_string() const;
  base::Result<std::int64_t, Diagnostic> as_duration_ns() const;
  base::Result<std::int64_t, Diagnostic> as_bytes() const;
  /// The elements of a list, or of an object with numeric keys in their order.
  base::Result<std::vector<Value>, Diagnostic> as_list() const;

  /// An error that points at this value.
  Diagnostic reject(std::string reason, std::string help = {}) const;
  /// The same as a warning.
  Diagnostic warn(std::string reason, std::string help = {}) const;
  /// "expected <wanted>, got the string "x"", pointing at this value.
  Diagnostic mismatch(std::string_view wanted, std::string help = {}) const;

 private:
  const TreeData* tree_ = nullptr;
  const TreeNode* node_ = nullptr;
};

struct Member {
  std::string_view key;
  Value value;
};

/// A file that loading looked at.
struct LoadedFile {
  enum class State : std::uint8_t { loaded, missing };
  std::string name;
  State state = State::loaded;
  Origin included_from;  // unknown for the layers themselves
};

/// A resolved configuration. Copies share the same data, which nobody changes once actors read it.
/// Threads: any.
class Tree {
 public:
  /// An empty object.
  Tree();
  explicit Tree(std::shared_ptr<TreeData> data) : data_(std::move(data)) {}

  Value root() const;
  Value find(std::string_view path) const { return root().find(path); }
  /// The value of one of its own nodes, which a null pointer makes absent.
  Value value_of(const TreeNode* node) const { return {data_.get(), node}; }
  /// Every file looked at, in order.
  const std::vector<LoadedFile>& files() const;
  /// What loading noticed and let pass: includes of files that do not exist.
  const Diagnostics& warnings() const;
  const SourceFiles& sources() const;

  // ---- secrets; only before other threads see the tree ------------------------------------------

  /// Makes values secret that nobody knew to be when the tree was resolved, with all in them and
  /// all that comes from them.
  void make_secret(const std::vector<Value>& values);
  /// The same of values that may be kept elsewhere, or be in part: those are fetched.
  SecretFindings settle_secrets(const std::vector<Value>& values, const SecretReader& reader);
  /// Where secret texts were written, or come from.
  const std::set<Origin>& secrets() const;

 private:
  std::shared_ptr<TreeData> data_;
};

/// Levenshtein distance, swaps of neighbours counting as one; gives up beyond `limit` and answers
/// limit + 1.
unsigned edit_distance(std::string_view a, std::string_view b, unsigned limit);

/// The candidate that `word` was probably meant to be: within 2 edits, 1 for words under 5 letters.
std::string_view nearest_of(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace actord::hocon
