// SPDX-License-Identifier: Apache-2.0
#include "system/directory.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <new>
#include <utility>

#include "actor/path.hpp"
#include "base/assert.hpp"

namespace actord::system {

using actor::Cell;
using actor::CellName;

std::size_t Directory::Hash::operator()(const Name& name) const {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // spreads the parent over the bits of the hash
  return std::hash<std::string_view>{}(name.text) ^ (name.parent * odd);
}

std::size_t Directory::Hash::operator()(const Key& key) const {
  CellName::Buffer buffer;
  return (*this)(Name{key.parent, key.name.text(buffer)});
}

bool Directory::Equal::operator()(const Name& a, const Key& b) const {
  CellName::Buffer buffer;
  return a.parent == b.parent && a.text == b.name.text(buffer);
}

bool Directory::Equal::operator()(const Key& a, const Key& b) const {
  CellName::Buffer buffer;
  return (*this)(Name{a.parent, a.name.text(buffer)}, b);
}

const Cell* Directory::parent_of(const Cell& cell) const noexcept {
  const Cell& parent = cells_.at(cell.parent);
  return parent.name.is_none() ? nullptr : &parent;
}

Directory::Key Directory::key_of(const Cell& cell) const noexcept {
  return {parent_of(cell) == nullptr ? Cell::none : cell.parent, cell.name};
}

Directory::Entry& Directory::entry_of(const Cell& cell) {
  const auto found = entries_.find(key_of(cell));
  ACTORD_ASSERT(found != entries_.end());
  return found->second;
}

const CellName& Directory::name_of(const Entry& entry) const noexcept {
  return cells_.at(actor::index_of(entry.ref)).name;
}

void Directory::link(Entry*& first, Entry& entry) noexcept {
  entry.next = first;
  if (first != nullptr) first->previous = &entry;
  first = &entry;
}

void Directory::unlink(Entry*& first, const Entry& entry) noexcept {
  (entry.previous != nullptr ? entry.previous->next : first) = entry.next;
  if (entry.next != nullptr) entry.next->previous = entry.previous;
}

void Directory::erase(const Cell& from, const Cell* to) {
  for (const Cell* at = &from; at != to; at = parent_of(*at)) entries_.erase(key_of(*at));
}

// Makes entries from the bottom up, until there is one to which they can be linked.
void Directory::add(const Cell& cell) {
  std::lock_guard lock(mutex_);
  const Cell* at = &cell;
  Entry* below = nullptr;
  try {
    for (; at != nullptr; at = parent_of(*at)) {
      const auto [entry, is_new] = entries_.try_emplace(key_of(*at), Entry{cells_.ref_of(*at)});
      ACTORD_ASSERT(entry->second.ref == cells_.ref_of(*at));  // a path has one owner
      ACTORD_ASSERT(is_new || at != &cell);                    // and is listed once
      if (below != nullptr) link(entry->second.first_child, *below);
      if (!is_new) return;
      below = &entry->second;
    }
  } catch (const std::bad_alloc&) {
    erase(cell, at);
    throw;
  }
  link(first_, *below);
}

void Directory::remove(const Cell& cell) noexcept {
  std::lock_guard lock(mutex_);
  for (const Cell* at = &cell;;) {
    const Entry& entry = entry_of(*at);
    ACTORD_ASSERT(entry.first_child == nullptr);
    const Cell* const parent = parent_of(*at);
    Entry* const above = parent != nullptr ? &entry_of(*parent) : nullptr;
    unlink(above != nullptr ? above->first_child : first_, entry);
    entries_.erase(key_of(*at));
    if (above == nullptr || above->first_child != nullptr || !parent->name.is_generated()) return;
    at = parent;
  }
}

actor::Ref Directory::find(std::string_view path) const {
  std::shared_lock lock(mutex_);
  const Entry* at = nullptr;
  while (path.starts_with('/')) {
    const std::uint32_t parent = at != nullptr ? actor::index_of(at->ref) : Cell::none;
    const auto found = entries_.find(Name{parent, actor::take_segment(path)});
    if (found == entries_.end()) return actor::nobody;
    at = &found->second;
  }
  const bool is_found = path.empty() && at != nullptr && !name_of(*at).is_generated();
  return is_found ? at->ref : actor::nobody;
}

std::vector<Directory::Found> Directory::matches(const Entry* first,
                                                 std::string_view pattern) const {
  std::string_view below = pattern;
  const std::string_view segment = actor::take_segment(below);
  const bool is_all = segment == "**" && below.empty();
  if (is_all) below = pattern;
  std::vector<Found> found;
  for (const Entry* each = first; each != nullptr; each = each->next) {
    CellName::Buffer buffer;
    const std::string_view name = name_of(*each).text(buffer);
    if (is_all || actor::segment_matches(segment, name))
      found.push_back({each, std::string{name}, below, is_all || below.empty()});
  }
  std::ranges::sort(found, std::ranges::greater{}, &Found::name);
  return found;
}

std::vector<actor::Ref> Directory::select(std::string_view pattern) const {
  std::vector<actor::Ref> refs;
  std::shared_lock lock(mutex_);
  std::vector<Found> open = matches(first_, pattern);
  while (!open.empty()) {
    const Found at = std::move(open.back());
    open.pop_back();
    if (at.is_match && !name_of(*at.entry).is_generated()) refs.push_back(at.entry->ref);
    if (at.below.empty()) continue;
    std::vector<Found> below = matches(at.entry->first_child, at.below);
    std::ranges::move(below, std::back_inserter(open));
  }
  return refs;
}

}  // namespace actord::system
