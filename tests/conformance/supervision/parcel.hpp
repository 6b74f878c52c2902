// SPDX-License-Identifier: Apache-2.0
//
// Helpers for the cases about persistent state machines: a parcel that does what a case tells it,
// and processes that share its journal, one after the other.
#pragma once

#include <actord/persistent_state_machine.hpp>

#include "persistence_support.hpp"
#include "state_onlooker.hpp"

namespace actord::conformance::machines {

using persist::Fault;
using persist::MemoryStore;
using persist::StoreError;
using Verdict = actor::Strategy::Otherwise;
using StorePtr = std::shared_ptr<MemoryStore>;

// ---- a parcel that does what a case tells it ----------------------------------------------------

enum class Stage { packing, sent, lost };  // lost: has no When
ACTORD_ENUM(Stage, packing, sent, lost)

struct Box {
  int items = 0;
  std::string label;
};
ACTORD_FIELDS(Box, items, label)
struct Packed {
  int n = 0;
};
struct Labelled {
  std::string label;
  Ref by;  // cannot be stored unless it is empty
};
struct PackedBefore {  // what an earlier version of the plugin has stored
  std::string count;
};
struct Order {  // runs the act of the case with this number
  std::uint64_t number = 0;
};
ACTORD_MESSAGE(Packed, "parcel.Packed/2", n)
ACTORD_MESSAGE(Labelled, "parcel.Labelled/1", label, by)
ACTORD_MESSAGE(PackedBefore, "parcel.Packed/1", count)
ACTORD_MESSAGE(Order, "parcel.Order/1", number)

struct Unlisted {};  // missing from Messages<...>: cannot be sent
ACTORD_MESSAGE(Unlisted, "parcel.Unlisted/1")

class Parcel;
/// The earlier version of what is stored of a parcel.
struct ParcelBefore {
  bool is_sent = false;
};
ACTORD_MESSAGE(ParcelBefore, "parcel.Parcel/1", is_sent)

using Machine = PersistentStateMachine<Parcel, Stage, Box>;
using Act = std::function<detail::PersistentNext<Parcel, Stage, Box>(Parcel&, Context&)>;

/// What the parcel of a case does and has done.
struct Plan {
  std::vector<Act> acts = {};
  std::vector<std::string> entries = {};
  std::function<void(const Packed&)> on_apply = {};
  std::function<void(Parcel&, Context&, Stage to)> on_transition = {};
  std::function<void(Parcel&, Context&)> on_recovered = {};

  static inline Plan* open = nullptr;
};

class Parcel : public Machine {
 public:
  Parcel() : PersistentStateMachine(Stage::packing, {0, "new"}) { state_timeout(Stage::sent, 5s); }

  Next act(Context& ctx, const Order& order) { return Plan::open->acts[order.number](*this, ctx); }
  Answer hello(const Question& question) { return {question.n + data().items}; }
  Next back(const StateTimeout& /*timeout*/) {
    record("timeout");
    return go_to<Stage::packing>();
  }
  void asked(Context& ctx, const Reply<Answer>& reply) {
    carry_out(ctx, go_to<Stage::sent>().persisting(Packed{reply->n}));
  }

  void apply(Box& box, const Packed& event) {
    if (Plan::open->on_apply) Plan::open->on_apply(event);
    box.items += event.n;
  }
  void apply(Box& box, const Labelled& event) { box.label = event.label; }
  static Packed adapt(const PackedBefore& event) { return {std::stoi(event.count)}; }
  static Stored adapt(const ParcelBefore& event) {
    return {event.is_sent ? Stage::sent : Stage::packing, {}, {}};
  }

  void on_transition(Context& ctx, Stage from, Stage to) override {
    record(detail::state_text(from) + " -> " + detail::state_text(to) + " with " + text());
    if (Plan::open->on_transition) Plan::open->on_transition(*this, ctx, to);
  }
  void recovery_completed(Context& ctx) override {
    record("recovered " + text());
    if (Plan::open->on_recovered) Plan::open->on_recovered(*this, ctx);
  }
  void on_termination(Context& /*ctx*/, const StopReason& reason) override {
    constexpr std::array names{"normal", "shutdown", "failure"};
    record(std::string{names[static_cast<std::size_t>(reason.kind)]} + " in " + text());
  }
  void persist_rejected(Context& /*ctx*/, const PersistRejection& rejection) override {
    record("rejected " + rejection.type);
  }

  /// "packing 3 new": the state and the data.
  std::string text() const {
    return detail::state_text(state()) + " " + std::to_string(data().items) + " " + data().label;
  }
  static void record(std::string what) { Plan::open->entries.push_back(std::move(what)); }

  using PersistentStateMachine::carry_out;
  using PersistentStateMachine::delete_events;
  using PersistentStateMachine::go_to;
  using PersistentStateMachine::save_snapshot;
  using PersistentStateMachine::sequence;
  using PersistentStateMachine::stay;
  using PersistentStateMachine::stop;

  static constexpr std::string_view stored_as = "parcel.Parcel/2";
  using Events = actord::Events<Packed, Labelled, PackedBefore, ParcelBefore>;
  using Receive = When<Stage::packing, &Parcel::hello>;
  using States = actord::States<When<Stage::sent, &Parcel::back>>;
  using WhenUnhandled = Handlers<&Parcel::act>;
};

// ---- worlds with a parcel -----------------------------------------------------------------------

struct Wanted {
  StorePtr store = {};
  system::LiveJournalSettings journal = {};
  std::optional<actor::Strategy> strategy = {};
  std::function<void(Plan&)> prepare = {};  // before the system starts
};

struct Scene {
  Ref parcel() const { return test.find("/user/parcel"); }
  std::string entries() {
    std::string all;
    for (const std::string& each : std::exchange(plan.entries, {}))
      all += (all.empty() ? "" : ", ") + each;
    return all;
  }
  /// Sends the order; perform() also runs the world.
  void queue(Act what, actor::Ref sender = actor::nobody) {
    plan.acts.push_back(std::move(what));
    test.world.tell(parcel().value, Order{plan.acts.size() - 1}, sender);
  }
  void perform(Act what, actor::Ref sender = actor::nobody) {
    queue(std::move(what), sender);
    test.world.run();
  }
  /// The state and the data, as a handler sees them.
  std::string place() {
    std::string text = "none";
    perform([&](Parcel& it, Context&) {
      text = it.text();
      return it.stay();
    });
    return text;
  }
  void hold_journal() { test.suspend(test.find("/system/journal")); }
  void release_journal() {
    test.resume(test.find("/system/journal"));
    test.world.run();
  }
  /// As an operator does; runs the world.
  void restart() {
    test.world.system().order(
        parcel().value, base::IntrusivePtr<actor::Order>(new actor::Order(
                            actor::Order::Kind::restart, "by hand", [](actor::Order::Outcome) {})));
    test.world.run();
  }
  /// The types of what is stored, without their plugin: "Packed/2 Parcel/2".
  std::string stored() {
    std::string all;
    for (const persist::StoredEntry& event : test.world.store().events("/user/parcel"))
      all += (all.empty() ? "" : " ") + std::string{event.type}.substr(7);
    return all;
  }
  std::size_t failures() { return test.world.events("actor.failed").size(); }

  SeededTest& test;
  Plan& plan;
};

using Play = std::function<void(Scene&)>;

inline void run_process(std::uint64_t seed, const Wanted& wanted, const Play& play) {
  Plan plan;
  Plan::open = &plan;
  if (wanted.prepare) wanted.prepare(plan);
  SeededTest::Setup setup;
  setup.options.store = wanted.store;
  setup.options.journal = wanted.journal;
  setup.options.boots_degraded = true;
  setup.before_start = [&](SeededTest& test) {
    test.world.use(
        *plugin_table<Behaviours<Parcel>, Messages<Packed, Labelled, PackedBefore, ParcelBefore,
                                                   Order, Question, Answer, Parcel::Stored>>(
            "parcel", "1"));
    test.user.options.strategy = wanted.strategy;
    actor::NodeSpec& node = test.user.children.emplace_back();
    node.name = "parcel";
    node.behaviour = *test.world.system().behaviours().find("parcel/Parcel");
  };
  SeededTest test(seed, setup);
  test.world.run();
  Scene scene{test, plan};
  play(scene);
  test.end();
}

/// Runs the processes one after the other, each seed with a store of its own.
inline void under_seeds(std::initializer_list<Play> processes, Wanted wanted = {}) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    wanted.store = std::make_shared<MemoryStore>();
    for (const Play& play : processes) run_process(seed, wanted, play);
  }
}

/// Runs a process of each seed whose journal has these events.
inline void recover_from(const std::vector<persist::Entry>& events, const Play& play) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const Wanted wanted{.store = std::make_shared<MemoryStore>()};
    persist::Write write;
    write.id = "/user/parcel";
    write.events = events;
    REQUIRE(wanted.store->write(std::span{&write, 1}, 0).ok());
    run_process(seed, wanted, play);
  }
}

inline Act packing(int n) {
  return [n](Parcel& it, Context&) { return it.stay().persisting(Packed{n}); };
}
inline Act sending(int n) {
  return [n](Parcel& it, Context&) { return it.go_to<Stage::sent>().persisting(Packed{n}); };
}
inline void refuse_writes(Scene& it) {
  it.test.world.store().fail_at([](MemoryStore::Point point) -> std::optional<StoreError> {
    if (point != MemoryStore::Point::write) return {};
    return StoreError{Fault::full, "there is no room on the disk: make some"};
  });
}

}  // namespace actord::conformance::machines
