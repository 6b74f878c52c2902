// SPDX-License-Identifier: Apache-2.0
//
// The lifecycle of supervised actors once more, sequential and small, as an oracle. It receives
// what the actors see and says whether that may happen now. It is written from the specification
// (supervision.md), not from the core.
//
// Not here: messages and their order, watches, timers (checks.hpp) and the contents of cells
// (scan.hpp).
//
// The model knows only what hooks see. It does not see an obeyed Kill, a DeathPact or the verdict
// of a guardian. Where one of these could explain an event, the model accepts the event.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/scenario.hpp"
#include "sim/sim_findings.hpp"

namespace actord::sim {

/// An actor's number in the order of creation, from 1. 0: no actor, or the guardian.
using Id = std::uint32_t;

/// A failure as supervisors see it: the cause, and the type that wraps it.
struct ObservedFailure {
  enum class Wrapped : std::uint8_t { no, initialization, post_restart };
  Cause cause = Cause::flaw;
  Wrapped wrapped = Wrapped::no;
  bool operator==(const ObservedFailure&) const = default;
};

/// supervision.md, section 0: may the child be restarted once more? Charges its budget.
struct RestartCount {
  std::int64_t count = 0;
  std::int64_t window_start_ns = 0;
  bool charge(const StrategyPlan& strategy, std::int64_t now_ns);
};

/// What the rules of `strategy` decide, the most derived type first; includes its default decider.
Judgement judgement_of(const StrategyPlan& strategy, const ObservedFailure& failure);
/// The default decider of supervision.md, section 0.
Judgement default_judgement(const ObservedFailure& failure);

class Model {
 public:
  enum class Stage : std::uint8_t {
    unborn,
    constructing,
    constructed,
    starting,         // in pre_start
    creation_failed,  // no instance; the verdict, or its effect, is awaited
    running,          // healthy or failed
    restarting,       // pre_restart has begun; until the next constructor
    reconstructing,
    reconstructed,
    in_post_restart,
    restart_failed,  // no instance; as above
    stopping,        // in post_stop
    stopped
  };

  static constexpr std::uint16_t no_strategy = UINT16_MAX;  // none is given

  struct Life {
    Id parent = 0;
    std::uint16_t strategy = no_strategy;
    std::uint64_t name = 0;  // 0: the system chose one
    Stage stage = Stage::unborn;
    bool has_instance = false;
    bool is_failed = false;
    bool is_stop_due = false;  // it must stop in the end
    // by a message in its system queue: no user message begins any more
    bool is_stop_ordered = false;
    bool is_awaited = false;     // its parent stops it, and waits for its end
    bool may_stop = false;       // something that no hook sees can stop it
    bool may_be_failed = false;  // resumed, but may not have handled that yet
    bool is_prone = false;       // to failures that no hook sees: a Kill, a DeathPact
    bool is_gone = false;        // its parent has handled its end
    std::uint32_t incarnation = 0;
    std::uint32_t born_in = 0;              // the parent's incarnation at its birth
    std::vector<ObservedFailure> unjudged;  // failures reported and not judged, in order
    std::uint32_t escalated = 0;            // those of them that its supervisor has escalated
    std::vector<std::int64_t> due;    // restarts decided and not begun: the earliest time of each
    std::uint32_t maybe_due = 0;      // restarts for a failure that may not have counted
    std::int64_t not_before_ns = 0;   // of the restart that has begun; 0: at once
    std::int64_t alive_since_ns = 0;  // of an incarnation that began after a delay
    std::int64_t delays = 0;          // delayed restarts in a row
    Id perpetrator = 0;
    RestartCount restarts;
    std::vector<Id> children;

    bool is_running() const noexcept { return stage == Stage::running; }
    /// The verdict on its supervisor's failure is also that on each failure that was escalated.
    bool judge_escalated() noexcept {
      if (escalated == 0) return false;
      const auto judged = std::min<std::size_t>(unjudged.size(), std::exchange(escalated, 0));
      unjudged.erase(unjudged.begin(), unjudged.begin() + static_cast<std::ptrdiff_t>(judged));
      return true;
    }
    void judge(const ObservedFailure& failure) {
      auto judged = std::ranges::find(unjudged, failure);
      if (judged == unjudged.end()) judged = unjudged.begin();  // it was seen as another one
      if (judged != unjudged.end()) unjudged.erase(judged);
    }
    /// Waits for the delay of a back-off, or will.
    bool is_delayed() const noexcept;
  };

  Model(const Scenario& scenario, Findings& findings) : scenario_(scenario), findings_(findings) {
    lives_.reserve(scenario.actors.size() * 2 + 16);
    lives_.emplace_back();  // the guardian
  }

  const Life& at(Id id) const { return lives_[id]; }
  std::size_t size() const noexcept { return lives_.size(); }
  bool is_ending() const noexcept { return is_ending_; }
  /// Nothing of the actor is left, and nothing of it can come.
  bool is_finished(Id id) const;

  // ---- what is seen, in its order ----
  Id spawned(Id parent, std::uint16_t strategy, std::uint64_t name);
  /// An announced actor that cannot be created, because the system shuts down.
  void never_came(Id who) { lives_[who].stage = Stage::stopped; }
  /// The system says that the name is taken.
  void refused(Id parent, std::uint64_t name);
  void construct(Id who, std::int64_t now_ns);
  void constructed(Id who);
  void pre_start(Id who);
  void started(Id who);
  void message(Id who);
  /// `is_certain`: false if the failure counts only while the actor is not stopping.
  void failed(Id who, Cause cause, bool is_certain = true);
  /// The behaviour's decide() is called, and returns. `code`: the directive of its code; if
  /// undecided, the rules decide. `siblings`: all children of the supervisor, in their order.
  void deciding(Id supervisor, Id child, const ObservedFailure& failure);
  void decided(Id supervisor, Id child, const ObservedFailure& failure, Judgement code,
               std::span<const Id> siblings, std::int64_t now_ns);
  void decide_failed(Id supervisor, Id child, Cause cause);
  /// The verdict that log_failure() receives. Escalations are not reported.
  void verdict_reported(Id supervisor, Id child, Judgement verdict);
  void pre_restart(Id who);
  /// `stops_children`: the default hook ran, or the hook failed.
  void pre_restarted(Id who, bool stops_children);
  void post_restart(Id who);
  void restarted(Id who);
  void post_stop(Id who);
  void post_stopped(Id who);
  void destroyed(Id who);
  void child_terminated(Id parent, Id child);

  // ---- what is done to it ----
  void stop(Id who, Id by);
  /// A PoisonPill is under way.
  void may_stop(Id who);
  /// A Kill is under way, or the actor does not handle Terminated.
  void may_fail(Id who);
  /// The actor is no longer configured, and its parent has not handled that yet.
  void unwanted(Id who) { stop_later(who); }
  /// The actor's config has changed, and this is the only cause of the restart that begins.
  void reconfigured(Id who);
  /// Judges its children by `strategy` from now on.
  void judges_by(Id who, std::uint16_t strategy) { lives_[who].strategy = strategy; }
  void end_all();

  /// Everything has come to rest: a living actor runs, a dead one is finished.
  void check_settled(Id who, bool is_alive);

 private:
  void fail(Id who, const ObservedFailure& failure, bool is_certain = true);
  void reported(Id child, const ObservedFailure& failure);
  Judgement guardian_judgement(const ObservedFailure& failure) const;
  const StrategyPlan& strategy_of(Id supervisor) const;
  void restart(Id supervisor, Id child, std::span<const Id> siblings, std::int64_t now_ns);
  void resume(Id who);
  void make_due(Id who, std::int64_t not_before_ns = 0);
  void begin_due(Id who);
  void stop_later(Id who);
  void stop_children_later(const Life& life);
  void expect(bool is_enabled, int invariant, Id who, const char* what);

  const Scenario& scenario_;
  Findings& findings_;
  std::vector<Life> lives_;
  Judgement predicted_ = Judgement::undecided;
  Id judged_ = 0;
  bool is_ending_ = false;
};

}  // namespace actord::sim
