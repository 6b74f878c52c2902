// SPDX-License-Identifier: Apache-2.0
//
// What all actors of a swarm share: the scenario, and the model and checkers that receive what the
// actors see. One per run, single-threaded.
#pragma once

#include <actord/words.hpp>

#include <array>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "actor/ref.hpp"
#include "actor/strategy.hpp"
#include "sim/checks.hpp"
#include "sim/model.hpp"
#include "sim/profile.hpp"
#include "sim/reconfiguration_check.hpp"
#include "sim/scenario.hpp"
#include "sim/sim_world.hpp"

namespace actord::sim {

class SwarmActor;
class Witness;

/// The constructor arguments of a configured actor.
using NodeArgs = std::tuple<Witness*, const NodePlan*>;

/// The sender of a question that was not answered in its handler, and what the answer must carry.
struct Unanswered {
  actor::Ref to;
  std::uint32_t asker, incarnation, number;
};

class Witness {
 public:
  Witness(const Scenario& scenario, const RunOptions& options);

  const Scenario& scenario;
  Findings findings;
  Model model;
  MailCheck mail;
  WatchCheck watches;
  ConfigCheck configs;
  std::vector<actor::Strategy> strategies;  // the scenario's, as the core wants them
  SimWorld* world = nullptr;
  bool is_calm = false;                // no failures, nothing new: living actors must come to rest
  std::vector<bool> has_answered;      // by actor: whether to the last ping
  std::vector<SwarmActor*> instances;  // by actor: the living one
  std::vector<std::uint32_t> constructions;  // by actor
  std::vector<Unanswered> unanswered;
  std::int64_t payloads = 0;  // constructed and not destroyed

  // ---- what is seen ----
  void saw(std::string_view what, Id who, std::uint64_t detail = 0);
  std::uint64_t events() const noexcept { return events_; }
  std::uint64_t trace_hash() const noexcept { return hash_; }

  // ---- actors and their numbers ----
  /// The number that the next actor gets.
  Id next() const { return static_cast<Id>(model.size()); }
  /// Numbers a child of `parent` that code has spawned as `ref`; gives it its strategy and mailbox.
  Id born(Id parent, std::uint32_t plan, std::uint64_t name, actor::Ref ref, bool is_planned);
  /// The two halves of born(), for a child that comes later. `ref` is `actor::nobody` if it cannot
  /// come.
  Id announce(Id parent, std::uint32_t plan, std::uint64_t name, bool is_planned);
  void arrive(Id who, actor::Ref ref);
  actor::Ref ref_of(Id who) const { return who == 0 ? actor::nobody : refs_[who]; }
  /// The actor's number. A configured actor gets its number when it is first asked for.
  Id id_of(actor::Ref ref);
  /// An instance of a configured actor, perhaps of a new one, is built from `node`.
  Id begins_from(actor::Ref ref, const NodePlan& node);
  /// The node that `who` must be built from; null if code spawned it.
  const NodePlan* node_of(Id who) const;
  const ActorPlan& plan_of(Id who) const { return scenario.actors[plans_[who]]; }
  std::uint32_t plan_number(Id who) const { return plans_[who]; }
  /// Whether `who` is in the scenario's tree; only such actors start the children of that tree.
  bool is_planned(Id who) const { return are_planned_[who]; }
  const std::vector<std::uint32_t>& planned_children(std::uint32_t plan) const {
    return planned_children_[plan];
  }
  /// All children in the cell of `who`, in their order, including those that are stopping.
  std::vector<Id> children_of(Id who);
  /// The index of the strategy that `who` applies now.
  std::uint16_t strategy_of(Id who) const;
  /// Chooses an actor by `number`, mostly a living one. Returns 0 if there is no actor yet.
  Id chosen_actor(std::uint64_t number) const;
  bool may_spawn() const { return model.size() < 400; }

  // ---- random numbers that depend only on the actor ----
  /// Whether a mishap strikes the actor at this spot now, and which.
  std::optional<Mishap> strikes(Spot spot, Id who);
  std::uint64_t chance(Id who) { return mixed(scenario.seed, who, ++counts_[who]); }
  bool may_act() { return !is_calm && ++acts_ <= acts_max; }

  Id copy_target = 0;  // the receiver of the forward under way

 private:
  struct Newborn {
    Id parent;
    std::uint32_t plan;
    std::uint64_t name;
    std::uint32_t capacity;
    const NodePlan* node;
    bool is_planned;
  };
  static constexpr std::uint64_t acts_max = 1'500, mishaps_max = 100;

  const RunOptions& options_;
  Id add(const Newborn& newborn);
  void meet(Id who, actor::Ref ref);
  Id meet_configured(actor::Ref ref);

  std::array<std::uint8_t, spots> visits_{};  // so far, up to Fault::first
  std::uint64_t events_ = 0, hash_ = 0xcbf29ce484222325u, acts_ = 0, mishaps_ = 0;
  std::vector<actor::Ref> refs_;
  std::vector<std::uint32_t> plans_;
  std::vector<bool> are_planned_;
  std::vector<std::vector<std::uint32_t>> planned_children_;
  std::vector<std::uint32_t> counts_;
  std::vector<Id> by_cell_;  // the newest tenant of each cell
  std::vector<Id> former_;   // by actor: its cell's tenant before it
};

}  // namespace actord::sim
