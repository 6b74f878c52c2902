// SPDX-License-Identifier: Apache-2.0
//
// The runtime's half of an actor: 128 bytes in an arena. Senders and the parent write the first 64,
// the worker that runs the actor the others. What most actors never need hangs off `extras`.
//
// Not here: what a cell does (Activation) and where cells come from (CellPool).
#pragma once

#include "actor/behaviour.hpp"
#include "actor/lifecycle.hpp"
#include "actor/mailbox.hpp"
#include "actor/ref.hpp"
#include "sched/task.hpp"

namespace actord::actor {

class ChildList;
struct CellExtras;
struct ChildStats;
enum class StopReason : std::uint8_t;

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
                           // mark (ThreadState::mark); who sends from another one slows down
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
  ChildList* children = nullptr;  // null until the first child; owned by this cell's execution
  std::uint32_t parent = none;    // set once per tenancy
  std::uint32_t next_sibling = none, previous_sibling = none;  // owned by the parent's
  base::Atomic<std::int32_t> room{0};  // messages a bounded mailbox still takes
  std::uint64_t name = 0;              // 0: the root; odd: a number; else a C string of ours
  CellExtras* extras = nullptr;
  ChildStats* stats = nullptr;  // owned by the parent's execution

  // ---- line 1: the worker that runs it ----
  SystemQueue system;
  Props* props = nullptr;    // counted
  void* instance = nullptr;  // of a fresh one with arguments: the block that it will be built in
  MailboxOwner inbox;
  const ReceiveTable* receive = nullptr;
  [[no_unique_address]] Lifecycle life;  // whose last two bytes hold the next two members
  enum OwnerFlag : std::uint8_t {
    post_stop_done = 1,
    was_started = 2,
    subtree_started_once = 4,
    subscribed = 8,
    is_bounded = 16,    // what SenderFlag::bounded says, on the line that senders do not write
    is_overloaded = 32  // found more mail at once than it should ever have
  };
  std::uint8_t owner_flags = 0;
  StopReason stop_reason{};  // of one that is stopping
  std::uint32_t parent_generation = 0;

  /// True if no tenant has left anything behind: what a cell must be when its next tenant moves in.
  bool is_vacant() const noexcept {
    const auto bits = [](const auto* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); };
    const std::uintptr_t left =
        bits(children) | bits(extras) | bits(stats) | bits(props) | bits(instance);
    return left == 0 && mailbox.is_closed() && system.is_closed();
  }
  bool has(OwnerFlag flag) const noexcept { return (owner_flags & flag) != 0; }
};
static_assert(sizeof(Cell) == 128, "two cache lines; core/ARCHITECTURE.md, memory");

}  // namespace actord::actor
