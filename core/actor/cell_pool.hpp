// SPDX-License-Identifier: Apache-2.0
//
// Where cells come from and where they rest after death: an arena of them, handed out in magazines.
//
// A dead cell waits in a first-in first-out quarantine before it is used again. Until then it
// remembers its name and its parent, so that a dead letter can say who is dead; recycling happens
// only under the lock that path() takes, and that is what makes path() safe on any thread.
#pragma once

#include <algorithm>
#include <string>

#include "actor/cell.hpp"
#include "actor/path.hpp"
#include "base/depot.hpp"
#include "sched/task_ring.hpp"

namespace actord::actor {

/// The name of a cell, which keeps it as long as it is not recycled.
class NameText {
 public:
  explicit NameText(const Cell& cell) noexcept {
    if ((cell.name & 1) != 0) view_ = {number_, write_numbered_name(cell.name >> 1, number_)};
    else if (cell.name != 0) view_ = reinterpret_cast<const char*>(cell.name);
  }
  NameText(const NameText&) = delete;
  NameText& operator=(const NameText&) = delete;

  std::string_view view() const noexcept { return view_; }

 private:
  char number_[16];
  std::string_view view_;
};

class CellPool {
 public:
  struct Options {
    std::size_t capacity = std::size_t{1} << 26;  // cells; 8 GiB of addresses
    // Dead cells that rest at the same time. The nameless are many and say little: so few that they
    // come back while they lie in the cache.
    std::size_t quarantine = std::size_t{1} << 16;
    std::size_t nameless_quarantine = std::size_t{1} << 12;
  };

  explicit CellPool(Options options);
  ~CellPool();
  CellPool(const CellPool&) = delete;
  CellPool& operator=(const CellPool&) = delete;

  Cell& at(std::uint32_t index) const noexcept {
    return *reinterpret_cast<Cell*>(arena_.base() + std::size_t{index} * sizeof(Cell));
  }
  std::uint32_t index_of(const Cell& cell) const noexcept {
    return static_cast<std::uint32_t>((reinterpret_cast<const std::byte*>(&cell) - arena_.base()) /
                                      sizeof(Cell));
  }
  Ref ref_of(const Cell& cell) const noexcept {
    return make_ref(index_of(cell), cell.generation.load(base::relaxed));
  }
  bool is_index(std::uint32_t index) const noexcept {
    return index != Cell::none && index < capacity_;
  }
  /// The largest index there can be; the smallest is 1.
  std::uint32_t last_index() const noexcept { return static_cast<std::uint32_t>(capacity_ - 1); }

  /// Writes the path of a cell whose ancestors cannot go meanwhile: one's own, an ancestor's, a
  /// child's. Takes no lock; `room(n)` answers where its n characters go.
  template <class Room>
  void write_path(const Cell& cell, Room&& room) const {
    std::size_t size = 0;
    for (const Cell* at_cell = &cell; at_cell->name != 0; at_cell = &at(at_cell->parent))
      size += 1 + NameText(*at_cell).view().size();
    char* end = room(std::max<std::size_t>(size, 1)) + std::max<std::size_t>(size, 1);
    if (size == 0) *--end = '/';
    for (const Cell* at_cell = &cell; at_cell->name != 0; at_cell = &at(at_cell->parent)) {
      const NameText name(*at_cell);
      end -= name.view().size();
      name.view().copy(end, name.view().size());
      *--end = '/';
    }
  }

  std::string path_of(const Cell& cell) const;

  /// Any thread. "/deadLetters" for a ref that was never given out or whose cell has a new tenant.
  std::string path(Ref ref) const;

  /// Blocks for one worker's use: closed cells of a new generation. False if all addresses are in
  /// use.
  bool refill(base::Magazine& magazine);
  /// Takes dead cells in.
  void retire(base::Magazine& magazine);

 private:
  void recycle(Cell& cell);
  void refill_from(sched::TaskRing& dead, std::size_t quarantine, base::Magazine& magazine);

  base::Arena arena_;
  const std::size_t capacity_;
  const std::size_t quarantine_, nameless_quarantine_;
  mutable base::Mutex mutex_;
  std::size_t carved_ = 1;
  sched::TaskRing dead_, nameless_dead_;
};

}  // namespace actord::actor
