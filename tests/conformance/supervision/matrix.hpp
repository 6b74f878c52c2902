// SPDX-License-Identifier: Apache-2.0
//
// The matrix of companions: each part of the library that works for an actor, at each place where
// the author's code may throw, under each directive of its supervisor. After the failure the
// companion works as its items of core/actor/supervision.md say (180 to 186).
//
// A cell is one place and one directive. What is expected of a cell follows from rules about places
// and directives, the ones below and those of each companion, and from no list of results.
#pragma once

#include "seeded_test.hpp"

namespace actord::conformance::matrix {

/// Where the code of an author throws.
enum class Place {
  before_call,   // in a message handler, before it calls the companion
  after_call,    // and after
  answer,        // where an answer is handled
  work,          // in the function that runs elsewhere, or that a breaker guards
  predicate,     // in the function that judges an answer
  observer,      // in the function that is told of a change
  target,        // in the handler of the actor that is asked, or that gets the work
  continuation,  // in what follows an event
  deferred,
  apply,
  message_made,  // in the function that makes a message
  persist_rejected,
  replay,  // where an event is applied that was stored before
  recovery_completed,
  delivery_confirmed,
  delivery_unconfirmed,
  on_transition,
  on_termination,
  timer_message,
  unstashed,
  shutdown_task,
  while_down,
  constructor,
  pre_start,
  post_restart,
  pre_restart,
  post_stop
};
ACTORD_ENUM(Place, before_call, after_call, answer, work, predicate, observer, target, continuation,
            deferred, apply, message_made, persist_rejected, replay, recovery_completed,
            delivery_confirmed, delivery_unconfirmed, on_transition, on_termination, timer_message,
            unstashed, shutdown_task, while_down, constructor, pre_start, post_restart, pre_restart,
            post_stop)

/// What the supervisor decides. `escalate`: its own supervisor restarts it, and its children, which
/// it keeps. `all_for_one`: where its own code would throw, the actor makes its sibling fail
/// instead, and is restarted with it.
enum class Verdict { resume, restart, stop, escalate, all_for_one, back_off };
ACTORD_ENUM(Verdict, resume, restart, stop, escalate, all_for_one, back_off)

struct Cell {
  Place place;
  Verdict verdict;

  std::string name() const;
};

// ---- the rules that all companions share --------------------------------------------------------

/// A creation that fails: there is no call of the companion yet.
constexpr bool is_creation(Place place) {
  return place == Place::constructor || place == Place::pre_start;
}
/// What throws then ends a persistent actor, whatever its supervisor would decide (183g).
constexpr bool is_of_recovery(Place place) {
  return place == Place::replay || place == Place::recovery_completed;
}
/// A hook of the end of an incarnation, or of the next one: a handler fails first, after the call.
constexpr bool is_hook_of_end(Place place) {
  return place == Place::post_restart || place == Place::pre_restart || place == Place::post_stop ||
         place == Place::on_termination;
}
/// A place whose code throws under `all_for_one`, too: no sibling can fail in its stead.
constexpr bool throws_itself(Place place) {
  return is_creation(place) || is_hook_of_end(place) || is_of_recovery(place) ||
         place == Place::work || place == Place::predicate;
}
/// The actor fails, and not its sibling in its stead.
constexpr bool is_own_failure(const Cell& cell) { return cell.verdict != Verdict::all_for_one; }
constexpr bool restarts(Verdict verdict) {
  return verdict != Verdict::resume && verdict != Verdict::stop;
}
/// Whether the code at the place runs at all.
constexpr bool is_reached(const Cell& cell) {
  if (cell.place == Place::post_restart || cell.place == Place::pre_restart)
    return restarts(cell.verdict);
  if (cell.place == Place::post_stop || cell.place == Place::on_termination)
    return cell.verdict != Verdict::resume;
  return true;
}
/// How many failures a supervisor judges. What pre_restart and post_stop throw is none.
constexpr int failures(const Cell& cell) {
  return cell.place == Place::post_restart && restarts(cell.verdict) ? 2 : 1;
}
/// Whether the incarnation that called the companion goes on.
constexpr bool keeps_instance(const Cell& cell) {
  return cell.verdict == Verdict::resume || is_creation(cell.place);
}
/// Whether the companion was called when the actor failed, or will be by the same handler.
constexpr bool is_called(const Cell& cell) {
  return cell.place != Place::before_call || cell.verdict == Verdict::all_for_one;
}
/// Whether the actor, its mailbox and its address are there after the failure.
constexpr bool goes_on(const Cell& cell) { return cell.verdict != Verdict::stop; }

// ---- the actors ---------------------------------------------------------------------------------

/// What the author's code throws.
struct Broken : Error {
  using Error::Error;
};

/// A supervisor whose strategy stands among its arguments.
class Chief : public ScriptedActor {
 public:
  static constexpr std::string_view name = "Chief";
  Chief(Context& ctx, SeededTest* test, const Script& script, const Strategy& /*strategy*/)
      : ScriptedActor(ctx, test, script) {}
  static const Strategy& strategy_of(SeededTest* /*test*/, const Script& /*script*/,
                                     const Strategy& strategy) {
    return strategy;
  }
};

/// The strategy that decides each failure in that way.
Strategy strategy_of(Verdict verdict);

/// One cell in a world of one seed: "/user/top" restarts "/user/top/boss", which judges "subject",
/// the actor with the companion, and its "sibling".
class Scene {
 public:
  Scene(SeededTest& test, const Cell& cell);

  /// Called by the author's code at each place. At the place of the cell it fails, once.
  void at(Place place);
  /// The hooks of an actor whose place in the cell may be a hook.
  Script hooks();

  /// Creates the actor with the companion, as it is created again when it has ended.
  template <class A, class... Args>
  void create(Args... args) {
    create([=](Context& ctx) { return ctx.spawn<A>("subject", args...); });
  }
  void create(std::function<Ref(Context&)> spawn);
  /// Creates the actor with the companion again, if it has ended.
  void revive();
  Ref spawn_below_boss(const std::function<Ref(Context&)>& spawn);
  Ref subject() const { return test.find("/user/top/boss/subject"); }
  Ref sibling() const { return test.find("/user/top/boss/sibling"); }
  /// Lets the world come to rest: all failures are over, and all asks.
  void settle() { test.world.advance(std::chrono::seconds{5}); }

  /// Runs that in a handler of the subject, which is an A.
  template <class A>
  void queue(std::function<void(A&, Context&)> what) {
    test.queue(subject(), [what = std::move(what)](ScriptedActor& actor, Context& ctx) {
      what(static_cast<A&>(actor), ctx);
    });
  }
  /// A call of the companion in a handler, between the places before and after it.
  template <class A>
  void call(std::function<void(A&, Context&)> companion) {
    queue<A>([this, companion = std::move(companion)](A& actor, Context& ctx) {
      at(Place::before_call);
      companion(actor, ctx);
      at(Place::after_call);
    });
  }

  /// Asks the subject questions with these numbers, from one handler of an actor that is not judged
  /// with it. Each ends within a second, and is counted.
  void ask(int first, int last);
  void ask(int n) { ask(n, n); }

  /// Checks that the place was reached as often as the rule says, and that nothing else failed.
  /// `judged`: whether what is thrown there is a failure that a supervisor judges.
  void check_failures(bool judged = true);

  SeededTest& test;
  const Cell cell;
  Ref boss;
  std::map<int, int> answers;  // how often an answer has come, by its number
  int refusals = 0;            // answers that are failures
  std::string cause;           // the type of the last one, where the companion keeps it
  bool has_sibling = true;     // that can fail in its stead: not the routees of a pool

 private:
  void fail(Place place);

  std::function<Ref(Context&)> spawn_;
  Ref asker_;
  bool has_begun_ = false;   // a handler has failed, so that a hook is reached
  bool has_failed_ = false;  // at the place of the cell
};

/// Plays each cell of these places as a part of the test case, in worlds of several seeds.
void each_cell(std::initializer_list<Place> places, const std::function<void(Scene&)>& play,
               const SeededTest::Setup& setup = {});

}  // namespace actord::conformance::matrix
