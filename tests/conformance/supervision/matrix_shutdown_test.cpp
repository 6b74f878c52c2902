// SPDX-License-Identifier: Apache-2.0
//
// The matrix of companions: tasks of the coordinated shutdown. Item 180l.
#include <actord/coordinated_shutdown.hpp>

#include "matrix.hpp"
#include "system/shutdown_plan.hpp"

namespace actord::conformance::matrix::shutdowns {

namespace {

/// Does its task, and says so.
class Closer : public ScriptedActor {
 public:
  Closer(Context& ctx, Scene* of, bool is_subject)
      : ScriptedActor(ctx, &of->test, is_subject ? of->hooks() : Script{}),
        scene_(*of),
        is_subject_(is_subject) {}
  ShutdownTaskDone work(const ShutdownTask&) {
    if (is_subject_) scene_.at(Place::shutdown_task);
    ++scene_.answers[is_subject_ ? 1 : 2];
    return {};
  }
  using Receive = Handlers<&ScriptedActor::act, &Closer::work>;
  using States = actord::States<>;

 private:
  Scene& scene_;
  const bool is_subject_;
};

SeededTest::Setup two_phases() {
  SeededTest::Setup setup;
  setup.options.shutdown =
      std::move(system::ShutdownPlan::of({{.name = "first", .depends_on = {}},
                                          {.name = "second", .depends_on = {"first"}}}))
          .value();
  return setup;
}

// ---- the rules ----------------------------------------------------------------------------------

// A task is there when the call has returned, outlives restarts, and ends with the actor.
bool is_kept(const Cell& cell) {
  if (cell.place == Place::shutdown_task || is_creation(cell.place)) return true;
  return is_called(cell) && goes_on(cell);
}
bool is_done(const Cell& cell) {
  return is_kept(cell) &&
         (cell.place != Place::shutdown_task || cell.verdict == Verdict::all_for_one);
}
// One that the actor neither does nor ends with is told of, when the time of the phase is over.
bool is_missed(const Cell& cell) {
  return is_kept(cell) && !is_done(cell) && cell.verdict != Verdict::stop;
}

void play(Scene& it) {
  it.create<Closer>(&it, true);
  const Ref last{it.test.world.spawn<Closer>("last", &it, false)};
  it.test.perform(last, [](ScriptedActor&, Context& ctx) { on_shutdown(ctx, "second", "last"); });
  it.call<Closer>([](Closer&, Context& ctx) { on_shutdown(ctx, "first", "task"); });
  it.settle();
  it.revive();
  it.test.world.begin_shutdown("SIGTERM");
  it.test.world.advance(60s);
  CHECK(it.answers[1] == (is_done(it.cell) ? 1 : 0));
  CHECK(it.test.world.events("shutdown.task-failed").size() == (is_missed(it.cell) ? 1u : 0u));
  // The next phase runs, and the shutdown comes to its end.
  CHECK(it.answers[2] == 1);
  const auto& outcome = it.test.world.shutdown_outcome();
  CHECK((outcome && outcome->aborted_in.empty()));
  it.check_failures();
}

}  // namespace

TEST_CASE("matrix shutdown task: it runs once, or ends with its actor, and the shutdown goes on") {
  each_cell({Place::before_call, Place::after_call, Place::shutdown_task, Place::constructor,
             Place::pre_start, Place::post_restart, Place::pre_restart, Place::post_stop},
            &play, two_phases());
}

}  // namespace actord::conformance::matrix::shutdowns
