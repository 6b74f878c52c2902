// SPDX-License-Identifier: Apache-2.0
//
// What only some actors need, beside the cell: children's names, watches, a failure being dealt
// with, a stash, timers, asks. Owned by the cell's execution, gone when the actor is.
#pragma once

#include <actord/plugin.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "actor/cell.hpp"
#include "actor/supervision.hpp"
#include "actor/system_message.hpp"
#include "sched/timer_queue.hpp"

namespace actord::actor {

/// Envelopes in order, linked through themselves.
class EnvelopeList {
 public:
  bool is_empty() const noexcept { return first_ == nullptr; }
  Envelope* first() const noexcept { return first_; }
  Envelope* last() const noexcept { return last_; }
  void push_back(Envelope* envelope) noexcept {
    envelope->next = nullptr;
    (last_ != nullptr ? last_->next : first_) = envelope;
    last_ = envelope;
  }
  /// The whole list, oldest first.
  Envelope* take() noexcept {
    last_ = nullptr;
    return std::exchange(first_, nullptr);
  }

 private:
  Envelope* first_ = nullptr;
  Envelope* last_ = nullptr;
};

/// Who watches whom (supervision.md H). `announced` holds those whose Terminated is in the mailbox:
/// an unwatch in between makes it void. Beside each: the message to be told by instead, or null.
struct Watches {
  struct Watcher {
    Ref who;
    std::uint64_t token;  // of the watcher's ask to be told; 0: it watches
    bool operator==(const Watcher&) const = default;
  };
  std::vector<Watcher> watchers;
  std::unordered_map<Ref, Envelope*> watching, announced;
};

struct ActorTimer {
  std::string key;
  std::int64_t period_ns;
  std::int64_t due_ns;
  bool is_fixed_rate;
  Envelope* message;  // the payload; of a periodic one, the pattern of its copies
  sched::TimerQueue::Handle handle;
};

/// Somebody's answer, or somebody's end, that is waited for.
struct Ask {
  actord_reply_handler handler;
  sched::TimerQueue::Handle timeout;
  Ref target;
  std::string question;  // for people
  bool is_for_end = false;
};

/// What happens between a failure, of this actor or of a child it escalated, and the end of its
/// mending.
struct Episode {
  FailurePtr failure;
  Ref perpetrator = nobody;
  Envelope* message = nullptr;  // that failed; const to everyone until the episode is over
  // A recreation that waits for children or for its delay.
  FailurePtr cause;
  std::int64_t delay_ns = 0;
  bool is_collateral = false;
  std::uint64_t backoff_token = 0;
  sched::TimerQueue::Handle backoff_timer;
};

struct Ending {
  StopReason reason = StopReason::stopped;
  FailurePtr failure;
  bool is_collateral = false;
};

/// The configured children: started one after the other (house rule: each when the one before has
/// settled).
struct Roster {
  std::size_t next = 0;
  Ref awaited = nobody;
};

struct Organs {
  static constexpr std::size_t names_in_line = 8;  // fewer are searched along the siblings

  std::uint64_t last_number = 0;
  std::uint32_t dying = 0;
  std::uint32_t named = 0;
  std::unordered_map<std::string_view, std::uint32_t> by_name;  // the cells own the names

  Watches watches;
  Episode episode;
  Ending ending;
  Roster roster;
  EnvelopeList parked;  // system mail for later (supervision.md 20, 31)
  EnvelopeList stash;
  std::int64_t stashed = 0;
  std::vector<const ReceiveTable*> states;  // what unbecome() returns to

  std::uint64_t last_token = 0;
  std::unordered_map<std::uint64_t, ActorTimer> timers;
  std::unordered_map<std::uint64_t, Ask> asks;

  std::int64_t receive_timeout_ns = 0;
  std::uint64_t receive_timeout_token = 0;
  sched::TimerQueue::Handle receive_timeout_timer;
  std::int64_t last_activity_ns = 0;

  std::int64_t alive_since_ns = 0;  // of an incarnation that began after a delay
};

}  // namespace actord::actor
