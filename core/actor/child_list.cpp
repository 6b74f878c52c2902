// SPDX-License-Identifier: Apache-2.0
#include "actor/child_list.hpp"

#include "actor/cell_extras.hpp"

namespace actord::actor {

ChildList& ChildList::make(Turn& parent) {
  Cell& cell = parent.cell();
  cell.children = ::new (parent.thread().blocks.take(base::block_of<ChildList>)) ChildList;
  return *cell.children;
}

void ChildList::free(Turn& parent) {
  ChildList* const list = std::exchange(parent.cell().children, nullptr);
  ACTORD_ASSERT(list->count_ == 0 && list->dying_ == 0);
  list->~ChildList();
  parent.thread().blocks.give(list, base::block_of<ChildList>);
}

// If there is no memory for the table, the children are searched one by one, and the next child
// that is added causes another attempt.
void ChildList::make_table_of_names(const CellPool& cells) try {
  auto names = std::make_unique<Names>();
  for (const Cell& child : ChildRange(cells, first_)) {
    if (!child.name.is_generated()) names->emplace(child.name.given_text(), cells.index_of(child));
  }
  by_name_ = std::move(names);
} catch (const std::bad_alloc&) {}

void ChildList::add_name(const Cell& child, std::uint32_t index) {
  by_name_->emplace(child.name.given_text(), index);
}

void ChildList::remove_name(const Cell& child) noexcept {
  by_name_->erase(child.name.given_text());
  if (named_ == 0) by_name_.reset();
}

bool ChildList::mark_dying(Cell& child) noexcept {
  if (child.has(Cell::dying)) return false;
  child.child_flags |= Cell::dying;
  ++dying_;
  ACTORD_ASSERT(dying_ <= count_);
  return true;
}

Cell* ChildList::named(const CellPool& cells, std::string_view name) const {
  if (named_ == 0) return nullptr;
  if (by_name_) {
    const auto found = by_name_->find(name);
    return found == by_name_->end() ? nullptr : &cells.at(found->second);
  }
  for (Cell& child : ChildRange(cells, first_)) {
    if (!child.name.is_generated() && child.name.given_text() == name) return &child;
  }
  return nullptr;
}

Cell* find_child(const Turn& parent, std::string_view name) {
  if (!name.starts_with('$')) {
    const ChildList* const list = parent.cell().children;
    return list != nullptr ? list->named(parent.environment().cells, name) : nullptr;
  }
  CellName::Buffer buffer;
  for (Cell& child : children_of(parent)) {
    if (child.name.is_generated() && child.name.text(buffer) == name) return &child;
  }
  return nullptr;
}

Cell* find_child(const Turn& parent, Ref ref) noexcept {
  const CellPool& cells = parent.environment().cells;
  if (generation_of(ref) == 0 || !cells.is_index(index_of(ref))) return nullptr;
  Cell& child = cells.at(index_of(ref));
  const bool is_ours = child.generation.load(base::relaxed) == generation_of(ref) &&
                       child.parent == index_of(parent.self) &&
                       child.parent_generation == generation_of(parent.self) &&
                       !child.has(Cell::gone);
  return is_ours ? &child : nullptr;
}

std::size_t living_children(const Turn& parent, Ref* out, std::size_t capacity) {
  std::size_t n = 0;
  for (const Cell& child : children_of(parent)) {
    if ((child.child_flags & (Cell::dying | Cell::helper)) != 0) continue;
    if (n < capacity) out[n] = parent.environment().cells.ref_of(child);
    ++n;
  }
  return n;
}

std::vector<Ref> living_children(const Turn& parent) {
  std::vector<Ref> refs(living_children(parent, nullptr, 0));
  living_children(parent, refs.data(), refs.size());
  return refs;
}

void stop_child(Turn& parent, Cell& child, StopReason reason, FailurePtr failure,
                bool is_collateral) {
  ChildList::of(parent).mark_dying(child);
  if (child.has(Cell::routee)) [[unlikely]]
    parent.environment().routes.remove(parent.cell(), parent.environment().cells.ref_of(child));
  const CellExtras* const extras = parent.find_extras();
  if (!failure && extras != nullptr && extras->children_stop_for != nullptr) {
    failure = *extras->children_stop_for;
    is_collateral = true;
  }
  parent.thread().send_system(parent.environment().cells.ref_of(child),
                              SystemMessage::terminate(reason, std::move(failure), is_collateral));
}

void unwatch_and_stop(Turn& parent, Cell& child) {
  if (CellExtras* const extras = parent.find_extras())
    extras->death_watch.unwatch(parent, parent.environment().cells.ref_of(child));
  stop_child(parent, child, StopReason::parent);
}

void stop_children(Turn& parent) {
  for (Cell& child : children_of(parent)) {
    if (!child.has(Cell::helper)) unwatch_and_stop(parent, child);
  }
}

void stop_helpers(Turn& parent) {
  for (Cell& child : children_of(parent)) {
    if ((child.child_flags & (Cell::helper | Cell::dying)) == Cell::helper)
      stop_child(parent, child, StopReason::parent);
  }
}

}  // namespace actord::actor
