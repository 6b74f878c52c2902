// SPDX-License-Identifier: Apache-2.0
//
// The matrix of companions: state machines. Items 180m and 186e.
#include "matrix_store.hpp"
#include "state_onlooker.hpp"

namespace actord::conformance::matrix::state_machines {

namespace {

enum class Light { red, green };
ACTORD_ENUM(Light, red, green)

/// What the machines of a scene have told, over all incarnations.
struct Log {
  int born = 0;          // instances whose creation has succeeded
  int terminated = 0;    // calls of on_termination
  int turned_green = 0;  // transitions that were observed
  int turned_red = 0;
  Light light = Light::red;
  int data = 0;
};

/// Red, it asks for leave, and is green when that has come, for a second.
class Signal : public StateMachine<Signal, Light, int> {
 public:
  Signal(Scene* scene, Log* log) : StateMachine(Light::red), scene_(*scene), log_(*log) {
    scene_.at(Place::constructor);
    state_timeout(Light::green, 1s);
  }
  void pre_start(Context& ctx) override {
    scene_.at(Place::pre_start);
    StateMachine::pre_start(ctx);
    ++log_.born;
  }
  void post_restart(Context& ctx, const Failure& reason) override {
    scene_.at(Place::post_restart);
    StateMachine::post_restart(ctx, reason);
  }
  void pre_restart(Context& ctx, const Failure& reason) override {
    StateMachine::pre_restart(ctx, reason);
    scene_.at(Place::pre_restart);
  }
  void post_stop(Context& ctx) override {
    StateMachine::post_stop(ctx);
    scene_.at(Place::post_stop);
  }

  Next request(Context& ctx, const Note& note) {
    scene_.at(Place::before_call);
    ctx.ask<&Signal::allowed>(Store::find(ctx), Question{note.n}, 1s);
    return stay();
  }
  void allowed(Context& ctx, const Reply<Answer>& leave) {
    scene_.at(Place::answer);
    if (leave) apply(ctx, go_to<Light::green>().using_data(data() + leave->n));
    scene_.at(Place::after_call);
  }
  Next time_over(const StateTimeout&) {
    scene_.at(Place::timer_message);
    return go_to<Light::red>();
  }
  Answer tell(const Question&) {
    log_.light = state();
    log_.data = data();
    return {data()};
  }
  void on_transition(Context&, Light from, Light to) override {
    if (from == to) return;
    if (to == Light::green) scene_.at(Place::on_transition);
    ++(to == Light::green ? log_.turned_green : log_.turned_red);
  }
  void on_termination(Context&, const StopReason&) override {
    ++log_.terminated;
    scene_.at(Place::on_termination);
  }

  using Receive = When<Light::red, &Signal::request, &Signal::tell>;
  using States = actord::States<When<Light::green, &Signal::time_over, &Signal::tell>>;

 private:
  Scene& scene_;
  Log& log_;
};

// ---- the rules ----------------------------------------------------------------------------------

// The transition of the first request happens, if what comes before it does not fail, and the
// incarnation is there when the leave comes.
bool turns_green(const Cell& cell) {
  if (cell.place == Place::before_call) return false;
  if (cell.place == Place::answer || cell.place == Place::on_transition)
    return !is_own_failure(cell);
  return true;
}
// And the one back, at its state timeout.
bool turns_red(const Cell& cell) {
  if (!turns_green(cell)) return false;
  if (cell.place == Place::timer_message) return !is_own_failure(cell);
  return keeps_instance(cell);
}
// Resumed in the handler of the state timeout it is green still, with its data.
bool is_green_after(const Cell& cell) {
  return cell.place == Place::timer_message && cell.verdict == Verdict::resume;
}
int data_after(const Cell& cell) { return turns_green(cell) && keeps_instance(cell) ? 1 : 0; }
void request(Scene& it, int n) {
  it.test.note(it.subject(), n);
  it.settle();
}
void look(Scene& it) { it.test.world.send(it.subject().value, Question{}); }

void play(Scene& it) {
  Log log;
  Seen told;
  Store::open(it);
  it.create<Signal>(&it, &log);
  request(it, 1);
  CHECK(log.turned_green == (turns_green(it.cell) ? 1 : 0));
  CHECK(log.turned_red == (turns_red(it.cell) ? 1 : 0));
  it.revive();
  Store::open(it);
  look(it);
  CHECK((log.light == Light::green) == is_green_after(it.cell));
  CHECK(log.data == data_after(it.cell));
  if (is_green_after(it.cell)) {  // a message that is handled begins the state timeout anew
    it.settle();
    CHECK(log.turned_red == 1);
  }
  const Ref onlooker{it.test.world.spawn<Onlooker>("onlooker", &told)};
  it.test.world.send(it.subject().value, SubscribeTransitions{onlooker});
  request(it, 10);
  CHECK(told == Seen{"is red", "red -> green", "green -> red"});
  look(it);
  CHECK(log.data == data_after(it.cell) + 10);
  it.check_failures();
  it.test.stop(it.subject());
  it.test.world.run();
  // Each incarnation that was created has ended with its on_termination.
  CHECK(log.terminated == log.born);
}

}  // namespace

TEST_CASE("matrix state machine: it is in its state or in the first one, and changes it again") {
  each_cell({Place::before_call, Place::answer, Place::on_transition, Place::after_call,
             Place::timer_message, Place::on_termination, Place::constructor, Place::pre_start,
             Place::post_restart, Place::pre_restart, Place::post_stop},
            &play);
}

}  // namespace actord::conformance::matrix::state_machines
