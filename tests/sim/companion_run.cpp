// SPDX-License-Identifier: Apache-2.0
#include "sim/companion_run.hpp"

#include <algorithm>
#include <vector>

#include "actor/order.hpp"
#include "sim/companion_ledger.hpp"
#include "sim/scan.hpp"
#include "system/dead_letter_box.hpp"
#include "system/message_quarantine.hpp"

namespace actord::sim::companions {

namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::uint64_t steps_between_scans = 1024;
constexpr std::uint64_t steps_max = 300'000;
constexpr std::int64_t rest_at_most_ns = 3'000 * ms;  // of what goes on for ever, such as resizers
constexpr std::int64_t phases_at_most_ns = 60'000 * ms;

const actord_plugin& companions_plugin() {
  return *plugin_table<Behaviours<>, Messages<Work, Question, Answer, Tick, Later, Unstash, Audit,
                                              Parcel, Entered, Sent, Received, Loan, Marks>>(
      "companions", "1");
}

// The top of the tree comes back after any failure.
actor::NodeSpec guardian() {
  actor::NodeSpec user;
  user.options.strategy = actor::default_strategy();
  user.options.strategy->otherwise = actor::Strategy::Otherwise::restart;
  user.options.strategy->is_logging = false;
  return user;
}

actor::ActorOptions mailbox_of(const Member& member) {
  actor::ActorOptions options;
  if (member.capacity != 0) {
    options.mailbox_capacity = member.capacity;
    options.overflow = member.overflow;
    options.push_timeout_ns = 20 * ms;
  }
  if (member.is_ordered) options.priority = {"companions.Question/1", "companions.Work/1"};
  if (member.attempts != 0) options.attempts_max = member.attempts;
  return options;
}

std::vector<actor::Deployment> deployments_of(const Scenario& scenario) {
  std::vector<actor::Deployment> all;
  for (std::size_t i = 1; i < scenario.members.size(); ++i) {
    const Member& member = scenario.members[i];
    if (member.role == Role::group) continue;
    std::string pattern = scenario.path_of(i);
    if (member.role == Role::pool) pattern += "/*";
    if (member.role == Role::ledger) pattern = scenario.ledger_path(i);
    if (member.capacity != 0 || member.is_ordered || member.attempts != 0)
      all.push_back({std::move(pattern), mailbox_of(member)});
  }
  return all;
}

class Run {
 public:
  Run(const Scenario& scenario, const RunOptions& options)
      : scenario_(scenario),
        store_(std::make_shared<WatchedStore>(1 + scenario.seed % 2)),
        witness_(scenario, options, store_) {
    witness = &witness_;
    watch_store();
    base::Random random(mixed(scenario.seed, 91));
    world_ = std::make_unique<SimWorld>(
        SimWorld::Options{.seed = mixed(scenario.seed, 90),
                          .workers = scenario.workers,
                          .slice_max = scenario.slice_max,
                          .store = store_,
                          .journal = {.recovering_max = 1 + random.below(3),
                                      .snapshot_every = scenario.snapshot_every,
                                      .deletes_events = random.below(2) == 0,
                                      .group_events_max = 1 + random.below(8),
                                      .small_recovery_bytes = random.below(2) * 64},
                          .dead_letter_bytes = std::size_t{1} << 24},
        companions_plugin());
    witness_.world = world_.get();
  }
  ~Run() {
    world_.reset();  // before what its behaviours point to
    witness = nullptr;
  }

  Outcome run() {
    start();
    for (const Operation& operation : scenario_.operations) {
      if (!findings().empty()) break;
      operate(operation);
      for (std::uint16_t i = 0; i < operation.steps && step(); ++i) {}
    }
    if (is_paused_) pause_journal();
    if (!scenario_.ends_busy) rest();
    if (findings().empty()) shut_down();
    return witness_.trace.outcome(findings().first());
  }

 private:
  Findings& findings() { return witness_.findings; }

  // ---- the beginning ----
  void watch_store() {
    store_->fail_at([this](WatchedStore::Point point) { return fault_at(point); });
    store_->on_written([this](std::string_view id, std::uint32_t mark) { written(id, mark); });
    store_->on_snapshot([this](std::string_view id, std::uint64_t sequence) {
      witness_.snapshots.written(std::string{id}, sequence);
    });
  }
  std::optional<persist::StoreError> fault_at(WatchedStore::Point point) {
    using persist::Fault;
    if (witness_.is_calm || scenario_.store_faults == 0) return {};
    if (mixed(scenario_.seed, 92, ++store_calls_) % scenario_.store_faults != 0) return {};
    witness_.saw("store fails", static_cast<std::uint64_t>(point));
    const bool is_full = point == WatchedStore::Point::write && store_calls_ % 2 == 0;
    return persist::StoreError{is_full ? Fault::full : Fault::io, "an error"};
  }
  void written(std::string_view id, std::uint32_t mark) {
    witness_.saw("written", mark);
    if (std::ranges::count(store_->marks(id), mark) != 1)
      findings().add(44, "event " + std::to_string(mark) + " is stored twice");
    if (witness_.taken_back.contains(mark))
      findings().add(47, "event " + std::to_string(mark) + " of a handler that failed is stored");
  }
  void start() {
    system::SystemListener listener;
    listener.on_shutdown_phase = [this](const system::ShutdownPhase& phase, std::size_t) {
      const auto& phases = world_->system().shutdown_run().plan().phases();
      witness_.shutdown.phase_begins(static_cast<std::size_t>(&phase - phases.data()));
    };
    listener.on_shutdown_over = [this](const system::ShutdownOutcome&) {
      witness_.shutdown.are_over();
      are_phases_over_ = true;
    };
    listener.on_quarantined = [this](const system::QuarantinedMessagePtr& parked) {
      end(parked->message->id(), parked->message->content());
    };
    world_->start({.user = guardian(), .deployments = deployments_of(scenario_)},
                  std::move(listener));
    const auto request = world_->request<Companion>("m0", 0u, Place::planned);
    while (!request->is_answered && step()) {}
    witness_.refs[0] = Ref{request->ref};
  }

  // ---- steps ----
  bool step() {
    if (!findings().empty() || !world_->step()) return false;
    if (++steps_ > steps_max) findings().add(6, "the system does not come to rest");
    if (steps_ % steps_between_scans == 0 && !is_paused_) scan_running(*world_, findings());
    return findings().empty();
  }
  void run_until_idle() {
    while (step()) {}
  }
  // Until nothing is to come, or only what goes on for ever.
  template <class IsOver>
  void let_pass(std::int64_t ns, IsOver is_over) {
    const std::int64_t until = world_->now_ns() + ns;
    while (findings().empty()) {
      run_until_idle();
      const std::int64_t due = world_->simulator().timers().earliest_due();
      if (is_over() || due == sched::TimerWheel::never || due > until) return;
      world_->simulator().skip_to(due);
    }
  }
  void let_pass(std::int64_t ns) {
    let_pass(ns, [] { return false; });
  }

  // ---- operations ----
  void operate(const Operation& operation) {
    const Ref whom = witness_.ref_of(operation.whom);
    witness_.saw(name_of(operation.deed), operation.whom, operation.detail);
    const bool is_top = operation.whom == 0;
    const bool is_router = scenario_.members[operation.whom].role == Role::pool ||
                           scenario_.members[operation.whom].role == Role::group;
    switch (operation.deed) {
      case Deed::work: return send_work(operation);
      case Deed::broadcast: return broadcast(operation);
      case Deed::stop: return is_top ? void() : world_->stop(whom.value);
      case Deed::poison: return is_top ? void() : world_->tell(whom.value, PoisonPill{});
      case Deed::kill: return is_top ? void() : world_->tell(whom.value, Kill{});
      case Deed::restart: return restart(ledger_or(operation.whom));
      case Deed::adjust_pool:
        if (is_router)
          world_->tell(whom.value, AdjustPoolSize{static_cast<int>(operation.detail % 5) - 2});
        return;
      case Deed::add_routee: return change_routee<AddRoutee>(operation, is_router);
      case Deed::remove_routee: return change_routee<RemoveRoutee>(operation, is_router);
      case Deed::pause_journal: return pause_journal();
      case Deed::drop_journal: return drop_journal(operation.whom);
      case Deed::advance: return let_pass(static_cast<std::int64_t>(operation.detail % 30) * ms);
    }
  }
  void send_work(const Operation& operation) {
    Work work = work_for(operation.whom, operation.detail, 3);
    work.task = operation.task;
    world_->tell(witness_.ref_of(operation.whom).value, work);
  }
  // A ledger is behind a supervisor, whose restart costs it its child.
  actor::Ref ledger_or(std::size_t member) {
    if (scenario_.members[member].role != Role::ledger) return witness_.ref_of(member).value;
    return world_->system().find(scenario_.ledger_path(member));
  }
  void restart(actor::Ref whom) {
    using actor::Order;
    if (whom == actor::nobody) return;
    base::IntrusivePtr<Order> order(new Order(Order::Kind::restart, "by order", {}));
    world_->system().send_system(whom, actor::SystemMessage::order(std::move(order)));
  }
  void broadcast(const Operation& operation) {
    if (scenario_.members[operation.whom].is_tight) return;
    const auto routees = world_->system().routes.read(witness_.ref_of(operation.whom).value);
    for (const auto& each : routees) {
      Work work = work_for(operation.whom, operation.detail, 0);
      work.task = Task::rest;
      world_->tell(each.routee, work);
    }
  }
  template <class Order>
  void change_routee(const Operation& operation, bool is_router) {
    const std::size_t other = witness_.chosen(operation.detail);
    if (!is_router || scenario_.members[other].role != Role::plain) return;
    world_->tell(witness_.ref_of(operation.whom).value, Order{witness_.ref_of(other)});
  }
  // A medium that hangs.
  void pause_journal() {
    const actor::Ref journal = world_->system().find("/system/journal");
    if (journal == actor::nobody) return;
    is_paused_ = !is_paused_;
    world_->system().send_system(
        journal, is_paused_ ? actor::SystemMessage::suspend() : actor::SystemMessage::resume());
  }
  // The operator's tool refuses to while an actor has the id.
  void drop_journal(std::size_t member) {
    const std::string id = scenario_.ledger_path(member);
    if (scenario_.members[member].role != Role::ledger || is_paused_) return;
    if (const actor::Ref ledger = world_->system().find(id); ledger != actor::nobody)
      world_->stop(ledger);
    run_until_idle();
    if (world_->system().find(id) != actor::nobody || !store_->drop(id).ok()) return;
    for (Witness::Sending& each : witness_.parcels)
      if (each.from == id || each.to == id) each.is_void = true;
  }

  // ---- rest ----
  // Nothing fails any more: all that has been begun ends, and every living actor answers.
  void rest() {
    witness_.is_calm = true;
    let_pass(rest_at_most_ns);
    mend_torn();
    for (int round = 1; round <= 4; ++round) {
      tell_all();  // a small mailbox may lose it
      let_pass(100 * ms);
    }
    try_routers();
    let_pass(rest_at_most_ns);
    if (!findings().empty()) return;
    scan_settled(*world_, findings());
    check_routers();
    for (const auto& [number, who] : witness_.living) {
      if (!world_->is_alive(who->self)) continue;
      who->check_rest();
      if (witness_.audited[who->self] != round_)
        findings().add(6, who->name() + " does not answer, although nothing fails any more");
    }
    collect_dead_letters();
    witness_.fates.check("when there is rest");
    witness_.is_calm = scenario_.seed % 2 == 0;
  }
  // What apply() has thrown at is only stored, until the actor recovers.
  void mend_torn() {
    for (const auto& [number, who] : witness_.living)
      if (const auto* const ledger = dynamic_cast<const Ledger*>(who);
          ledger != nullptr && ledger->is_torn())
        restart(ledger->self);
    let_pass(rest_at_most_ns);
  }
  void tell_all() {
    ++round_;
    std::vector<actor::Ref> all;
    for (const auto& [number, who] : witness_.living) all.push_back(who->self);
    for (const actor::Ref each : all)
      if (world_->is_alive(each)) world_->tell(each, Unstash{});
    run_until_idle();
    for (const actor::Ref each : all)
      if (world_->is_alive(each)) world_->tell(each, Audit{round_});
  }
  template <class Visit>
  void visit_routers(Visit visit) {
    for (std::size_t i = 0; i < scenario_.members.size(); ++i) {
      const Role role = scenario_.members[i].role;
      const Ref router = witness_.ref_of(i);
      if ((role == Role::pool || role == Role::group) && router && world_->is_alive(router.value))
        visit(i, router);
    }
  }
  void try_routers() {
    visit_routers([&](std::size_t i, Ref router) {
      for (int n = 0; n < scenario_.members[i].size * scenario_.members[i].credits + 2; ++n) {
        Work work = work_for(i, static_cast<std::uint32_t>(n), 0);
        work.task = Task::rest;
        world_->tell(router.value, work);
      }
    });
  }
  void check_routers() {
    visit_routers([&](std::size_t i, Ref router) {
      for (const auto& each : world_->system().routes.read(router.value)) {
        if (each.unhandled != 0)
          findings().add(52, "router m" + std::to_string(i) + " takes a routee for busy");
        if (!world_->is_alive(each.routee))
          findings().add(52, "router m" + std::to_string(i) + " has a routee that has ended");
      }
    });
  }

  // ---- the end ----
  void shut_down() {
    world_->system().begin_shutdown("the end");
    let_pass(phases_at_most_ns, [this] { return are_phases_over_; });
    if (!findings().empty()) return;
    if (!are_phases_over_) return findings().add(54, "the phases of the shutdown do not end");
    collect_dead_letters();
    witness_.shutdown.check_over([this](actor::Ref who) { return world_->is_alive(who); });
    world_->system().terminate();
    let_pass(phases_at_most_ns, [this] { return world_->has_stopped(); });
    if (!world_->has_stopped()) return findings().add(36, "the system does not stop");
    if (!findings().empty()) return;
    scan_stopped(*world_, findings());
    if (!witness_.living.empty()) findings().add(11, "an instance is left");
    collect_dead_letters();
    witness_.fates.check("at the end");
  }

  // ---- what no handler has got ----
  void end(message::TypeId type, const void* content) {
    const auto& types = world_->system().types;
    if (type == types.find("companions.Work/1"))
      witness_.fates.died(static_cast<const Work*>(content)->number);
    if (type == types.find("companions.Question/1"))
      witness_.fates.died(static_cast<const Question*>(content)->number);
  }
  void collect_dead_letters() {
    for (const system::KeptLetterPtr& each : world_->system().dead_letter_box().all()) {
      if (each->number <= last_letter_) continue;
      last_letter_ = each->number;
      end(each->message.id(), each->message.content());
      check_dead_letter(*each);
    }
  }
  void check_dead_letter(const system::KeptLetter& letter) {
    // What actors of the author send, or what is sent to them.
    constexpr std::array known{"actord.SubscribeTransitions/1",
                               "actord.CurrentState/1",
                               "actord.Transition/1",
                               "actord.GetRoutees/1",
                               "actord.Routees/1",
                               "actord.AddRoutee/1",
                               "actord.RemoveRoutee/1",
                               "actord.AdjustPoolSize/1",
                               "actord.ShutdownTask/1",
                               "actord.ShutdownTaskDone/1",
                               "actord.Kill/1"};
    const std::string_view type = world_->system().types.name(letter.message.id());
    witness_.saw(type.data(), letter.number, static_cast<std::uint64_t>(letter.reason));
    if (type == "actord.ShutdownTask/1") {
      const auto& task = *static_cast<const ShutdownTask*>(letter.message.content());
      const auto& phases = world_->system().shutdown_run().plan().phases();
      const auto found = std::ranges::find(phases, task.phase, &system::ShutdownPhase::name);
      witness_.shutdown.ran(letter.recipient, static_cast<std::size_t>(found - phases.begin()),
                            task.name);
    }
    check_room(letter, type);
    if (type.starts_with("actord.") && std::ranges::find(known, type) == known.end())
      findings().add(51, std::string{type} + " is a dead letter of " + letter.recipient_path);
  }

  // What a router sends to its routees has room, if no other actor sends to them.
  void check_room(const system::KeptLetter& letter, std::string_view type) {
    const bool is_of_router = type == "companions.Work/1" || type == "companions.Question/1";
    if (letter.reason != actor::Undelivered::mailbox_full || !is_of_router) return;
    visit_routers([&](std::size_t i, Ref) {
      if (scenario_.members[i].is_tight &&
          letter.recipient_path.starts_with(scenario_.path_of(i) + '/'))
        findings().add(52,
                       "router m" + std::to_string(i) + " sends more than a routee has room for");
    });
  }

  const Scenario& scenario_;
  const std::shared_ptr<WatchedStore> store_;
  Witness witness_;
  std::unique_ptr<SimWorld> world_;
  std::uint64_t steps_ = 0, store_calls_ = 0, last_letter_ = 0;
  std::uint32_t round_ = 0;
  bool is_paused_ = false, are_phases_over_ = false;
};

}  // namespace

Outcome run_scenario(const Scenario& scenario, const RunOptions& options) {
  return Run(scenario, options).run();
}

}  // namespace actord::sim::companions
