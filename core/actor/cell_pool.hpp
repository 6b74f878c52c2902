// SPDX-License-Identifier: Apache-2.0
//
// Where cells come from and where they rest after death: an arena of them, handed out in magazines.
//
// A dead cell waits in a first-in first-out quarantine before it is used again. Until then it
// remembers its name and its parent, so that a dead letter can say who is dead; recycling happens
// only under the lock that path() takes, and that is what makes path() safe on any thread.
#pragma once

#include <deque>
#include <string>

#include "actor/cell.hpp"
#include "base/depot.hpp"

namespace actord::actor {

class CellPool {
 public:
  struct Options {
    std::size_t capacity = std::size_t{1} << 26;  // cells; 8 GiB of addresses
    std::size_t quarantine = std::size_t{1} << 16;
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

  /// Any thread. "/deadLetters" for a ref that was never given out or whose cell has a new tenant.
  std::string path(Ref ref) const;

  /// Blocks for one worker's use: closed cells of a new generation. False if all addresses are in
  /// use.
  bool refill(base::Magazine& magazine);
  /// Takes dead cells in.
  void retire(base::Magazine& magazine);

 private:
  void recycle(Cell& cell);

  const std::size_t capacity_;
  const std::size_t quarantine_;
  base::Arena arena_;
  mutable base::Mutex mutex_;
  std::size_t carved_ = 1;
  std::deque<Cell*> dead_;
};

/// The name of a cell as text; its own thread, its parent's, or under the pool's lock.
std::string name_of(const Cell& cell);

}  // namespace actord::actor
