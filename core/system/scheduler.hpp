// SPDX-License-Identifier: Apache-2.0
//
// Messages that are sent later, once or periodically, without a sender (supervision.md 163). Unlike
// an actor's timers they belong to no incarnation: they end when they are cancelled, when the
// receiver is dead, or with the system.
//
// A message that is sent once has no entry here: its envelope is the payload of a timer in the
// wheel of the thread that scheduled it. A periodic message has an entry here and a timer in the
// shared wheel.
#pragma once

#include <unordered_map>
#include <vector>

#include "actor/thread_state.hpp"

namespace actord::system {

struct TimerSpec {
  std::int64_t delay_ns = 0;
  std::int64_t period_ns = 0;  // 0: once; shorter periods are raised to 100 us
  bool is_fixed_rate = false;  // a period begins at the due time, so a late send is caught up
};

/// Each scheduled message has a number, which is never 0.
class Scheduler {
 public:
  /// Sends through `external`, which outlives the scheduler.
  explicit Scheduler(actor::ThreadState& external);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // ---- any thread, with its own ThreadState ----
  /// Moves the message in. Returns its number.
  std::uint64_t add_once(actor::ThreadState& thread, actor::Ref to, std::int64_t delay_ns,
                         message::TypeId type, void* message);

  /// The envelope of a timer of kind `message`.
  static message::Envelope* envelope_of(const sched::Timer& timer);

  // ---- under the lock of `external` ----
  std::uint64_t add_periodic(actor::Ref to, const TimerSpec& spec, message::TypeId type,
                             void* message);
  /// False if the timer had already fired for the last time or was cancelled.
  bool cancel(std::uint64_t number);
  /// Sends the periodic message of this timer token and re-arms it, unless the receiver is dead.
  void fire_periodic(std::uint64_t token);
  void clear();
  /// Gives a worker's wheel a number. Called before the worker sets a timer.
  void add_wheel(sched::TimerWheel& wheel);
  /// The number of all timers of the system, those of actors included.
  std::size_t timers() const;

 private:
  struct PeriodicSend {
    actor::Ref to;
    TimerSpec spec;
    std::int64_t due_ns;
    message::Envelope* message;
    sched::TimerHandle timer = {};
  };
  // Sets the timer for `periodic.due_ns`.
  void arm(std::uint64_t number, PeriodicSend& periodic);

  actor::ThreadState& external_;
  sched::TimerWheel& shared_;
  std::vector<sched::TimerWheel*> wheels_;  // by wheel number; the shared wheel is 0
  std::unordered_map<std::uint64_t, PeriodicSend> periodic_sends_;
  std::uint64_t last_periodic_ = 0;
};

}  // namespace actord::system
