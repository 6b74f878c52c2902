// SPDX-License-Identifier: Apache-2.0
//
// The request of a thread outside the tree to spawn a child. A system message carries it to the
// parent, which answers it once.
#pragma once

#include <string>

#include "actor/behaviour.hpp"
#include "actor/environment.hpp"
#include "actor/ref.hpp"
#include "actor/request.hpp"
#include "base/result.hpp"
#include "base/sync.hpp"

namespace actord::actor {

struct SpawnRequest final : Request {
  std::string name;
  PropsPtr props;
  std::uint16_t dispatcher = default_dispatcher;  // unless the configuration names another
  bool is_refusal_logged = false;                 // because no thread waits for the answer
  // Called when the answer is there, on any thread, which it must not block. It may not call the
  // system. Set before the request is sent.
  std::function<void()> on_answer = {};

  /// Blocks the calling thread until answer() has been called. Any thread.
  void wait() {
    std::unique_lock lock(mutex);
    answered.wait(lock, [this] { return is_answered; });
  }
  /// Stores the result and wakes the waiting threads.
  void answer(base::Result<Ref> child) {
    {
      std::lock_guard lock(mutex);
      if (child) ref = *child;
      else error = std::move(child).error().what;
      is_answered = true;
    }
    answered.notify_all();
    if (on_answer) on_answer();
  }

  base::Mutex mutex;
  base::Condition answered;
  // Written under the mutex; read by the requesting thread after wait().
  bool is_answered = false;
  Ref ref = nobody;   // the child, or `nobody`: `error` says why
  std::string error;  // empty if there is a child
};

}  // namespace actord::actor
