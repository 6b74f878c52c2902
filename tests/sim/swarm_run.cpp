// SPDX-License-Identifier: Apache-2.0
#include "sim/swarm_run.hpp"

#include "sim/scan.hpp"
#include "sim/swarm_actor.hpp"
#include "sim/swarm_config.hpp"

namespace actord::sim {

namespace {

constexpr std::uint64_t steps_between_scans = 256;
constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t calm_at_most_ns = 60'000 * ms;

using Pick = sched::Simulator::Pick;

actor::NodeSpec guardian_of(const Scenario& scenario) {
  actor::NodeSpec spec;
  if (scenario.guardian == Guardian::stopping) spec.options.strategy = actor::stopping_strategy();
  else spec.options.strategy = actor::default_strategy();
  if (scenario.guardian == Guardian::restarting) {
    spec.options.strategy->rules = {
        {"actord::ForeignException", actor::Directive::stop, -1, {}},
        {"actord::InitializationFailure", actor::Directive::stop, -1, {}},
        {"actord::Killed", actor::Directive::stop, -1, {}},
        {"actord::DeathPact", actor::Directive::stop, -1, {}}};
    spec.options.strategy->otherwise = actor::Strategy::Otherwise::restart;
  }
  spec.options.strategy->is_logging = false;
  return spec;
}

class SwarmRun {
 public:
  SwarmRun(const Scenario& scenario, const RunOptions& options, Choices* choices, Pick pick)
      : scenario_(scenario),
        user_(guardian_of(scenario)),
        choices_(choices),
        witness_(scenario, options),
        world_({.seed = mixed(scenario.seed, 2),
                .workers = scenario.workers,
                .slice_max = scenario.slice_max,
                .pick = pick,
                .priority_changes = scenario.priority_changes,
                .choices = choices},
               swarm_plugin()) {
    witness_.world = &world_;
  }

  Outcome run() {
    world_.start(user_);
    plant();
    for (const Operation& operation : scenario_.operations) {
      if (!witness_.findings.empty() || world_.has_stopped()) break;
      operate(operation);
      for (std::uint16_t i = 0; i < operation.steps && step(); ++i) {}
    }
    calm();
    if (!world_.has_stopped() && witness_.findings.empty()) check_settled();
    shut_down();
    if (witness_.findings.empty()) check_stopped();
    return {witness_.findings.first(), 1, witness_.events(), witness_.trace_hash()};
  }

 private:
  bool step() {
    if (!witness_.findings.empty() || !world_.step()) return false;
    if (++steps_ % steps_between_scans == 0) scan();
    return witness_.findings.empty();
  }
  void run_until_idle() {
    while (step()) {}
  }

  void scan() {
    scan_running(world_, witness_.findings);
    for (Id id = 1; id < witness_.next(); ++id) witness_.mail.check_bounds(id);
  }

  void plant() {
    for (std::uint32_t plan = 0; plan < scenario_.actors.size(); ++plan) {
      if (scenario_.actors[plan].parent >= 0) continue;
      const std::uint64_t name = scenario_.actors[plan].is_named ? plan + 1 : 0;
      const Id id = witness_.announce(0, plan, name, true);
      const auto request = world_.request<SwarmActor>(
          name == 0 ? std::string{} : "n" + std::to_string(name), &witness_, id);
      while (!request->is_answered && step()) {}
      witness_.saw("spawn", 0, id);
      witness_.arrive(id, request->ref);
    }
  }

  void operate(const Operation& operation) {
    const Id whom = witness_.chosen_actor(operation.whom);
    const actor::Ref ref = witness_.ref_of(whom);
    if (choices_ != nullptr) choices_->targets.push_back(whom);
    witness_.saw(name_of(operation.deed), 0, whom);
    switch (operation.deed) {
      case Deed::stop: witness_.model.stop(whom, 0); return world_.stop(ref);
      case Deed::poison: witness_.model.may_stop(whom); return world_.tell(ref, PoisonPill{});
      case Deed::kill: witness_.model.may_fail(whom); return world_.tell(ref, Kill{});
      case Deed::reconfigure: return reconfigure(operation.detail);
      case Deed::advance: return advance(static_cast<std::int64_t>(operation.detail % 40) * ms);
      case Deed::shut_down: return terminate();
      default: break;
    }
    if (whom == 0) return;
    const std::uint32_t number = witness_.mail.sent(0, whom);
    world_.tell(ref, Act{Parcel{witness_, number}, static_cast<std::uint32_t>(operation.deed),
                         operation.detail, 3});
  }

  // Settles which actors are told, must go and must come before any actor is told.
  void reconfigure(std::uint32_t detail) {
    const std::vector<bool> there = present(witness_);
    ConfigPlan plan = config_of(scenario_, detail, witness_.configs.next());
    ConfigCheck::Config& config = witness_.configs.begin(std::move(plan), there);
    world_.reconfigure(snapshot_spec_of(witness_, config, user_), [this, &config] {
      witness_.saw("reconfigured", 0, config.number);
      witness_.configs.ended(config);
    });
  }

  // Advances by single steps, so that scans run and a violation ends the wait.
  void advance(std::int64_t ns) {
    const std::int64_t until = world_.now_ns() + ns;
    run_until_idle();
    while (witness_.findings.empty()) {
      const std::int64_t due = world_.simulator().timers().earliest_due();
      if (due > until) break;
      world_.simulator().skip_to(due);
      run_until_idle();
    }
    world_.simulator().skip_to(until);
  }

  void terminate() {
    witness_.model.end_all();
    world_.system().terminate();
  }

  // From here on nothing fails: whatever is under way must come to rest.
  void calm() {
    witness_.is_calm = true;
    const std::int64_t until = world_.now_ns() + calm_at_most_ns;
    while (witness_.findings.empty()) {
      run_until_idle();
      const std::int64_t due = world_.simulator().timers().earliest_due();
      if (due == sched::TimerWheel::never) return;
      if (due > until) return witness_.findings.add(10, "no rest within a minute");
      world_.simulator().skip_to(due);
    }
  }

  void check_settled() {
    if (world_.system().is_terminating() || witness_.model.is_ending())
      return witness_.findings.add(36, "the system goes down and does not stop");
    scan_settled(world_, witness_.findings);
    scan_configured(witness_);
    witness_.configs.check_ended();
    for (Id id = 1; id < witness_.next(); ++id) {
      const bool is_alive = world_.is_alive(witness_.ref_of(id));
      witness_.model.check_settled(id, is_alive);
      if (!is_alive) continue;
      witness_.watches.check_settled(id);
      if (witness_.mail.waiting(id) != 0)
        witness_.findings.add(3, "mail waits for actor " + std::to_string(id) + " for ever");
      if (const SwarmActor* const a = witness_.instances[id]; a->incarnation().open_asks() != 0)
        witness_.findings.add(31, "actor " + std::to_string(id) + " waits for an answer for ever");
      world_.tell(witness_.ref_of(id), Ping{});
    }
    run_until_idle();
    for (Id id = 1; id < witness_.next() && witness_.findings.empty(); ++id) {
      if (world_.is_alive(witness_.ref_of(id)) && !witness_.has_answered[id])
        witness_.findings.add(6, "actor " + std::to_string(id) + " lives and does not answer");
    }
  }

  void shut_down() {
    if (!world_.has_stopped()) terminate();
    if (!world_.run_until_stopped()) witness_.findings.add(36, "the system does not stop");
  }

  void check_stopped() {
    witness_.configs.check_ended();
    for (Id id = 1; id < witness_.next(); ++id) witness_.model.check_settled(id, false);
    scan_stopped(world_, witness_.findings);
    witness_.mail.check_end();
    if (witness_.payloads != 0)
      witness_.findings.add(20, std::to_string(witness_.payloads) + " payloads are not destroyed");
  }

  const Scenario& scenario_;
  const actor::NodeSpec user_;
  Choices* const choices_;
  Witness witness_;
  SimWorld world_;
  std::uint64_t steps_ = 0;
};

}  // namespace

Outcome run_scenario(const Scenario& scenario, const RunOptions& options, Choices* choices,
                     const Pick* pick) {
  const Pick by_seed = scenario.by_priority ? Pick::priority : Pick::worker;
  return SwarmRun(scenario, options, choices, pick != nullptr ? *pick : by_seed).run();
}

}  // namespace actord::sim
