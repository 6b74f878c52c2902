// SPDX-License-Identifier: Apache-2.0
//
// The meaning of a seed of the profile `companions`, as data: a tree of actors that use every
// companion of the actor, what is done to them, and where they fail. It is data so that it can be
// shrunk; companion_run.hpp runs it.
#pragma once

#include <actord/actord.hpp>

#include <actord/router_options.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "actor/overflow.hpp"

namespace actord::sim::companions {

/// What a member of the tree is.
enum class Role : std::uint8_t {
  plain,    // asks, pipes, retries, has a breaker, stashes …
  pool,     // a router whose routees are plain
  group,    // a router in front of other members
  machine,  // a state machine
  ledger    // a persistent actor that delivers at least once, behind a back-off supervisor
};
inline constexpr std::size_t roles = static_cast<std::size_t>(Role::ledger) + 1;
ACTORD_ENUM(Role, plain, pool, group, machine, ledger)

/// Where an actor may fail by itself.
enum class Spot : std::uint8_t {
  constructor,
  pre_start,
  handler,      // before it does anything
  handler_end,  // when all is done
  reply,        // the answer to an ask has come
  pre_restart,
  post_restart,
  post_stop,
  child_terminated,
  decide,
  tick,
  work,           // of a pipe
  is_worthwhile,  // the predicate of a retry
  observer,       // of a breaker
  key,            // of a router
  transition,
  termination,
  continuation,  // of persist
  deferred,
  apply_first,  // before the state has changed
  apply_last,   // after it has
  replay,
  recovered,
  make,  // the message of a delivery
  unconfirmed,
  confirmed,
  rejected,
  task  // of the shutdown
};
inline constexpr std::size_t spots = static_cast<std::size_t>(Spot::task) + 1;
ACTORD_ENUM(Spot, constructor, pre_start, handler, handler_end, reply, pre_restart, post_restart,
            post_stop, child_terminated, decide, tick, work, is_worthwhile, observer, key,
            transition, termination, continuation, deferred, apply_first, apply_last, replay,
            recovered, make, unconfirmed, confirmed, rejected, task)

/// What an actor does on a Work. An actor of another role takes it as `rest`.
enum class Task : std::uint8_t {
  rest,
  tell,
  forward,
  stash,
  unstash,
  ask,
  look,  // at its children
  watch,
  unwatch,
  shutdown_task,
  stop_on_shutdown,
  // of plain actors
  retry_ask,
  pipe,
  retry_pipe,
  breaker_ask,
  breaker_call,
  ask_routees,
  subscribe,
  spawn,
  stop_child,
  timer,
  stop_self,
  // of machines
  go,
  go_for_a_while,
  end,
  // of ledgers
  enter,
  enter_async,
  enter_several,
  enter_and_fail,
  enter_and_forward,
  enter_and_stash,
  enter_and_ask,
  enter_in_turn,  // another one in what follows the first
  defer,
  enter_and_defer,
  reject,
  snapshot,
  remove,
  send,
  send_several
};
inline constexpr std::size_t tasks = static_cast<std::size_t>(Task::send_several) + 1;
ACTORD_ENUM(Task, rest, tell, forward, stash, unstash, ask, look, watch, unwatch, shutdown_task,
            stop_on_shutdown, retry_ask, pipe, retry_pipe, breaker_ask, breaker_call, ask_routees,
            subscribe, spawn, stop_child, timer, stop_self, go, go_for_a_while, end, enter,
            enter_async, enter_several, enter_and_fail, enter_and_forward, enter_and_stash,
            enter_and_ask, enter_in_turn, defer, enter_and_defer, reject, snapshot, remove, send,
            send_several)

/// What is done from outside.
enum class Deed : std::uint8_t {
  work,
  broadcast,
  stop,
  poison,
  kill,
  restart,  // as by an operator
  adjust_pool,
  add_routee,
  remove_routee,
  pause_journal,  // or let it go on
  drop_journal,   // all that a ledger has stored
  advance
};
inline constexpr std::size_t deeds = static_cast<std::size_t>(Deed::advance) + 1;
ACTORD_ENUM(Deed, work, broadcast, stop, poison, kill, restart, adjust_pool, add_routee,
            remove_routee, pause_journal, drop_journal, advance)

struct StrategyPlan {
  bool is_all_for_one = false;
  Directive otherwise = Directive::restart;
  std::int64_t max_restarts = -1;
  bool backs_off = false;
};

struct Member {
  Role role = Role::plain;
  std::int32_t parent = -1;     // index of an earlier, plain one; the first has none
  std::uint16_t strategy = 0;   // for its children
  bool keeps_children = false;  // in a restart
  bool respawns = false;        // a child that has ended
  // The mailbox; of a pool that of the routees, of a ledger not that of its supervisor.
  std::uint16_t capacity = 0;  // 0: unbounded
  actor::Overflow overflow = actor::Overflow::drop_new;
  bool is_ordered = false;
  std::uint8_t attempts = 0;  // a message on which it fails comes again, and then is parked
  // A router.
  RouterOptions::Logic logic = RouterOptions::Logic::round_robin;
  std::uint8_t size = 1;
  std::uint8_t credits = 1;
  bool resizes = false;
  bool escalates = false;  // the failures of routees
  bool is_tight = false;   // the routees have room for their credits, and get nothing else
  std::vector<std::uint32_t> group;
  // A ledger.
  std::uint8_t unconfirmed_max = 0;  // 0: as by default
};

struct Operation {
  Deed deed = Deed::work;
  Task task = Task::rest;
  std::uint16_t steps = 0;  // of the scheduler, afterwards
  std::uint32_t whom = 0;   // chooses a member
  std::uint32_t detail = 0;
};

struct Scenario {
  std::uint64_t seed = 1;
  std::vector<StrategyPlan> strategies;
  std::vector<Member> members;
  std::vector<Operation> operations;
  std::vector<Task> tasks;                    // what an actor may tell others to do
  std::array<std::uint16_t, spots> faults{};  // of each spot, how many visits of 256 fail
  std::uint16_t store_faults = 0;             // one call of so many; 0: none
  std::uint16_t snapshot_every = 0;
  bool ends_busy = false;  // the shutdown comes amidst all that, and not when there is rest
  unsigned workers = 2;
  std::uint32_t slice_max = 4;

  /// "/user/m0/m3"
  std::string path_of(std::size_t member) const;
  /// The path of the actor itself, behind its supervisor.
  std::string ledger_path(std::size_t member) const { return path_of(member) + "/ledger"; }
  /// Whether one message to the member may become several.
  bool multiplies(std::size_t member) const;
  /// Whether no actor waits for anything but time itself: no back-off, no full mailbox of another.
  bool is_prompt() const;
};

/// As the enum has it.
const char* name_of(Task task);
const char* name_of(Deed deed);
const char* name_of(Spot spot);

/// The scenario of a seed. The seed also decides which roles, tasks and faults occur at all.
Scenario scenario_of(std::uint64_t seed);

/// Readable text: a line for each member, fault and operation.
std::string text_of(const Scenario& scenario);

}  // namespace actord::sim::companions
