// SPDX-License-Identifier: Apache-2.0
//
// The runtime's part of an actor: 128 bytes in an arena. The first 64 bytes are mostly written by
// senders of user messages and by the parent, the others by the worker that runs the actor and by
// senders of system messages. State that most actors never need is behind `extras`. The actor that
// a cell holds is its tenant; a cell has many tenants, one after the other.
//
// Not here: what a cell does (Activation) and where cells come from (CellPool).
#pragma once

#include "actor/behaviour.hpp"
#include "actor/cell_name.hpp"
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
  // The tenant's dispatcher. Relaxed: a sender that reads it before a push may see that of a later
  // tenant, and then only decides otherwise whether to collect the message. A sender that reads it
  // after a push sees the right one, by the release in MailboxWord::open().
  base::Atomic<std::uint16_t> dispatcher{0};
  enum SenderFlag : std::uint8_t {
    bounded = 1,
    backing_off =
        2,  // waits to restart. If this or `bounded` is set, a push takes 1 from `capacity_left`
    routing = 4,  // is a router: what is sent to it goes to its routees (Routes)
    // These bits are not 0 if the tenant is overloaded. They then hold its worker's
    // ThreadState::overload_mark(). Senders with another mark pause.
    overload_mark = 0xf8
  };
  base::Atomic<std::uint8_t> sender_flags{0};
  enum ChildFlag : std::uint8_t {  // written by the parent
    dying = 1,                     // is being stopped
    configured = 2,                // spawned by the parent's StartSequence
    gone = 4,                      // removed from the parent's list
    of_failed_attempt = 8,         // spawned by an incarnation whose creation failed
    from_node = 16,                // built from a node of the configuration
    routee = 32,                   // of its parent, if that is a router
    helper = 64                    // a part of its parent, whose code does not see it
  };
  std::uint8_t child_flags = 0;
  ChildList* children = nullptr;  // null until the first child; used by this actor's turns only
  std::uint32_t parent = none;    // the parent's cell; set once per tenancy
  std::uint32_t next_sibling = none, previous_sibling = none;  // used by the parent's turns only
  base::Atomic<std::int32_t> capacity_left{
      0};                        // number of messages that may still be pushed, if limited
  CellName name;                 // none: the root
  CellExtras* extras = nullptr;  // owned
  ChildStats* stats = nullptr;   // owned by the parent

  // ---- line 1: the worker that runs it ----
  SystemQueue system;
  Props* props = nullptr;    // counted
  void* instance = nullptr;  // before creation, if there are arguments: the block to build it in
  MailboxOwner inbox;
  const ReceiveTable* receive = nullptr;
  [[no_unique_address]] Lifecycle life;  // its last two bytes hold the next two members
  enum OwnerFlag : std::uint8_t {
    post_stop_done = 1,
    was_started = 2,
    subtree_started_once = 4,
    subscribed = 8,
    has_own_mailbox = 16,  // bounded, or with an order of its own; see next_message()
    is_overloaded = 32,    // has fetched too many messages at once (activation.cpp)
    is_known_up = 64,      // the system has been told that this configured actor is up
    has_usage = 128        // is counted in the usage of its plugin
  };
  std::uint8_t owner_flags = 0;
  StopReason stop_reason : 7 {};  // set when the actor stops
  bool is_counted : 1 = false;    // has a row in ActorCounts
  std::uint32_t parent_generation = 0;

  /// True if the last tenant has released everything, as it must before the cell gets another one.
  bool is_vacant() const noexcept {
    const auto bits = [](const auto* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); };
    const std::uintptr_t left =
        bits(children) | bits(extras) | bits(stats) | bits(props) | bits(instance);
    return left == 0 && mailbox.is_closed() && system.is_closed();
  }
  bool has(OwnerFlag flag) const noexcept { return (owner_flags & flag) != 0; }
  bool has(ChildFlag flag) const noexcept { return (child_flags & flag) != 0; }
};
static_assert(sizeof(Cell) == 128, "two cache lines; core/ARCHITECTURE.md, memory");

}  // namespace actord::actor
