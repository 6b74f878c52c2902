// SPDX-License-Identifier: Apache-2.0
//
// The runtime's half of an actor: 128 bytes in an arena, the first 64 written by senders and by the
// parent, the others by whoever runs the actor. What most actors never need hangs off `organs`.
//
// Not here: what a cell does (Activation) and where cells come from (CellPool).
#pragma once

#include "actor/behaviour.hpp"
#include "actor/mailbox.hpp"
#include "actor/ref.hpp"
#include "sched/task.hpp"

namespace actord::actor {

struct Organs;
struct ChildStats;

/// The owner's view of where the actor is in its life.
enum class Stage : std::uint8_t {
  fresh,        // scheduled for the first time; nothing constructed yet
  running,      // alive, or failed and waiting for the verdict
  recreating,   // waiting for stopped children before the next incarnation
  creating,     // the same after a creation that failed
  backing_off,  // waiting for the delay before the next incarnation
  terminating,  // waiting for children before the end
  terminated
};

struct Cell : sched::Task {
  static constexpr std::uint32_t none = 0;  // index 0 is never handed out

  // ---- line 0: senders ----
  MailboxWord mailbox;
  base::Atomic<std::uint32_t> generation{0};
  std::uint16_t dispatcher = 0;
  enum SenderFlag : std::uint8_t {
    bounded = 1,
    backing_off = 2
  };  // either: a push takes from `room`
  base::Atomic<std::uint8_t> sender_flags{0};
  enum ChildFlag : std::uint8_t {  // the parent's notes
    dying = 1,
    configured = 2,
    gone = 4,
    of_failed_attempt = 8  // made by an incarnation that was not completed
  };
  std::uint8_t child_flags = 0;
  std::uint32_t parent = none;                                 // set once per tenancy
  std::uint32_t first_child = none, last_child = none;         // owned by this cell's execution
  std::uint32_t next_sibling = none, previous_sibling = none;  // owned by the parent's
  base::Atomic<std::int32_t> room{0};  // messages a bounded mailbox still takes
  std::uint64_t name = 0;              // 0: the root; odd: a number; else a C string of ours
  Organs* organs = nullptr;
  ChildStats* stats = nullptr;  // owned by the parent's execution

  // ---- line 1: the worker that runs it ----
  SystemQueue system;
  Props* props = nullptr;  // counted
  void* instance = nullptr;
  MailboxOwner inbox;
  const ReceiveTable* receive = nullptr;
  std::uint32_t suspensions = 0;
  std::uint32_t incarnation = 0;
  Stage stage = Stage::fresh;
  enum FailState : std::uint8_t {
    healthy,
    failed,
    failed_fatally
  };  // fatally: its re-creation failed
  FailState fail_state = healthy;
  enum OwnerFlag : std::uint8_t {
    post_stop_done = 1,
    was_started = 2,
    settled_once = 4,
    subscribed = 8
  };
  std::uint8_t owner_flags = 0;
  std::uint8_t unused = 0;
  std::uint32_t parent_generation = 0;

  bool is_failed() const noexcept { return fail_state != healthy; }
  bool has(OwnerFlag flag) const noexcept { return (owner_flags & flag) != 0; }
};
static_assert(sizeof(Cell) == 128, "two cache lines; core/ARCHITECTURE.md, memory");

}  // namespace actord::actor
