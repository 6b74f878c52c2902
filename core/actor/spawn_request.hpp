// SPDX-License-Identifier: Apache-2.0
//
// A wish for a child, from outside the tree: carried to the parent as a system message, answered
// once.
#pragma once

#include <string>

#include "actor/behaviour.hpp"
#include "actor/ref.hpp"
#include "actor/request.hpp"
#include "base/sync.hpp"

namespace actord::actor {

struct SpawnRequest final : Request {
  std::string name;
  PropsPtr props;

  /// Any thread: until somebody answered.
  void wait() {
    std::unique_lock lock(mutex);
    answered.wait(lock, [this] { return is_answered; });
  }
  void answer(Ref child, std::string why_not) {
    {
      std::lock_guard lock(mutex);
      ref = child;
      error = std::move(why_not);
      is_answered = true;
    }
    answered.notify_all();
  }

  base::Mutex mutex;
  base::Condition answered;
  bool is_answered = false;
  Ref ref = nobody;
  std::string error;
};

}  // namespace actord::actor
