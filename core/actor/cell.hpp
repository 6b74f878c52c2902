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
struct Family;
struct ChildStats;
enum class StopReason : std::uint8_t;

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
  // Of a tenancy. Relaxed: whoever looks before a push may see a later tenant's, and only prefers
  // one way to another; after a push the mailbox's opening has brought it.
  base::Atomic<std::uint16_t> dispatcher{0};
  enum SenderFlag : std::uint8_t {
    bounded = 1,
    backing_off = 2,       // this one or the one before: a push takes from `room`
    falling_behind = 0xf8  // not 0: the actor has more mail than it should, on the worker of that
                           // mark (Local::mark); who sends from another one slows down
  };
  base::Atomic<std::uint8_t> sender_flags{0};
  enum ChildFlag : std::uint8_t {  // the parent's notes
    dying = 1,
    configured = 2,
    gone = 4,
    of_failed_attempt = 8,  // made by an incarnation that was not completed
    from_node = 16          // built from a node of the configuration
  };
  std::uint8_t child_flags = 0;
  Family* family = nullptr;                                    // owned by this cell's execution
  std::uint32_t parent = none;                                 // set once per tenancy
  std::uint32_t next_sibling = none, previous_sibling = none;  // owned by the parent's
  base::Atomic<std::int32_t> room{0};  // messages a bounded mailbox still takes
  std::uint64_t name = 0;              // 0: the root; odd: a number; else a C string of ours
  Organs* organs = nullptr;
  ChildStats* stats = nullptr;  // owned by the parent's execution

  // ---- line 1: the worker that runs it ----
  SystemQueue system;
  Props* props = nullptr;    // counted
  void* instance = nullptr;  // of a fresh one with arguments: the block that it will be built in
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
    subscribed = 8,
    is_bounded = 16,    // what SenderFlag::bounded says, on the line that senders do not write
    is_overloaded = 32  // found more mail at once than it should ever have
  };
  std::uint8_t owner_flags = 0;
  StopReason stop_reason{};  // of one that is stopping
  std::uint32_t parent_generation = 0;

  bool is_failed() const noexcept { return fail_state != healthy; }
  bool has(OwnerFlag flag) const noexcept { return (owner_flags & flag) != 0; }
};
static_assert(sizeof(Cell) == 128, "two cache lines; core/ARCHITECTURE.md, memory");

/// The props of this actor alone, made so if it shares them. The cell's own execution, or its
/// parent's before it starts.
Props& own_props(Cell& cell);

}  // namespace actord::actor
