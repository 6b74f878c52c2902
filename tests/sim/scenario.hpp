// SPDX-License-Identifier: Apache-2.0
//
// The meaning of a swarm seed, as data: a tree of actors, the strategy of each, the operations in
// their order, and where actors fail. It is data so that it can be shrunk; swarm_run.hpp runs it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "actor/overflow.hpp"
#include "base/random.hpp"

namespace actord::sim {

/// What an actor does on a message, or what is done to it from outside.
enum class Deed : std::uint8_t {
  // done by the actor when it receives an Act
  rest,
  tell,
  ask,
  ask_many,  // the actor's children
  answer,    // a question that was put off
  forward,
  broadcast,
  flood,  // more messages than leave at once
  spawn,
  spawn_same_name,
  stop_child,
  stop_self,
  stop_other,
  stop_gracefully,
  poison_other,
  kill_other,
  watch,
  watch_with,
  unwatch,
  become_busy,  // stashes its messages
  become_deaf,  // does not handle Terminated
  unbecome,
  unstash,
  timer_once,
  timer_often,
  timer_cancel,
  receive_timeout,
  receive_timeout_off,
  publish,
  subscribe,
  unsubscribe,
  fail,    // throws
  report,  // fails without throwing
  // from outside
  stop,
  poison,
  kill,
  reconfigure,
  advance,
  shut_down
};
inline constexpr std::size_t deeds = static_cast<std::size_t>(Deed::shut_down) + 1;
inline constexpr std::size_t deeds_of_actors = static_cast<std::size_t>(Deed::report) + 1;
std::string_view name_of(Deed deed);

/// Where an actor may fail by itself.
enum class Spot : std::uint8_t {
  constructor,
  pre_start,
  receive,
  pre_restart,
  post_restart,
  post_stop,
  decide,
  child_terminated,
  copy,
  tick,
  reply,
  log_failure
};
inline constexpr std::size_t spots = static_cast<std::size_t>(Spot::log_failure) + 1;
std::string_view name_of(Spot spot);

/// What happens at a spot: a failure of some kind, or an actor that is stopped just then.
enum class Mishap : std::uint8_t {
  hard,
  soft,
  odd,
  foreign,
  report,
  stop_self,
  kill_self,
  stop_up
};
inline constexpr std::size_t mishaps = static_cast<std::size_t>(Mishap::stop_up) + 1;

/// A type that a rule may name; in a family the derived types come first.
enum class Cause : std::uint8_t {
  hard,  // is a flaw
  soft,  // is a flaw
  flaw,
  odd,
  foreign,
  post_restart,  // is an initialization failure
  initialization,
  killed,
  death_pact
};
inline constexpr std::size_t causes = static_cast<std::size_t>(Cause::death_pact) + 1;
/// The name as the core prints it.
std::string_view type_name(Cause cause);

enum class Judgement : std::uint8_t { undecided, resume, restart, stop, escalate };

struct StrategyPlan {
  struct Rule {
    Cause cause;
    Judgement judgement;
  };
  bool is_all_for_one = false;
  std::int64_t max_restarts = -1;
  std::int64_t within_ns = -1;
  std::vector<Rule> rules;
  Judgement otherwise = Judgement::undecided;  // undecided: the default decider
  std::int64_t backoff_min_ns = 0;             // 0: none
  std::int64_t backoff_max_ns = 0;
  double backoff_random = 0;
  std::int64_t backoff_capacity = 1'000;
  bool decides_in_code = false;  // decide() itself answers at times, before the rules
};

struct ActorPlan {
  std::int32_t parent = -1;  // index of an earlier one; -1: /user
  std::uint16_t strategy = 0;
  std::uint16_t capacity = 0;   // of the mailbox; 0: unbounded
  bool keeps_children = false;  // pre_restart is overridden and stops no children
  bool is_named = false;
  bool is_blocking = false;  // runs on blocking-io; not at the top of the tree
  actor::Overflow overflow = actor::Overflow::drop_new;  // of a bounded mailbox
  bool is_ordered = false;  // its mailbox is kept sorted, with all types in one rank

  /// How many messages may lie in its mailbox at most; 0: any number.
  std::uint32_t bound() const noexcept {
    return overflow == actor::Overflow::drop_new ? capacity : std::uint32_t{2} * capacity;
  }
};

struct Operation {
  Deed deed = Deed::rest;
  std::uint16_t steps = 0;  // of the scheduler, afterwards
  std::uint64_t whom = 0;   // chooses an actor: Witness::chosen_actor()
  std::uint32_t detail = 0;
};

struct Fault {
  std::uint16_t chance = 0;  // of 256; 0: never
  std::uint8_t first = 0;    // this many first visits, by any actor, surely fail
};

enum class Guardian : std::uint8_t { restarting, by_default, stopping };

struct Scenario {
  std::uint64_t seed = 1;
  std::vector<StrategyPlan> strategies;  // at least one
  std::vector<ActorPlan> actors;
  std::vector<Operation> operations;
  std::array<Fault, spots> faults{};
  Guardian guardian = Guardian::restarting;
  // The schedule.
  unsigned workers = 2;
  std::uint32_t slice_max = 4;
  bool by_priority = false;
  unsigned priority_changes = 0;
};

/// The scenario of a seed. The seed also decides which deeds, faults and sizes occur, and how
/// often.
Scenario scenario_of(std::uint64_t seed);

/// Readable text: a line for each actor, fault and operation.
std::string text_of(const Scenario& scenario);

/// Mixes numbers into one that looks random, and that does not depend on removed items.
inline std::uint64_t mixed(std::uint64_t a, std::uint64_t b, std::uint64_t c = 0) {
  return base::Random(a * 0x9e3779b97f4a7c15u + b * 0xc2b2ae3d27d4eb4fu + c * 0x165667b19e3779f9u)
      .next();
}

}  // namespace actord::sim
