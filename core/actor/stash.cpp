// SPDX-License-Identifier: Apache-2.0
#include "actor/stash.hpp"

#include <algorithm>

#include "actor/cell_extras.hpp"
#include "base/counted.hpp"

namespace actord::actor {

// The capacity configured for the actor, else that of the behaviour, else that of the system.
std::int64_t Stash::capacity_for(Turn& turn) {
  const std::int64_t of_path = turn.cell().props->stash_capacity;
  if (of_path != 0) return of_path;
  const std::int64_t of_code = turn.table().stash_capacity;
  return of_code != 0 ? of_code : turn.environment().stash_capacity.load(base::relaxed);
}

[[gnu::always_inline]] inline void Stash::keep(Turn& turn, DeathWatch& death_watch) {
  const Environment& environment = turn.environment();
  if (environment.types.first_layout(turn.message_type) == environment.builtin.terminated)
    death_watch.announce_again(turn.sender);
  turn.mark_kept();
  is_pending_ = true;
  ++count_;
}

base::Result<void, Stash::Error> Stash::add(Turn& turn, DeathWatch& death_watch) {
  const Envelope* const current = turn.current();
  if (current == nullptr) return Error{"no message is being handled"};
  if (turn.is_kept()) return Error{"this message has been stashed already"};
  if (current->has(Envelope::reply)) return Error{"an answer cannot be stashed"};
  const std::int64_t capacity = capacity_for(turn);
  if (capacity > 0 && count_ >= capacity) {
    return Error{"the stash of " + turn.path() + " is full: it holds " +
                     base::counted(static_cast<std::uint64_t>(capacity), "message"),
                 true};
  }
  keep(turn, death_watch);
  return {};
}

void Stash::put_back(Turn& turn, DeathWatch& death_watch) {
  if (turn.current() != nullptr && !turn.is_kept()) keep(turn, death_watch);
}

void Stash::move_pending(Turn& turn) {
  ACTORD_ASSERT(count_ > 0);
  is_pending_ = false;
  const auto& redelivery = turn.extras().redelivery;
  Envelope* const kept = turn.keep_current();
  turn.note_if_taken(*kept);
  const bool is_counted = redelivery != nullptr && redelivery->counts_current();
  list_.push_back(is_counted ? redelivery->place_of_current(turn, kept)
                             : turn.thread().as_carried(kept));
  if (due_ != 0) unstash(turn, std::exchange(due_, 0));
}

void Stash::unstash(Turn& turn, std::int64_t n) {
  if (is_pending_) {  // the current message belongs at the end of the stash
    due_ = n < INT64_MAX - due_ ? due_ + n : INT64_MAX;
    return;
  }
  ACTORD_ASSERT((count_ == 0) == list_.is_empty());
  if (n <= 0 || list_.is_empty()) return;
  put_in_front(turn, list_.take_first(n));
  count_ -= std::min(n, count_);
}

}  // namespace actord::actor
