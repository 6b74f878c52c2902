// SPDX-License-Identifier: Apache-2.0
//
// What a Tree is made of. Only the resolver builds it; only tree.cpp and render.cpp read it.
//
// All nodes lie in the arena; a value that substitutions brought to several places is there several
// times, so that each has one parent and one path.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "hocon/diagnostic.hpp"
#include "hocon/key_index.hpp"
#include "hocon/origin.hpp"
#include "hocon/tree.hpp"

namespace actord::hocon {

/// What few nodes have.
struct TreeExtra {
  const KeyIndex* index = nullptr;      // members of large objects by key
  std::span<const Stretch> overridden;  // newest first
};

struct TreeNode {
  Kind kind = Kind::null;
  std::uint32_t position = 0;  // among the parent's children
  Stretch written;             // under its own key
  Origin source;               // where its text comes from
  std::string_view key;
  const TreeNode* parent = nullptr;
  TreeExtra* extra = nullptr;

  TreeNode() : text_() {}
  bool is_scalar() const noexcept { return kind < Kind::object; }
  std::string_view text() const noexcept { return is_scalar() ? text_ : std::string_view(); }
  std::span<TreeNode* const> children() const noexcept {
    return is_scalar() ? std::span<TreeNode* const>() : children_;
  }
  void set_text(std::string_view text) noexcept { text_ = text; }
  /// Once for every object and list, after `kind`.
  void set_children(std::span<TreeNode* const> children) noexcept { children_ = children; }

 private:
  union {
    std::string_view text_;
    std::span<TreeNode* const> children_;
  };
};

struct TreeData {
  /// From this many members on, an object has an index.
  static constexpr std::size_t indexed_from = 12;

  std::pmr::monotonic_buffer_resource arena;
  SourceFiles files;
  std::vector<LoadedFile> loaded;
  Diagnostics warnings;
  TreeNode* root = nullptr;
};

}  // namespace actord::hocon
