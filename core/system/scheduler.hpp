// SPDX-License-Identifier: Apache-2.0
//
// Messages that are sent later, once or again and again, by nobody (supervision.md 163). Unlike an
// actor's timers they belong to no incarnation: they end when they are cancelled, when their
// receiver is dead, or with the system.
//
// A message that is sent once is itself what its timer refers to, in the wheel of the worker that
// wanted it sent. A series has an entry here.
#pragma once

#include <unordered_map>
#include <vector>

#include "actor/thread_state.hpp"

namespace actord::system {

struct TimerSpec {
  std::int64_t delay_ns = 0;
  std::int64_t period_ns = 0;  // 0: once; else at least 100 us
  bool is_fixed_rate = false;  // what was late is made up for
};

/// Numbers of scheduled messages are never 0.
class Scheduler {
 public:
  /// Of the system that `external` belongs to.
  explicit Scheduler(actor::ThreadState& external);
  ~Scheduler() { clear(); }
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // ---- any thread, with its own ThreadState ----
  /// Moves the message in; answers its number.
  std::uint64_t add_once(actor::ThreadState& thread, actor::Ref to, std::int64_t delay_ns,
                         message::TypeId type, void* message);

  /// What a timer of the kind `message` sends.
  static message::Envelope* envelope_of(const sched::Timer& timer);

  // ---- under the lock of `external` ----
  std::uint64_t add_periodic(actor::Ref to, const TimerSpec& spec, message::TypeId type,
                             void* message);
  /// False if it was over already.
  bool cancel(std::uint64_t number);
  /// A series is due, as its timer's token says: sends, unless the receiver is dead.
  void fire_periodic(std::uint64_t token);
  void clear();
  /// A worker begins to use its timers.
  void add_wheel(sched::TimerWheel& wheel);
  /// All timers of the system, of actors too.
  std::size_t timers() const;

 private:
  struct PeriodicSend {
    actor::Ref to;
    TimerSpec spec;
    std::int64_t due_ns;
    message::Envelope* message;
    sched::TimerHandle timer = {};
  };
  void arm(std::uint64_t number, PeriodicSend& periodic);

  actor::ThreadState& external_;
  sched::TimerWheel& shared_;
  std::vector<sched::TimerWheel*> wheels_;  // by their numbers
  std::unordered_map<std::uint64_t, PeriodicSend> periodic_sends_;
  std::uint64_t last_periodic_ = 0;
};

}  // namespace actord::system
