// SPDX-License-Identifier: Apache-2.0
//
// The limits of bounded mailboxes: a table with a row for each cell, beside the cells, which have
// no room for it. A sender reads a row only when it finds the mailbox full, so a message that fits
// costs what it costs without.
//
// Cell::capacity_left counts the room. Where a full mailbox takes messages all the same (drop-old
// and wait), it is negative by the number of messages beyond the limit.
#pragma once

#include <memory>

#include "actor/cell_pool.hpp"
#include "actor/overflow.hpp"
#include "base/arena.hpp"

namespace actord::actor {

/// How many messages may wait for an actor, and what becomes of further ones.
struct MailboxLimit {
  std::int32_t capacity = 0;
  Overflow overflow = Overflow::unset;
  std::int64_t push_timeout_ns = 0;  // how long a sender waits for room
};

class MailboxLimits {
 public:
  struct Row {
    base::Atomic<std::uint32_t> generation{0};  // of the tenant with this limit; 0: none has one
    base::Atomic<std::int32_t> capacity{0};
    base::Atomic<Overflow> overflow{Overflow::unset};
    base::Atomic<std::int64_t> push_timeout_ns{0};
    base::Atomic<std::uint64_t> overflows{0};  // messages that found the mailbox full
    base::Atomic<std::uint64_t> told{0};       // those of them that the log has told of
    base::Atomic<std::int64_t> told_until{0};  // no line before that time, in nanoseconds

    MailboxLimit limit() const noexcept {
      return {capacity.load(base::relaxed), overflow.load(base::relaxed),
              push_timeout_ns.load(base::relaxed)};
    }
    /// Counts one more overflow. Returns how many have not been told of, at most once in ten
    /// seconds; else 0.
    std::uint64_t note_overflow(std::int64_t now_ns) noexcept;
  };

  explicit MailboxLimits(const CellPool& cells) noexcept : cells_(cells) {}

  /// The parent of the cell's new tenant, before any other actor knows it. Without addresses for
  /// the table the tenant has no row, and its mailbox drops the newest message. Throws
  /// std::bad_alloc.
  void set(const Cell& cell, const MailboxLimit& limit);
  /// Any thread. The row of the cell's tenant; null if it has none.
  Row* find(const Cell& cell) const noexcept;

 private:
  Row* row_at(std::uint32_t index) const noexcept;

  const CellPool& cells_;
  base::Mutex mutex_;
  std::unique_ptr<base::Arena> arena_;  // made when it is first needed
  // The release in set() pairs with the acquire in row_at(), which then sees the table's size. A
  // row is written before a sender has the ref of its tenant. A sender that has the ref from
  // elsewhere compares the generation, and takes a row of another tenant for none.
  base::Atomic<Row*> rows_{nullptr};
};

}  // namespace actord::actor
