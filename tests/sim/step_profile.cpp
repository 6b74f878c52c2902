// SPDX-License-Identifier: Apache-2.0
#include "sim/step_profile.hpp"

#include <cstring>

#include "actor/child_list.hpp"
#include "base/assert.hpp"
#include "base/clock.hpp"
#include "log/hub.hpp"
#include "sched/thread_executor.hpp"
#include "sdk/host_table.hpp"
#include "sim/step_actor.hpp"
#include "system/actor_system.hpp"

namespace actord::sim::steps {

namespace {

system::SystemSettings settings_for(Plan& plan) {
  base::Random& random = plan.random;
  system::SystemSettings settings;
  settings.name = "step";
  settings.state_directory = ".";
  const std::size_t resting = plan.is_churning ? 0 : random.below(4);
  settings.cells = {std::size_t{1} << 12, resting, resting};
  settings.envelope_reserve = std::size_t{1} << 24;
  settings.slice = {1 + static_cast<std::uint32_t>(random.below(6)),
                    static_cast<std::int64_t>(random.below(2)) * 20'000};
  settings.workers = 1 + static_cast<unsigned>(random.below(3));
  settings.blocking_threads_max = 2;
  settings.live.dead_letters.logged = 0;
  return settings;
}

/// One seed, on the fiber that drives it.
class StepRun {
 public:
  StepRun(std::uint64_t seed, Plan& plan)
      : plan_(plan),
        executor_(seed),
        hub_([] { return base::monotonic_ns(); }, {.ring_bytes = 1024, .level = log::Level::error}),
        system_(settings_for(plan), executor_, hub_, sdk::host_table()) {
    const auto added = system_.add_plugin(
        *plugin_table<Behaviours<Stepper, Linked, Patient>, Messages<Deed, Question, Answer, Beat>>(
            "step", "1"));
    ACTORD_ASSERT(added.ok());
    plan_.cells = &system_.cells;
  }

  void run() {
    system::SystemListener listener;
    listener.on_stopped = [this] { has_stopped_ = true; };
    actor::Deployment bounded;
    bounded.pattern = "/user/bounded-*";
    bounded.options.mailbox_capacity = 3;
    if (plan_.random.below(2) == 0) bounded.options.overflow = actor::Overflow::drop_old;
    if (plan_.random.below(2) == 0) bounded.options.priority = {"*"};  // sorted, in one rank
    system_.start(*system_.build_snapshot({.deployments = {bounded}}), std::move(listener));
    plan_.fibers.wait_for_quiet();
    for (std::uint64_t i = 1 + plan_.random.below(3); i > 0; --i) spawn_top();
    for (std::uint64_t rounds = 4 + plan_.random.below(20); rounds > 0; --rounds) disturb();
    plan_.is_calm = true;
    check_at_rest();
    plan_.fibers.begin_phase();
    const bool is_calm_to_the_end = plan_.random.below(2) == 0;
    if (!is_calm_to_the_end) send_to_the_end();
    system_.terminate();
    plan_.fibers.wait_for_quiet();
    if (!has_stopped_) plan_.fail(36, "the system does not stop");
    for (auto& sender : late_) sender.join();
    system_.join();
    check_after_the_end();
  }

 private:
  template <class M>
  void tell(actor::Ref to, M message) {
    system_.tell(to, actord::detail::listed_type_id<M>(), &message);
  }

  void spawn_top() {
    const bool is_bounded = plan_.random.below(3) == 0;
    auto props = plan_.random.below(2) == 0
                     ? system_.props_of(actord::detail::props_of<Stepper>(&plan_, 0))
                     : system_.props_of(actord::detail::props_of<Linked>(&plan_, 0));
    const auto made = system_.spawn((is_bounded ? "bounded-" : "top-") + std::to_string(++tops_),
                                    std::move(*props));
    if (made.ok()) plan_.refs.push_back(*made);
  }

  // Sends from a thread that is no worker.
  void send(std::uint64_t id, std::uint64_t deeds) {
    for (; deeds > 0; --deeds) {
      const actor::Ref whom = plan_.random_receiver();
      plan_.saw("sends", id, whom);
      switch (plan_.random.below(100)) {
        case 0:
          plan_.stops(id, whom);
          system_.send_system(whom, actor::SystemMessage::terminate());
          tell(whom, plan_.next_deed(id, whom));  // arrives after the stop: must not be handled
          break;
        case 1: tell(whom, PoisonPill{}); break;
        case 2: tell(whom, Kill{}); break;
        case 3:
        case 4:
        case 5:
          if (plan_.may_spawn() && tops_ < (plan_.is_churning ? 12 : 6)) spawn_top();
          break;
        default: tell(whom, plan_.next_deed(id, whom));
      }
    }
  }

  // Sends a burst, after which every actor must come to rest.
  void disturb() {
    plan_.fibers.begin_phase();
    std::vector<base::Thread> senders;
    for (std::uint64_t id = 1 + plan_.random.below(3); id > 0; --id) {
      const std::uint64_t deeds = 1 + plan_.random.below(plan_.is_churning ? 20 : 8);
      senders.emplace_back([this, id, deeds] { send(id, deeds); });
    }
    for (auto& sender : senders) sender.join();
    plan_.fibers.wait_for_quiet();
    check_tree();
  }

  // Shutdown begins while this thread still sends.
  void send_to_the_end() {
    late_.emplace_back([this] {
      for (std::uint64_t i = plan_.random.below(20); i > 0; --i) {
        const actor::Ref whom = plan_.random_receiver();
        tell(whom, plan_.next_deed(9, whom));
      }
    });
  }

  bool is_alive(actor::Ref ref) const {
    const actor::Cell& cell = system_.cells.at(actor::index_of(ref));
    return cell.generation.load() == actor::generation_of(ref) &&
           cell.life.stage() != actor::Stage::terminated && cell.props != nullptr;
  }

  // No actor fails any more: everything under way must end, and nothing may be left.
  void check_at_rest() {
    for (int i = 0; i < 2; ++i) {  // each round makes busy actors unstash
      const std::vector<actor::Ref> refs = plan_.refs;
      for (const actor::Ref ref : refs) {
        if (!is_alive(ref)) continue;
        Deed deed = plan_.next_deed(8, ref);
        deed.detail = 0;
        tell(ref, deed);
      }
      plan_.fibers.wait_for_quiet();
      check_tree();
    }
    for (const auto& [watcher, watched] : plan_.watching) {
      for (const actor::Ref whom : watched) {
        if (!is_alive(watcher) || is_alive(whom)) continue;
        plan_.fail(22,
                   system_.path(watcher) + " does not hear of the end of " + system_.path(whom));
      }
    }
    const actor::MessageCounters counters = system_.counters();
    if (counters.sent != counters.ended()) {
      plan_.fail(20, "messages at rest: " + std::to_string(counters.sent) + " sent, " +
                         std::to_string(counters.ended()) + " accounted for");
    }
  }

  // Checks all cells while all threads sleep.
  void check_tree() {
    std::vector<actor::Ref> open{system_.find("/")};
    while (!open.empty()) {
      const actor::Cell& cell = system_.cells.at(actor::index_of(open.back()));
      check_cell(cell, system_.path(open.back()));
      open.pop_back();
      for (const actor::Cell& child : actor::children_of(system_.cells, cell))
        open.push_back(system_.cells.ref_of(child));
    }
  }

  void check_cell(const actor::Cell& cell, const std::string& path) {
    std::uint64_t word;
    static_assert(sizeof cell.mailbox == sizeof word);
    std::memcpy(&word, static_cast<const void*>(&cell.mailbox), sizeof word);
    if ((word & actor::MailboxWord::parked) == 0)
      plan_.fail(3, "lost wake-up: nobody runs " + path + ", which is awake");
    if (cell.system.has_mail()) plan_.fail(3, "lost wake-up: " + path + " sleeps over its orders");
    if (actor::MailboxWord::pointer(word) != nullptr || cell.inbox.has_fetched())
      plan_.fail(3, "lost wake-up: " + path + " sleeps over its mail");
    if (cell.life.suspensions() != 0) plan_.fail(6, path + " is suspended for ever");
    if (cell.life.is_failed()) plan_.fail(10, path + " has failed, and nobody decided");
    if (cell.life.stage() != actor::Stage::running) plan_.fail(10, path + " is not running");
    check_watches(cell, path);
  }

  void check_watches(const actor::Cell& cell, const std::string& path) {
    if (cell.extras == nullptr) return;
    using Watches = actor::DeathWatch::Watches;
    const Watches none;
    const auto watches_of = [&](actor::Ref who) -> const Watches* {
      if (!is_alive(who)) return nullptr;
      const actor::CellExtras* const extras = system_.cells.at(actor::index_of(who)).extras;
      return extras == nullptr ? &none : &extras->death_watch.watches();
    };
    const std::string_view fault = fault_of_watches(system_.cells.ref_of(cell),
                                                    cell.extras->death_watch.watches(), watches_of);
    if (!fault.empty()) plan_.fail(24, path + ' ' + std::string{fault});
  }

  void check_after_the_end() {
    if (plan_.instances != 0) plan_.fail(36, "instances constructed and not destroyed");
    const actor::MessageCounters counters = system_.counters();
    if (counters.sent != counters.ended()) {
      plan_.fail(20, "messages: " + std::to_string(counters.sent) + " sent, " +
                         std::to_string(counters.ended()) + " accounted for");
    }
    if (const std::size_t lost = system_.blocks_in_use(); lost != 0)
      plan_.fail(20, std::to_string(lost) + " envelopes leaked");
    if (system_.timers_waiting() != 0) plan_.fail(36, "timers outlive the system");
  }

  Plan& plan_;
  sched::ThreadExecutor executor_;
  log::Hub hub_;
  system::ActorSystem system_;
  std::vector<base::Thread> late_;
  bool has_stopped_ = false;
  int tops_ = 0;
};

}  // namespace

}  // namespace actord::sim::steps

namespace actord::sim {

Outcome run_step(std::uint64_t seed, const RunOptions& options) {
  auto fibers = std::make_unique<Fibers>(Fibers::Options{.seed = seed, .until = options.until});
  base::Random random(seed ^ 0x5deece66du);
  const bool is_whole = fibers->run([&] {
    steps::Plan plan(random.next(), *fibers, options.is_traced);
    steps::StepRun(random.next(), plan).run();
  });
  const Outcome outcome{.violation = fibers->violation(),
                        .events = fibers->steps(),
                        .trace_hash = fibers->trace_hash()};
  if (!is_whole) Fibers::abandon(std::move(fibers));
  return outcome;
}

}  // namespace actord::sim
