// SPDX-License-Identifier: Apache-2.0
//
// What single actors have done: a table with a row for each cell, beside the cells, which have no
// room for it. Rows are written once in a turn, not for each message, and only for the actors that
// the operator wants counted (core/decisions/0008-counts-per-actor.md).
#pragma once

#include <memory>
#include <vector>

#include "actor/cell_pool.hpp"
#include "actor/counted_actors.hpp"
#include "base/arena.hpp"

namespace actord::actor {

class ActorCounts {
 public:
  using Which = CountedActors;

  struct Row {
    base::OwnerCount messages;  // taken out of the mailbox: handled, failed, stashed or unhandled
    base::OwnerCount failures, restarts;
    base::Atomic<std::uint32_t> generation{0};  // of the tenant that is counted; 0: none is
  };

  /// A row that was read.
  struct Count {
    Ref actor = nobody;
    std::uint64_t messages = 0, failures = 0, restarts = 0;
  };

  explicit ActorCounts(const CellPool& cells) noexcept : cells_(cells) {}

  // ---- any thread ----
  /// The actors that are counted from now on. A running actor takes it over with the next snapshot.
  /// Without addresses for the table none are.
  void set_which(Which which) noexcept;
  Which which() const noexcept { return which_.load(base::relaxed); }
  bool includes(bool is_configured) const noexcept {
    const Which which = this->which();
    return which != Which::none && (is_configured || which == Which::all);
  }
  /// The rows of living actors that are counted.
  std::vector<Count> read() const;

  // ---- the turn of the cell's tenant, or of its parent before the tenant's first turn ----
  /// Begins or ends the counting of the tenant, if `is_counted` is news.
  void set_counted(Cell& cell, bool is_counted) noexcept;
  /// The row of a cell that is counted.
  Row& row_of(const Cell& cell) const noexcept {
    ACTORD_DEBUG_ASSERT(cell.is_counted);
    return rows_.load(base::relaxed)[cells_.index_of(cell)];
  }

 private:
  const CellPool& cells_;
  base::Mutex mutex_;
  std::unique_ptr<base::Arena> arena_;  // made when it is first needed
  // The release in set_which() pairs with the acquire in set_counted() and read(). Where a cell is
  // counted, its worker has seen the table before.
  base::Atomic<Row*> rows_{nullptr};
  base::Atomic<Which> which_{Which::none};
};

}  // namespace actord::actor
