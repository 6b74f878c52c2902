// SPDX-License-Identifier: Apache-2.0
#include "actor/reconfiguration.hpp"

namespace actord::actor {

void Reconfiguration::await(Ref who) {
  std::lock_guard lock(mutex_);
  awaited_.insert(who);
}

void Reconfiguration::await(const std::vector<Ref>& all) {
  std::lock_guard lock(mutex_);
  awaited_.insert(all.begin(), all.end());
}

// Whoever is the last cannot be told of another: that would be done by one who is awaited.
void Reconfiguration::done(Ref who) {
  {
    std::lock_guard lock(mutex_);
    if (awaited_.erase(who) == 0 || !awaited_.empty()) return;
  }
  on_done_();
}

std::vector<Ref> Reconfiguration::awaited() const {
  std::lock_guard lock(mutex_);
  return {awaited_.begin(), awaited_.end()};
}

}  // namespace actord::actor
