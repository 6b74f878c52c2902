// SPDX-License-Identifier: Apache-2.0
//
// What only some actors need, beside the cell: children, and then watches, a failure being dealt
// with, a stash, timers, asks. Owned by the cell's execution, gone when the actor is.
#pragma once

#include <actord/plugin.h>

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "actor/cell.hpp"
#include "actor/envelope_list.hpp"
#include "actor/reconfiguration.hpp"
#include "actor/supervision.hpp"
#include "actor/system_message.hpp"
#include "actor/timer_table.hpp"
#include "actor/token.hpp"

namespace actord::actor {

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

/// Somebody's answer, or somebody's end, that is waited for.
struct Ask {
  actord_reply_handler handler;
  Ref target;
  message::TypeId question;  // 0: its end
  sched::TimerHandle timeout = {};

  bool is_for_end() const noexcept { return question == 0; }
};

/// What happens between a failure, of this actor or of a child it escalated, and the end of its
/// mending.
struct Episode {
  Ref perpetrator = nobody;
  Envelope* message = nullptr;  // that failed; const to everyone until the episode is over
  // A recreation that waits for children or for its delay.
  FailurePtr cause;
  std::int64_t delay_ns = 0;
  bool is_collateral = false;
  std::uint64_t backoff_token = 0;
  sched::TimerHandle backoff_timer;
  TakeOver take_over;  // that the recreation is for
};

/// Why an actor is stopped for a failure.
struct Ending {
  FailurePtr failure;
  bool is_collateral = false;
};

/// The configured children: started one after the other (house rule: each when the one before has
/// settled).
struct Roster {
  std::vector<std::uint32_t> due;  // by their place among the node's children; the next one last
  Ref awaited = nobody;
  TakeOver take_over;  // that somebody in it is new for
};

/// The children, linked through their cells in the order of their creation.
struct Family {
  static constexpr std::uint32_t searched_in_line = 8;  // more are found by a table of names
  using Names = std::unordered_map<std::string_view, std::uint32_t>;  // the cells own the texts

  std::uint32_t first = Cell::none, last = Cell::none;
  std::uint32_t count = 0, dying = 0, named = 0;
  std::uint64_t last_number = 0;
  std::unique_ptr<Names> by_name;
};

inline std::uint32_t first_child_of(const Cell& cell) noexcept {
  return cell.family != nullptr ? cell.family->first : Cell::none;
}

struct Organs {
  void* block = nullptr;  // where the next incarnation is built, while there is none

  Watches watches;
  Episode episode;
  Ending ending;
  Roster roster;
  EnvelopeList parked;  // system mail for later (supervision.md 20, 31)
  EnvelopeList stash;
  std::int64_t stashed = 0;
  std::vector<const ReceiveTable*> states;  // what unbecome() returns to

  TimerTable timers;
  SlotTable<Ask> asks;
  std::uint64_t last_token = 0;  // of the timers that are one of their kind

  std::int64_t receive_timeout_ns = 0;
  std::uint64_t receive_timeout_token = 0;
  sched::TimerHandle receive_timeout_timer;
  std::int64_t last_activity_ns = 0;

  std::int64_t alive_since_ns = 0;  // of an incarnation that began after a delay
};

}  // namespace actord::actor
