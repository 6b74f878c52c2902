// SPDX-License-Identifier: Apache-2.0
#include "actor/reconfiguration.hpp"

#include <new>
#include <utility>

namespace actord::actor {

Reconfiguration::Reconfiguration(ConfigSnapshotPtr snapshot_, bool is_forced_,
                                 std::function<void()> on_done)
    : snapshot(std::move(snapshot_)), is_forced(is_forced_), on_done_(std::move(on_done)) {}

Reconfiguration::~Reconfiguration() = default;

void Reconfiguration::await(Ref who) {
  std::lock_guard lock(mutex_);
  awaited_.insert(who);
}

void Reconfiguration::await(const std::vector<Ref>& all) {
  std::lock_guard lock(mutex_);
  std::size_t n = 0;
  try {
    for (; n < all.size(); ++n) awaited_.insert(all[n]);
  } catch (const std::bad_alloc&) {
    while (n-- > 0) awaited_.erase(all[n]);
    throw;
  }
}

// Once the last awaited actor is done, no further actor can become awaited, because only an awaited
// actor calls await(). So `on_done_` is called once.
void Reconfiguration::done(Ref who) {
  {
    std::lock_guard lock(mutex_);
    if (awaited_.erase(who) == 0 || !awaited_.empty()) return;
  }
  on_done_();
}

void Reconfiguration::failed(Ref who) noexcept {
  std::lock_guard lock(mutex_);
  if (++shortfall_.actors == 1) shortfall_.first = who;
}

Reconfiguration::Shortfall Reconfiguration::shortfall() const {
  std::lock_guard lock(mutex_);
  return shortfall_;
}

std::vector<Ref> Reconfiguration::awaited() const {
  std::lock_guard lock(mutex_);
  return {awaited_.begin(), awaited_.end()};
}

}  // namespace actord::actor
