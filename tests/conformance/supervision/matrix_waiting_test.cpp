// SPDX-License-Identifier: Apache-2.0
//
// The matrix of companions: what waits with the actor. Items 154 to 156, 159 to 167.
#include "matrix.hpp"

namespace actord::conformance::matrix::waiting {

namespace {

// ---- stash --------------------------------------------------------------------------------------

/// Sets notes aside until it is told to open, then counts them.
class Shelf : public ScriptedActor {
 public:
  /// `stashes`: the call of the companion is stash(), otherwise unstash_all().
  Shelf(Context& ctx, Scene* of, bool stashes)
      : ScriptedActor(ctx, &of->test, of->hooks()), scene_(*of), stashes_(stashes) {}
  void set_aside(Context& ctx, const Note& note) {
    if (stashes_) scene_.at(Place::before_call);
    ctx.stash();
    ++scene_.answers[-note.n];
    if (stashes_) scene_.at(Place::after_call);
  }
  void take(const Note& note) {
    scene_.at(Place::unstashed);
    ++scene_.answers[note.n];
  }
  void open(Context& ctx) {
    if (!stashes_) scene_.at(Place::before_call);
    ctx.become<Open, Shelf>();
    ctx.unstash_all();
    if (!stashes_) scene_.at(Place::after_call);
  }
  struct Open : Handlers<&ScriptedActor::act, &Shelf::take> {
    static constexpr std::string_view name = "open";
  };
  using Receive = Handlers<&ScriptedActor::act, &Shelf::set_aside>;
  using States = actord::States<Open>;

 private:
  Scene& scene_;
  const bool stashes_;
};

void open(Scene& it) {
  if (!it.subject()) return;
  it.queue<Shelf>([](Shelf& shelf, Context& ctx) { shelf.open(ctx); });
  it.settle();
}

// The note whose handler fails is gone, unless that has stashed it (1, 2).
int lost(const Cell& cell, bool stashes) {
  if (!is_own_failure(cell)) return 0;
  return cell.place == Place::unstashed || (stashes && cell.place == Place::before_call) ? 1 : 0;
}

// The first note was stashed when the actor was restarted: the new incarnation gets it first (154).
bool comes_back(const Cell& cell, bool stashes) {
  return cell.place == (stashes ? Place::after_call : Place::before_call) && is_own_failure(cell) &&
         restarts(cell.verdict);
}

void play_stash(Scene& it, bool stashes) {
  const auto& letters = it.test.read_dead_letters();
  it.create<Shelf>(&it, stashes);
  for (int n = 1; n <= 3; ++n) it.test.note(it.subject(), n);
  it.settle();
  open(it);
  if (comes_back(it.cell, stashes)) CHECK(it.answers[-1] == 2);
  open(it);  // a restart begins in the first state, and the notes are set aside again
  int taken = 0;
  for (int n = 1; n <= 3; ++n) {
    CHECK(it.answers[n] <= 1);
    taken += it.answers[n];
  }
  // With the end of the actor they are dead letters (155).
  const bool has_ended = !goes_on(it.cell) && !is_creation(it.cell.place);
  CHECK(taken == (has_ended ? 0 : 3 - lost(it.cell, stashes)));
  CHECK(std::ranges::count(letters, "play.Note/1", &DeadLetter::type) ==
        (has_ended ? 3 - lost(it.cell, stashes) : 0));
  it.revive();
  it.test.note(it.subject(), 4);
  it.settle();
  open(it);
  CHECK(it.answers[4] == 1);
  it.check_failures();
}

// ---- timers -------------------------------------------------------------------------------------

/// Has timers and waits for silence; both are counted.
class Waiter : public ScriptedActor {
 public:
  Waiter(Context& ctx, Scene* of) : ScriptedActor(ctx, &of->test, of->hooks()), scene_(*of) {}
  void due(const Answer& tick) {
    ++scene_.answers[tick.n];
    if (tick.n == 1) scene_.at(Place::timer_message);
  }
  void silence(Context& ctx, const ReceiveTimeout&) {
    ++scene_.answers[1];
    scene_.at(Place::timer_message);
    ctx.receive_timeout(0s);
  }
  using Receive = Handlers<&ScriptedActor::act, &Waiter::due, &Waiter::silence>;
  using States = actord::States<>;

 private:
  Scene& scene_;
};

// Whatever waits for time ends with its incarnation (159, 167).
bool is_due(const Cell& cell) {
  return is_called(cell) && (keeps_instance(cell) || cell.place == Place::timer_message);
}

void play_timers(Scene& it) {
  it.create<Waiter>(&it);
  it.call<Waiter>([](Waiter&, Context& ctx) {
    ctx.start_timer("once", 1s, Answer{1});
    ctx.start_timer("often", 1500ms, Answer{2}, 1s);
  });
  it.settle();
  CHECK(it.answers[1] == (is_due(it.cell) ? 1 : 0));
  CHECK(it.answers[2] == (is_called(it.cell) && keeps_instance(it.cell) ? 4 : 0));
  it.revive();
  it.queue<Waiter>([](Waiter&, Context& ctx) {
    ctx.cancel_timer("often");
    ctx.start_timer("once", 1s, Answer{3});
  });
  it.settle();
  CHECK(it.answers[3] == 1);
  CHECK(it.test.world.simulator().timers().size() == 0);
  it.check_failures();
}

void play_silence(Scene& it) {
  it.create<Waiter>(&it);
  it.call<Waiter>([](Waiter&, Context& ctx) { ctx.receive_timeout(1s); });
  it.settle();
  // Resumed, the actor hears the next silence, too (165).
  const bool is_repeated =
      it.cell.place == Place::timer_message && it.cell.verdict == Verdict::resume;
  CHECK(it.answers[1] == (is_due(it.cell) ? 1 : 0) + (is_repeated ? 1 : 0));
  it.revive();
  it.answers.clear();
  it.queue<Waiter>([](Waiter&, Context& ctx) { ctx.receive_timeout(1s); });
  it.settle();
  CHECK(it.answers[1] == 1);
  CHECK(it.test.world.simulator().timers().size() == 0);
  it.check_failures();
}

}  // namespace

TEST_CASE("matrix stash: what is stashed is handled once, or a dead letter at the end") {
  each_cell({Place::before_call, Place::after_call, Place::unstashed, Place::constructor,
             Place::pre_start, Place::post_restart, Place::pre_restart, Place::post_stop},
            [](Scene& it) { play_stash(it, true); });
}

TEST_CASE("matrix unstash: what is stashed is handled once, or a dead letter at the end") {
  each_cell({Place::before_call, Place::after_call, Place::post_restart, Place::pre_restart,
             Place::post_stop},
            [](Scene& it) { play_stash(it, false); });
}

TEST_CASE("matrix timers: they tick on, or end with their incarnation") {
  each_cell({Place::before_call, Place::after_call, Place::timer_message, Place::constructor,
             Place::pre_start, Place::post_restart, Place::pre_restart, Place::post_stop},
            &play_timers);
}

TEST_CASE("matrix receive timeout: it comes, or ends with its incarnation") {
  each_cell({Place::before_call, Place::after_call, Place::timer_message, Place::constructor,
             Place::pre_start, Place::post_restart, Place::pre_restart, Place::post_stop},
            &play_silence);
}

}  // namespace actord::conformance::matrix::waiting
