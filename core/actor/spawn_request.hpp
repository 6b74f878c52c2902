// SPDX-License-Identifier: Apache-2.0
//
// A wish for a child, from outside the tree: carried to the parent as a system message, answered
// once.
#pragma once

#include <string>

#include "actor/behaviour.hpp"
#include "actor/ref.hpp"
#include "actor/request.hpp"
#include "base/result.hpp"
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
  void answer(base::Result<Ref> child) {
    {
      std::lock_guard lock(mutex);
      if (child) ref = *child;
      else error = std::move(child).error().what;
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
