// SPDX-License-Identifier: Apache-2.0
#include "actor/actor_counts.hpp"

namespace actord::actor {

namespace {

// Under limits of addresses the table may be shorter than the pool.
bool has_row(const base::Arena& table, std::uint32_t index) noexcept {
  return (std::size_t{index} + 1) * sizeof(ActorCounts::Row) <= table.size();
}

}  // namespace

void ActorCounts::set_which(Which which) noexcept try {
  std::lock_guard lock(mutex_);
  if (which != Which::none && arena_ == nullptr) {
    arena_ = std::make_unique<base::Arena>((std::size_t{cells_.last_index()} + 1) * sizeof(Row));
    // release: pairs with the acquires of `rows_`, which then see the table's size
    rows_.store(reinterpret_cast<Row*>(arena_->base()), base::release);
  }
  which_.store(which, base::relaxed);
} catch (const std::bad_alloc&) {}

void ActorCounts::set_counted(Cell& cell, bool is_counted) noexcept {
  if (cell.is_counted == is_counted) return;
  const std::uint32_t index = cells_.index_of(cell);
  Row* const rows = rows_.load(base::acquire);  // pairs with set_which()
  if (rows == nullptr || !has_row(*arena_, index)) return;
  Row& row = rows[index];
  row.generation.store(0, base::relaxed);
  if (is_counted) {
    row.messages = row.failures = row.restarts = base::OwnerCount{};
    // release: pairs with the acquire in read()
    row.generation.store(cell.generation.load(base::relaxed), base::release);
  }
  cell.is_counted = is_counted;
}

std::vector<ActorCounts::Count> ActorCounts::read() const {
  std::vector<Count> counts;
  const Row* const rows = rows_.load(base::acquire);  // pairs with set_which()
  if (rows == nullptr) return counts;
  cells_.for_each_living([&](const Cell& cell) {
    const std::uint32_t index = cells_.index_of(cell);
    if (!has_row(*arena_, index)) return;
    const Row& row = rows[index];
    // acquire: pairs with the release in set_counted(), so that the counts are this tenant's.
    if (row.generation.load(base::acquire) != cell.generation.load(base::relaxed)) return;
    counts.push_back({cells_.ref_of(cell), row.messages, row.failures, row.restarts});
  });
  return counts;
}

}  // namespace actord::actor
