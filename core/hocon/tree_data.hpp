// SPDX-License-Identifier: Apache-2.0
//
// The data of a Tree. Only the resolver builds it; taint.cpp and kept_secrets.cpp then change the
// secrets in it, and tree.cpp reads it.
//
// All nodes lie in the arena. A value that substitutions copied to several places has a node in
// each, so that each node has one parent and one path.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "hocon/diagnostic.hpp"
#include "hocon/key_index.hpp"
#include "hocon/origin.hpp"
#include "hocon/secret_form.hpp"
#include "hocon/tree.hpp"

namespace actord::hocon {

struct JoinedOrigins;

/// The origin of a text that a substitution brought into a joined text.
struct OriginPart {
  Origin source;
  JoinedOrigins* joined_origins = nullptr;  // set if that text is a joined text itself
};

/// The origins of a joined text.
struct JoinedOrigins {
  std::span<const OriginPart> parts;
  bool is_in_secret = false;    // the joined text went into a secret value
  bool is_in_declared = false;  // the same, and the value is declared a secret
  bool is_secret = false;       // one of the parts is secret
};

/// Data that few nodes have.
struct TreeExtra {
  const KeyIndex* index = nullptr;          // members of large objects by key
  std::span<const SourceSpan> overridden;   // newest first
  JoinedOrigins* joined_origins = nullptr;  // of a text joined from substitutions
  Origin source;  // where the text comes from, if a substitution brought it
  bool overrides_secret = false;
};

/// A value and its key. It fits one cache line, because a tree has one for each value.
struct TreeNode {
  Kind kind = Kind::null;
  bool is_secret = false;
  SecretForm secret_form = SecretForm::none;  // of an object
  SourceSpan written;                         // under its own key
  const TreeNode* parent = nullptr;
  TreeExtra* extra = nullptr;

  TreeNode() : text_() {}

  std::string_view key() const noexcept { return {key_, key_size_}; }
  bool is_scalar() const noexcept { return kind < Kind::object; }
  std::string_view text() const noexcept {
    return is_scalar() ? std::string_view(text_, size_) : std::string_view();
  }
  std::span<TreeNode> children() const noexcept {
    return is_scalar() ? std::span<TreeNode>() : std::span(children_, size_);
  }
  /// The index among the parent's children.
  std::size_t position() const noexcept {
    return static_cast<std::size_t>(this - parent->children_);
  }
  Origin source() const noexcept {
    return extra != nullptr && extra->source.known() ? extra->source : written.at;
  }

  void set_key(std::string_view key) noexcept {
    key_ = key.data();
    key_size_ = static_cast<std::uint32_t>(key.size());
  }
  void set_text(std::string_view text) noexcept {
    text_ = text.data();
    size_ = static_cast<std::uint32_t>(text.size());
  }
  /// For objects and lists; set `kind` first.
  void set_children(std::span<TreeNode> children) noexcept {
    children_ = children.data();
    size_ = static_cast<std::uint32_t>(children.size());
  }

 private:
  std::uint32_t key_size_ = 0;
  std::uint32_t size_ = 0;
  const char* key_ = nullptr;
  union {
    const char* text_;
    TreeNode* children_;  // in one block, so that a node can compute its position
  };
};
static_assert(sizeof(TreeNode) == 64);

inline std::vector<std::string_view> keys_of(const TreeNode& object) {
  std::vector<std::string_view> keys;
  for (const TreeNode& child : object.children()) keys.push_back(child.key());
  return keys;
}

struct TreeData {
  /// From this many members on, an object has an index.
  static constexpr std::size_t indexed_from = 12;

  std::pmr::monotonic_buffer_resource arena;
  SourceFiles files;
  std::vector<JoinedOrigins*> joined_origins;  // each after those that it contains
  std::set<Origin> secrets;                    // origins of secret texts
  std::set<Origin> declared_secrets;           // those of them that are not merely suspected
  std::vector<LoadedFile> loaded;
  Diagnostics warnings;
  TreeNode* root = nullptr;
};

}  // namespace actord::hocon
