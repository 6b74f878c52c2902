// SPDX-License-Identifier: Apache-2.0
//
// The children of one actor, linked through their cells in the order of their creation. The list
// counts them and finds them by name. An actor without children has no list.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "actor/turn.hpp"

namespace actord::actor {

/// Only the parent's own turn calls it.
class ChildList {
 public:
  /// The parent's list, made at the first call. Throws std::bad_alloc.
  static ChildList& of(Turn& parent) {
    ChildList* const list = parent.cell().children;
    return list != nullptr ? *list : make(parent);
  }
  /// Called at the end of the parent, which has no children left.
  static void destroy(Turn& parent) {
    if (parent.cell().children != nullptr) free(parent);
  }

  /// The number that names the next child without a name of its own; counted from 0. Helpers have
  /// numbers of their own, so that they change no other name.
  [[gnu::always_inline]] std::uint64_t take_number(bool is_helper) noexcept {
    return is_helper ? next_helper_++ : next_number_++;
  }
  /// Appends a new child. If it throws std::bad_alloc, nothing has changed.
  void add(CellPool& cells, Cell& child);
  /// Removes a child, dying or not. Its cell keeps generation and parent until it is recycled.
  void remove(CellPool& cells, Cell& child) noexcept;
  /// Marks a child as dying. False if it was marked already.
  bool mark_dying(Cell& child) noexcept;

  /// The cell index of the first child, or Cell::none.
  std::uint32_t first() const noexcept { return first_; }
  /// The number of children that are dying.
  std::uint32_t dying() const noexcept { return dying_; }
  bool is_empty() const noexcept { return count_ == 0; }
  std::uint32_t size() const noexcept { return count_; }
  /// Null if no child has that name. A child that is dying still has its name.
  Cell* named(const CellPool& cells, std::string_view name) const;

 private:
  // Up to this number of children are searched one by one. A longer list has a table of names.
  static constexpr std::uint32_t linear_search_max = 8;
  using Names = std::unordered_map<std::string_view, std::uint32_t>;  // the cells own the texts

  static ChildList& make(Turn& parent);
  static void free(Turn& parent);
  void make_table_of_names(const CellPool& cells);
  // For a list that has a table of names. Without a named child it goes.
  void add_name(const Cell& child, std::uint32_t index);
  void remove_name(const Cell& child) noexcept;

  std::uint32_t first_ = Cell::none, last_ = Cell::none;  // cell indexes
  std::uint32_t count_ = 0, dying_ = 0, named_ = 0;       // all children, dying ones, named ones
  std::uint64_t next_number_ = 0, next_helper_ = std::uint64_t{1} << 40;  // see take_number()
  std::unique_ptr<Names> by_name_;  // null while the list is short
};

// add() and remove() are inlined into their callers, because spawning and stopping are frequent.

[[gnu::always_inline]] inline void ChildList::add(CellPool& cells, Cell& child) {
  const std::uint32_t index = cells.index_of(child);
  const bool is_named = !child.name.is_generated();
  if (is_named && by_name_) [[unlikely]]
    add_name(child, index);
  child.previous_sibling = last_;
  child.next_sibling = Cell::none;
  (last_ != Cell::none ? cells.at(last_).next_sibling : first_) = index;
  last_ = index;
  ++count_;
  if (is_named) ++named_;
  if (count_ > linear_search_max && named_ != 0 && !by_name_) [[unlikely]]
    make_table_of_names(cells);
}

[[gnu::always_inline]] inline void ChildList::remove(CellPool& cells, Cell& child) noexcept {
  ACTORD_ASSERT((child.child_flags & Cell::gone) == 0);
  if (child.has(Cell::dying)) {
    ACTORD_ASSERT(dying_ != 0);
    --dying_;
  }
  child.child_flags |= Cell::gone;
  --count_;
  ACTORD_ASSERT(dying_ <= count_);
  if (!child.name.is_generated()) {
    --named_;
    if (by_name_) [[unlikely]]
      remove_name(child);
  }
  (child.previous_sibling != Cell::none ? cells.at(child.previous_sibling).next_sibling : first_) =
      child.next_sibling;
  (child.next_sibling != Cell::none ? cells.at(child.next_sibling).previous_sibling : last_) =
      child.previous_sibling;
}

inline std::uint32_t first_child_of(const Cell& cell) noexcept {
  return cell.children != nullptr ? cell.children->first() : Cell::none;
}
/// The number of children that are dying.
inline std::uint32_t dying_children_of(const Cell& cell) noexcept {
  return cell.children != nullptr ? cell.children->dying() : 0;
}

/// Iterates over the children of a cell in the order of their creation: `for (Cell& child : …)`. No
/// child may be removed during the loop. A child that is added during the loop is visited, too.
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

  /// `first`: the cell index of the first child, or Cell::none.
  ChildRange(const CellPool& cells, std::uint32_t first) noexcept : cells_(cells), first_(first) {}
  Iterator begin() const noexcept { return {cells_, first_}; }
  Iterator end() const noexcept { return {cells_, Cell::none}; }

 private:
  const CellPool& cells_;
  std::uint32_t first_;
};
inline ChildRange children_of(const CellPool& cells, const Cell& parent) noexcept {
  return {cells, first_child_of(parent)};
}
inline ChildRange children_of(const Turn& turn) noexcept {
  return children_of(turn.environment().cells, turn.cell());
}

/// The child with that ref. Null if the ref is not that of a child, or the child has been removed.
Cell* find_child(const Turn& parent, Ref ref) noexcept;
/// The child with that name, which may be dying. A generated name, such as $a, is searched for
/// among all children.
Cell* find_child(const Turn& parent, std::string_view name);
/// Writes the refs of at most `capacity` children that are not dying and no helpers, and returns
/// how many such children there are.
std::size_t living_children(const Turn& parent, Ref* out, std::size_t capacity);
std::vector<Ref> living_children(const Turn& parent);

/// Marks the child as dying and sends it the system message to stop. `failure` is the failure that
/// it is stopped for, or null: then that of ChildrenStopFor, if the parent is being restarted.
/// `is_collateral` says that another actor's failure decided it.
void stop_child(Turn& parent, Cell& child, StopReason reason, FailurePtr failure = {},
                bool is_collateral = false);
/// Unwatches and stops every child but helpers. The default pre_restart does so, and a plugin may
/// call it. The children are unwatched first, so that the next incarnation receives no Terminated
/// for them (supervision.md 128).
void stop_children(Turn& parent);
/// Stops the helpers, as the incarnation that they belong to ends.
void stop_helpers(Turn& parent);
/// Unwatches and stops one child.
void unwatch_and_stop(Turn& parent, Cell& child);

}  // namespace actord::actor
