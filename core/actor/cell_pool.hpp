// SPDX-License-Identifier: Apache-2.0
//
// The pool of cells: an arena, from which workers take cells in magazines.
//
// The cell of a terminated actor, a dead cell, waits in a first-in first-out quarantine before it
// is used again. Until then it keeps its name and its parent, so that dead letters can give the
// actor's path. A cell is recycled only under the lock that path() takes, so path() is safe on any
// thread.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "actor/cell.hpp"
#include "base/depot.hpp"
#include "base/short_copy.hpp"
#include "sched/task_ring.hpp"

namespace actord::actor {

class CellPool {
 public:
  struct Options {
    std::size_t capacity = std::size_t{1} << 26;  // cells; 8 GiB of addresses
    // The number of dead cells kept in quarantine. Nameless cells are those with generated names:
    // they are many and their paths tell little, so fewer are kept, and they are used again while
    // they are in the cache.
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
  /// The largest index; the smallest is 1.
  std::uint32_t last_index() const noexcept { return static_cast<std::uint32_t>(capacity_ - 1); }

  /// Writes the path of a cell. Takes no lock, so neither the cell nor an ancestor of it may be
  /// recycled meanwhile; a turn calls it for its own actor, an ancestor or a child. `allocate(n)`
  /// returns the address for the path's n characters.
  template <class Allocate>
  void write_path(const Cell& cell, Allocate&& allocate) const {
    char near[near_path_max];
    CellName::Buffer buffer;
    char* start = near + sizeof near;
    const Cell* at_cell = &cell;
    for (; !at_cell->name.is_none(); at_cell = &at(at_cell->parent)) {
      const std::string_view name = at_cell->name.text(buffer);
      if (name.size() >= static_cast<std::size_t>(start - near)) [[unlikely]]
        return write_long_path(cell, allocate);
      start -= name.size();
      base::copy_short(start, name.data(), name.size());
      *--start = '/';
    }
    if (start == near + sizeof near) *--start = '/';
    const auto size = static_cast<std::size_t>(near + sizeof near - start);
    base::copy_short(allocate(size), start, size);
  }

  /// The same as a string.
  std::string path_of(const Cell& cell) const;

  /// Any thread. "/deadLetters" if the ref was never given out, or if its cell or the cell of an
  /// ancestor has been recycled.
  std::string path(Ref ref) const;

  /// Any thread. Whether the actor of this ref still takes messages.
  bool is_living(Ref ref) const;

  /// Calls use(cell) for each cell whose actor takes messages. Any thread; under a lock for which
  /// workers wait that need new cells.
  template <class Use>
  void for_each_living(Use&& use) const {
    std::lock_guard lock(mutex_);
    for (std::uint32_t i = 1; i < carved_; ++i) {
      if (const Cell& cell = at(i); !cell.mailbox.is_closed()) use(cell);
    }
  }

  /// The actors for which messages wait, or that are handling one. Any thread.
  std::vector<Ref> with_mail() const;

  /// Puts closed cells of a new generation into an empty magazine. False if every cell is in use or
  /// in quarantine.
  bool refill(base::Magazine& magazine);
  /// Puts the dead cells of the magazine into quarantine.
  void retire(base::Magazine& magazine);

 private:
  // Paths up to this size are written in one walk.
  static constexpr std::size_t near_path_max = 128;

  // Walks twice: for the size, and to write.
  template <class Allocate>
  void write_long_path(const Cell& cell, Allocate&& allocate) const {
    std::size_t size = 0;
    CellName::Buffer buffer;
    for (const Cell* at_cell = &cell; !at_cell->name.is_none(); at_cell = &at(at_cell->parent))
      size += 1 + at_cell->name.text(buffer).size();
    char* end = allocate(size) + size;
    for (const Cell* at_cell = &cell; !at_cell->name.is_none(); at_cell = &at(at_cell->parent)) {
      const std::string_view name = at_cell->name.text(buffer);
      end -= name.size();
      name.copy(end, name.size());
      *--end = '/';
    }
  }
  // Frees the name and begins the next generation.
  void recycle(Cell& cell);
  // Recycles the oldest cells of `dead` into the magazine, as long as `dead` has more than
  // `quarantine` cells.
  void refill_from(sched::TaskRing& dead, std::size_t quarantine, base::Magazine& magazine);

  base::Arena arena_;
  const std::size_t capacity_;
  const std::size_t quarantine_, nameless_quarantine_;
  mutable base::Mutex mutex_;
  std::size_t carved_ = 1;  // cells of the arena used so far, with the unused index 0
  sched::TaskRing dead_, nameless_dead_;
};

}  // namespace actord::actor
