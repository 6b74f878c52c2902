// SPDX-License-Identifier: Apache-2.0
//
// Messages that are sent later, once or again and again, by nobody (supervision.md 163). Unlike an
// actor's timers they belong to no incarnation: they end when they are cancelled, when their
// receiver is dead, or with the system.
//
// Not here: when they are due (sched::TimerQueue) and how they are sent (ActorSystem).
#pragma once

#include <optional>
#include <unordered_map>

#include "actor/local.hpp"

namespace actord::system {

struct Rhythm {
  std::int64_t delay_ns = 0;
  std::int64_t period_ns = 0;  // 0: once; else at least 100 us
  bool is_fixed_rate = false;  // what was late is made up for
};

/// Under the lock of whoever owns `local`.
class Schedule {
 public:
  explicit Schedule(actor::Local& local) : local_(local) {}
  ~Schedule() { clear(); }
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;

  /// Moves the message in; answers the token that its timer fires with.
  std::uint64_t add(actor::Ref to, const Rhythm& rhythm, message::TypeId type, void* message);
  bool cancel(std::uint64_t token);
  /// The timer of that token has fired: sends, unless the receiver is dead.
  void fire(std::uint64_t token);
  void clear();

 private:
  struct Entry {
    actor::Ref to;
    Rhythm rhythm;
    std::int64_t due_ns;
    message::Envelope* message;
    sched::TimerQueue::Handle timer;
  };
  void arm(std::uint64_t token, Entry& entry);

  actor::Local& local_;
  std::unordered_map<std::uint64_t, Entry> entries_;
  std::uint64_t last_token_ = 0;
};

}  // namespace actord::system
