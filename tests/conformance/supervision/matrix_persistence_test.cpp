// SPDX-License-Identifier: Apache-2.0
//
// The matrix of companions: persistent actors. Item 183.
#include <actord/persistent.hpp>

#include "matrix.hpp"

namespace actord::conformance::matrix::persistence {

namespace {

struct Sum {
  std::int64_t total = 0;
};
struct Added {
  std::int64_t n = 0;
};
ACTORD_MESSAGE(Sum, "matrix.Sum/1", total)
struct Loan {  // has a ref, so that it cannot be stored (183f)
  Ref who;
};
ACTORD_MESSAGE(Added, "matrix.Added/1", n)
ACTORD_MESSAGE(Loan, "matrix.Loan/1", who)

/// How an event is persisted.
enum class Way { persist, persist_async, durable };

/// What the actor of a scene has told.
struct Told {
  std::int64_t total = -1;      // its state, when it was asked last
  std::int64_t recovered = -1;  // its state after its last recovery
  int deferred = 0;             // actions that were deferred behind an event, and have run
};

/// The hooks of both kinds of persistent actors.
template <class Base>
class Hooked : public Base {
 public:
  Hooked(Scene* scene, Told* told) : scene_(*scene), told_(*told) { scene_.at(Place::constructor); }
  void pre_start(Context&) override { scene_.at(Place::pre_start); }
  void post_restart(Context& ctx, const Failure& reason) override {
    scene_.at(Place::post_restart);
    Base::post_restart(ctx, reason);
  }
  void pre_restart(Context& ctx, const Failure& reason) override {
    scene_.at(Place::pre_restart);
    Base::pre_restart(ctx, reason);
  }
  void post_stop(Context&) override { scene_.at(Place::post_stop); }
  void recovery_completed(Context&) override {
    scene_.at(Place::recovery_completed);
    told_.recovered = this->state().total;
  }
  void persist_rejected(Context&, const PersistRejection&) override {
    scene_.at(Place::persist_rejected);
  }
  // No event is before what is deferred here: it runs at once (183d).
  void look(Context& ctx, const Note&) {
    this->defer(ctx, [this] { told_.total = this->state().total; });
  }

 protected:
  // What follows the event answers the question.
  auto then(const Question& question) {
    return [this, n = question.n](Context& ctx) {
      scene_.at(Place::continuation);
      ctx.reply(Answer{n});
    };
  }
  auto deferred() {
    return [this] {
      ++told_.deferred;
      scene_.at(Place::deferred);
    };
  }

  Scene& scene_;
  Told& told_;
};

template <Way way>
class Ledger : public Hooked<Persistent<Ledger<way>, Sum>> {
 public:
  using Base = Hooked<Persistent<Ledger<way>, Sum>>;
  using Base::Base;

  void add(Context& ctx, const Question& question) {
    this->scene_.at(Place::before_call);
    if (this->scene_.cell.place == Place::persist_rejected && question.n == 1)
      return this->persist(ctx, Loan{ctx.self()}, this->then(question));
    if constexpr (way == Way::persist) this->persist(ctx, Added{question.n}, this->then(question));
    else this->persist_async(ctx, Added{question.n}, this->then(question));
    this->defer(ctx, this->deferred());
    this->scene_.at(Place::after_call);
  }
  void apply(Sum& sum, const Added& event) {
    this->scene_.at(this->told_.recovered < 0 ? Place::replay : Place::apply);
    sum.total += event.n;
  }

  void apply(Sum&, const Loan&) {}

  using Events = actord::Events<Added, Loan>;
  using Receive = Handlers<&Ledger::add, &Base::look>;
};

/// Keeps its sum as a whole.
class Keeper : public Hooked<DurableState<Keeper, Sum>> {
 public:
  using Base = Hooked<DurableState<Keeper, Sum>>;
  using Base::Base;

  void add(Context& ctx, const Question& question) {
    scene_.at(Place::before_call);
    store(ctx, Sum{state().total + question.n}, then(question));
    defer(ctx, deferred());
    scene_.at(Place::after_call);
  }
  using Receive = Handlers<&Keeper::add, &Keeper::look>;
};

// ---- the rules ----------------------------------------------------------------------------------

bool is_in_handler(Place place) {
  return place == Place::before_call || place == Place::after_call || is_hook_of_end(place);
}
// A handler that fails has persisted nothing (183c), nor has one whose event is rejected (183f).
bool is_stored(const Cell& cell) {
  if (cell.place == Place::persist_rejected) return false;
  return !is_in_handler(cell.place) || !is_own_failure(cell);
}
// What follows the event runs to its end, if it does not fail itself. A restart that meets the
// event on its way leaves it out (183i).
bool is_answered(const Cell& cell) {
  if (!is_stored(cell)) return false;
  return (cell.place != Place::continuation && cell.place != Place::apply) || !is_own_failure(cell);
}
// What is deferred behind the event runs, too, unless a restart has come before (183d, 183j).
bool is_deferred_run(const Cell& cell) {
  if (cell.place == Place::continuation && cell.verdict == Verdict::resume) return true;
  return is_answered(cell);
}
bool is_answer_open(const Cell& cell) {
  return cell.verdict == Verdict::all_for_one && is_in_handler(cell.place);
}

template <class A>
void play(Scene& it) {
  Told told;
  const auto total = [&] {
    it.test.note(it.subject(), 0);
    it.settle();
    return told.total;
  };

  it.create<A>(&it, &told);
  it.ask(1);
  CHECK(it.answers[1] + it.refusals == 1);
  if (!is_answer_open(it.cell)) {
    CHECK(it.answers[1] == (is_answered(it.cell) ? 1 : 0));
    CHECK(told.deferred == (is_deferred_run(it.cell) ? 1 : 0));
  }
  it.revive();
  it.settle();
  const int kept = is_stored(it.cell) ? 1 : 0;
  CHECK(total() == kept);
  const int refused = it.refusals;
  it.ask(10);
  CHECK(it.answers[10] == 1);
  CHECK(it.refusals == refused);
  CHECK(total() == kept + 10);
  it.check_failures();
  // What is stored is what the state was made of, once.
  it.test.stop(it.subject());
  it.settle();
  told = {};
  it.revive();
  it.settle();
  CHECK(told.recovered == kept + 10);
}

// A recovery that fails ends the actor, whatever its supervisor would decide (183g).
template <class A>
void play_recovery(Scene& it) {
  Told told;
  it.create<A>(&it, &told);
  if (it.cell.place == Place::replay) {
    it.test.world.tell(it.subject().value, Question{1});
    it.settle();
    it.test.stop(it.subject());
    it.settle();
    told = {};
    it.revive();
    it.settle();
  }
  CHECK(it.test.world.events("actor.recovery-failed").size() == 1);
  it.revive();
  it.test.world.tell(it.subject().value, Question{10});
  it.test.note(it.subject(), 0);
  it.settle();
  CHECK(told.total == (it.cell.place == Place::replay ? 11 : 10));
  it.check_failures(false);
}

SeededTest::Setup with_messages() {
  SeededTest::Setup setup;
  setup.before_start = [](SeededTest& test) {
    test.world.use(
        *plugin_table<Behaviours<>, Messages<Act, Note, Question, Answer, Sum, Added, Loan>>(
            "matrix", "1"));
  };
  return setup;
}

}  // namespace

TEST_CASE("matrix persist: what is stored is applied once, and the next event is stored") {
  each_cell({Place::before_call, Place::after_call, Place::apply, Place::continuation,
             Place::deferred, Place::persist_rejected, Place::constructor, Place::pre_start,
             Place::post_restart, Place::pre_restart, Place::post_stop},
            &play<Ledger<Way::persist>>, with_messages());
}

TEST_CASE("matrix persist_async: what is stored is applied once, and the next event is stored") {
  each_cell({Place::before_call, Place::after_call, Place::apply, Place::continuation,
             Place::deferred, Place::post_restart, Place::pre_restart, Place::post_stop},
            &play<Ledger<Way::persist_async>>, with_messages());
}

TEST_CASE("matrix durable state: it is the newest that was stored, and the next one is stored") {
  each_cell({Place::before_call, Place::after_call, Place::continuation, Place::deferred,
             Place::constructor, Place::pre_start, Place::post_restart, Place::pre_restart,
             Place::post_stop},
            &play<Keeper>, with_messages());
}

TEST_CASE("matrix recovery: one that fails ends the actor, and the next one succeeds") {
  each_cell({Place::replay, Place::recovery_completed}, &play_recovery<Ledger<Way::persist>>,
            with_messages());
}

}  // namespace actord::conformance::matrix::persistence
