// SPDX-License-Identifier: Apache-2.0
//
// The children of one actor: linked through their cells in the order of their creation, counted,
// and found by name. Most actors have none, and no list.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "actor/turn.hpp"

namespace actord::actor {

/// Only the turn of the parent calls it.
class ChildList {
 public:
  /// The parent's list, made now if there is none. Throws std::bad_alloc.
  static ChildList& of(Turn& parent) {
    ChildList* const list = parent.cell().children;
    return list != nullptr ? *list : make(parent);
  }
  /// At the end of the parent, which has no children left.
  static void destroy(Turn& parent) {
    if (parent.cell().children != nullptr) free(parent);
  }

  std::uint64_t take_number() noexcept { return last_number_++; }
  /// Takes a new child in, behind all others. Throws std::bad_alloc, before anything has changed.
  void add(CellPool& cells, Cell& child);
  /// Takes a child out, whether it was dying or not. Its cell keeps generation and parent until it
  /// is recycled.
  void remove(CellPool& cells, Cell& child) noexcept;
  /// Marks a child as on its way to the end; true if it was not yet.
  bool note_dying(Cell& child) noexcept;

  std::uint32_t first() const noexcept { return first_; }
  std::uint32_t dying() const noexcept { return dying_; }
  bool is_empty() const noexcept { return count_ == 0; }
  /// Null if no child has that name; one that is dying still has its name.
  Cell* named(const CellPool& cells, std::string_view name) const;

 private:
  static constexpr std::uint32_t searched_in_line = 8;  // more are found by a table of names
  using Names = std::unordered_map<std::string_view, std::uint32_t>;  // the cells own the texts

  static ChildList& make(Turn& parent);
  static void free(Turn& parent);
  void make_table_of_names(const CellPool& cells);

  std::uint32_t first_ = Cell::none, last_ = Cell::none;
  std::uint32_t count_ = 0, dying_ = 0, named_ = 0;
  std::uint64_t last_number_ = 0;
  std::unique_ptr<Names> by_name_;
};

inline bool has_name(const Cell& child) noexcept { return (child.name & 1) == 0; }
/// Empty if the child has a number only.
inline std::string_view name_of(const Cell& child) noexcept {
  return has_name(child) ? reinterpret_cast<const char*>(child.name) : std::string_view{};
}

// Spawning and stopping are frequent, so that these two are compiled into their callers.

[[gnu::always_inline]] inline void ChildList::add(CellPool& cells, Cell& child) {
  const std::uint32_t index = cells.index_of(child);
  const bool is_named = has_name(child);
  if (is_named && by_name_) by_name_->emplace(name_of(child), index);
  child.previous_sibling = last_;
  child.next_sibling = Cell::none;
  (last_ != Cell::none ? cells.at(last_).next_sibling : first_) = index;
  last_ = index;
  ++count_;
  if (is_named) ++named_;
  if (count_ > searched_in_line && named_ != 0 && !by_name_) [[unlikely]]
    make_table_of_names(cells);
}

[[gnu::always_inline]] inline void ChildList::remove(CellPool& cells, Cell& child) noexcept {
  ACTORD_ASSERT((child.child_flags & Cell::gone) == 0);
  if ((child.child_flags & Cell::dying) != 0) {
    ACTORD_ASSERT(dying_ != 0);
    --dying_;
  }
  child.child_flags |= Cell::gone;
  --count_;
  ACTORD_ASSERT(dying_ <= count_);
  if (has_name(child)) {
    if (by_name_) by_name_->erase(name_of(child));
    if (--named_ == 0) by_name_.reset();
  }
  (child.previous_sibling != Cell::none ? cells.at(child.previous_sibling).next_sibling : first_) =
      child.next_sibling;
  (child.next_sibling != Cell::none ? cells.at(child.next_sibling).previous_sibling : last_) =
      child.previous_sibling;
}

inline std::uint32_t first_child_of(const Cell& cell) noexcept {
  return cell.children != nullptr ? cell.children->first() : Cell::none;
}
/// How many children are on their way to the end.
inline std::uint32_t dying_children_of(const Cell& cell) noexcept {
  return cell.children != nullptr ? cell.children->dying() : 0;
}

/// The children of a cell, to be walked in the order of their creation: `for (Cell& child : …)`.
/// None may be removed meanwhile; those that are added are walked, too.
class ChildRange {
 public:
  class Iterator {
   public:
    Iterator(const CellPool& cells, std::uint32_t index) noexcept : cells_(cells), index_(index) {}
    Cell& operator*() const noexcept { return cells_.at(index_); }
    Iterator& operator++() noexcept {
      index_ = cells_.at(index_).next_sibling;
      return *this;
    }
    bool operator!=(const Iterator& other) const noexcept { return index_ != other.index_; }

   private:
    const CellPool& cells_;
    std::uint32_t index_;
  };

  ChildRange(const CellPool& cells, const Cell& parent) noexcept
      : cells_(cells), first_(first_child_of(parent)) {}
  Iterator begin() const noexcept { return {cells_, first_}; }
  Iterator end() const noexcept { return {cells_, Cell::none}; }

 private:
  const CellPool& cells_;
  std::uint32_t first_;
};
inline ChildRange children_of(const Turn& turn) noexcept {
  return {turn.environment().cells, turn.cell()};
}

/// The child of that ref; null if it is no child, or none any more.
Cell* find_child(const Turn& parent, Ref ref) noexcept;
inline Cell* find_child(const Turn& parent, std::string_view name) {
  const ChildList* const list = parent.cell().children;
  return list != nullptr ? list->named(parent.environment().cells, name) : nullptr;
}
/// Writes the refs of the children that are not dying, at most `capacity`, and answers how many
/// there are.
std::size_t living_children(const Turn& parent, Ref* out, std::size_t capacity);
std::vector<Ref> living_children(const Turn& parent);

/// Orders the child to stop. `failure`: what it is stopped for, or null; collateral: another
/// actor's failure.
void stop_child(Turn& parent, Cell& child, StopReason reason, FailurePtr failure = {},
                bool is_collateral = false);
/// What the default pre_restart does, and a context offers: every child is unwatched before it is
/// stopped, so that the next incarnation hears nothing of it (supervision.md 128).
void stop_children(Turn& parent);
/// The same for one child.
void unwatch_and_stop(Turn& parent, Cell& child);

}  // namespace actord::actor
