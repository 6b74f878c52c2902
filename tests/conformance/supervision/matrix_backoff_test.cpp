// SPDX-License-Identifier: Apache-2.0
//
// The matrix of companions: back-off supervisors. Items 168 to 173 and 178e.
#include "backoff_support.hpp"
#include "matrix.hpp"

namespace actord::conformance::matrix::backoff {

namespace {

using Mode = BackoffOptions::Mode;

/// The child of the back-off supervisor.
class Worker : public ScriptedActor {
 public:
  static constexpr std::string_view name = "Worker";
  Worker(Context& ctx, Scene* of) : ScriptedActor(ctx, &of->test, of->hooks()), scene_(*of) {}
  void asked(Context& ctx, const Question& question) {
    scene_.at(Place::before_call);
    ctx.reply(Answer{question.n});
    scene_.at(Place::after_call);
  }
  using Receive = Handlers<&Worker::asked>;
  using States = actord::States<>;

 private:
  Scene& scene_;
};

// ---- the rules ----------------------------------------------------------------------------------

// The verdict of the strategy of the back-off supervisor that makes it wait (168, 169).
Verdict delaying(Mode mode) { return mode == Mode::on_stop ? Verdict::stop : Verdict::restart; }
Verdict verdict_of(const Cell& cell, Mode mode) {
  return cell.verdict == Verdict::back_off ? delaying(mode) : cell.verdict;
}
// Whether a new child comes after a delay.
bool is_delayed(const Cell& cell, Mode mode) {
  const Verdict verdict = verdict_of(cell, mode);
  return verdict == delaying(mode) || (mode == Mode::on_failure && verdict == Verdict::all_for_one);
}
// Whether the supervisor ends with its child (169b).
bool is_over(const Cell& cell, Mode mode) {
  return mode == Mode::on_failure && verdict_of(cell, mode) == Verdict::stop;
}

BackoffOptions options_of(Scene& it, Mode mode) {
  BackoffOptions options = mode == Mode::on_stop ? BackoffOptions::on_stop(100ms, 100ms, 0)
                                                 : BackoffOptions::on_failure(100ms, 100ms, 0);
  return std::move(options)
      .strategy(strategy_of(verdict_of(it.cell, mode)))
      .manual_reset()
      .while_down([&it](Context&) { it.at(Place::while_down); });
}

void check_rest(Scene& it) {
  const int refused = it.refusals;
  it.ask(2);
  CHECK(it.answers[2] == 1);
  CHECK(it.refusals == refused);
  CHECK(it.test.children_and_helpers(it.subject()).size() == 1);
  it.check_failures();
}

void play_child(Scene& it, Mode mode) {
  it.has_sibling = false;
  it.create<BackoffSupervisor<Worker>>(options_of(it, mode), std::string{"child"}, &it);
  it.ask(1);
  CHECK(it.answers[1] == (it.cell.place == Place::before_call ? 0 : 1));
  CHECK(it.answers[1] + it.refusals == 1);
  CHECK(it.test.is_alive(it.subject()) == (is_creation(it.cell.place) || !is_over(it.cell, mode)));
  it.revive();
  // One that is restarted, or is another one, counts anew.
  CHECK(count_of(it.test, it.subject()) ==
        (is_delayed(it.cell, mode) && !is_over(it.cell, mode) ? 1 : 0));
  check_rest(it);
}

// The supervisor itself fails, while it has no child.
void play_while_down(Scene& it) {
  it.has_sibling = false;
  it.create<BackoffSupervisor<Worker>>(options_of(it, Mode::on_stop), std::string{"child"}, &it);
  it.test.stop(it.test.find("/user/top/boss/subject/child"));
  it.test.world.run();
  it.ask(1);
  CHECK(it.answers[1] == 0);
  CHECK(it.refusals == 1);
  it.revive();
  check_rest(it);
}

}  // namespace

TEST_CASE("matrix back-off on stop: there is one child again, which gets the messages") {
  each_cell({Place::before_call, Place::after_call, Place::constructor, Place::pre_start,
             Place::post_stop},
            [](Scene& it) { play_child(it, Mode::on_stop); });
}

TEST_CASE("matrix back-off on failure: there is one child again, which gets the messages") {
  each_cell({Place::before_call, Place::after_call, Place::constructor, Place::pre_start,
             Place::post_stop},
            [](Scene& it) { play_child(it, Mode::on_failure); });
}

TEST_CASE("matrix back-off while down: the supervisor fails, and has one child again") {
  each_cell({Place::while_down}, &play_while_down);
}

}  // namespace actord::conformance::matrix::backoff
