// SPDX-License-Identifier: Apache-2.0
//
// The named actors by path. An actor is listed from its spawn until its parent has been notified
// of its end. Any thread.
//
// An entry is a node of a tree and does not hold its path, so that a chain of actors takes room in
// proportion to its length and not to the square of it. An actor with a generated name is in the
// tree as long as a named actor is below it, and is not found.
//
// Not here: the addresses "/", "/deadLetters" and "/bubble-walker", which ActorSystem::find()
// knows.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "actor/cell_pool.hpp"
#include "base/sync.hpp"

namespace actord::system {

class Directory {
 public:
  /// `cells` are those of the listed actors.
  explicit Directory(const actor::CellPool& cells) : cells_(cells) {}

  /// Lists a named actor that has not ended. Its cell and those of its ancestors stay as they are
  /// until it is removed. Throws std::bad_alloc.
  void add(const actor::Cell& cell);
  /// Removes a listed actor, below which there is no listed one.
  void remove(const actor::Cell& cell) noexcept;

  /// `nobody` if the path is not listed.
  actor::Ref find(std::string_view path) const;
  /// The actors with a path that matches `pattern`: an actor before those below it, and siblings in
  /// the order of their names.
  std::vector<actor::Ref> select(std::string_view pattern) const;

 private:
  // The name of an actor among its siblings. The parent of the top-level actors is Cell::none.
  struct Name {
    std::uint32_t parent;
    std::string_view text;
  };
  struct Key {
    std::uint32_t parent;
    actor::CellName name;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(const Name& name) const;
    std::size_t operator()(const Key& key) const;
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(const Key& a, const Key& b) const;
    bool operator()(const Name& a, const Key& b) const;
    bool operator()(const Key& a, const Name& b) const { return (*this)(b, a); }
  };
  struct Entry {
    actor::Ref ref;
    Entry *first_child = nullptr, *next = nullptr, *previous = nullptr;
  };
  // What select() has found, and the pattern of what it looks for below that.
  struct Found {
    const Entry* entry;
    std::string name;
    std::string_view below;
    bool is_match;
  };

  Key key_of(const actor::Cell& cell) const noexcept;
  // The parent of a cell; null for a top-level actor.
  const actor::Cell* parent_of(const actor::Cell& cell) const noexcept;
  Entry& entry_of(const actor::Cell& cell);
  const actor::CellName& name_of(const Entry& entry) const noexcept;
  static void link(Entry*& first, Entry& entry) noexcept;
  static void unlink(Entry*& first, const Entry& entry) noexcept;
  // Removes an entry that is in no list, for each cell from `from` up to but without `to`.
  void erase(const actor::Cell& from, const actor::Cell* to);
  // Those among `first` and its next ones that a pattern matches, the last by name first.
  std::vector<Found> matches(const Entry* first, std::string_view pattern) const;

  const actor::CellPool& cells_;
  mutable base::SharedMutex mutex_;
  std::unordered_map<Key, Entry, Hash, Equal> entries_;
  Entry* first_ = nullptr;  // of the top-level actors
};

}  // namespace actord::system
