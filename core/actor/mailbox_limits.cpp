// SPDX-License-Identifier: Apache-2.0
#include "actor/mailbox_limits.hpp"

namespace actord::actor {

namespace {
constexpr std::int64_t between_lines_ns = 10'000'000'000;
}  // namespace

std::uint64_t MailboxLimits::Row::note_overflow(std::int64_t now_ns) noexcept {
  const std::uint64_t now = overflows.fetch_add(1, base::relaxed) + 1;
  std::int64_t until = told_until.load(base::relaxed);
  if (now_ns < until ||
      !told_until.compare_exchange_strong(until, now_ns + between_lines_ns, base::relaxed))
    return 0;
  return now - told.exchange(now, base::relaxed);
}

MailboxLimits::Row* MailboxLimits::row_at(std::uint32_t index) const noexcept {
  Row* const rows = rows_.load(base::acquire);  // pairs with set()
  // Under limits of addresses the table may be shorter than the pool.
  const bool has_row = rows != nullptr && (std::size_t{index} + 1) * sizeof(Row) <= arena_->size();
  return has_row ? &rows[index] : nullptr;
}

void MailboxLimits::set(const Cell& cell, const MailboxLimit& limit) {
  if (rows_.load(base::acquire) == nullptr) {
    std::lock_guard lock(mutex_);
    if (arena_ == nullptr) {
      arena_ = std::make_unique<base::Arena>((std::size_t{cells_.last_index()} + 1) * sizeof(Row));
      // release: pairs with the acquires of `rows_`, which then see the table's size
      rows_.store(reinterpret_cast<Row*>(arena_->base()), base::release);
    }
  }
  Row* const row = row_at(cells_.index_of(cell));
  if (row == nullptr) return;
  row->capacity.store(limit.capacity, base::relaxed);
  row->overflow.store(limit.overflow, base::relaxed);
  row->push_timeout_ns.store(limit.push_timeout_ns, base::relaxed);
  row->overflows.store(0, base::relaxed);
  row->told.store(0, base::relaxed);
  row->told_until.store(INT64_MIN, base::relaxed);
  // release: pairs with the acquire in find()
  row->generation.store(cell.generation.load(base::relaxed), base::release);
}

MailboxLimits::Row* MailboxLimits::find(const Cell& cell) const noexcept {
  Row* const row = row_at(cells_.index_of(cell));
  if (row == nullptr) return nullptr;
  // acquire: pairs with the release in set(), so that the limit is this tenant's
  const std::uint32_t of = row->generation.load(base::acquire);
  const bool is_own = of != 0 && of == cell.generation.load(base::relaxed);
  return is_own ? row : nullptr;
}

}  // namespace actord::actor
