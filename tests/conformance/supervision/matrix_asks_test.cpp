// SPDX-License-Identifier: Apache-2.0
//
// The matrix of companions: what waits for an answer. Items 180j, 180p, 186 and the promises of
// ctx.pipe() and of retries.
#include <actord/retry.hpp>

#include "matrix_store.hpp"

namespace actord::conformance::matrix::asks {

namespace {

/// The actor with the companion.
class Asker : public ScriptedActor {
 public:
  Asker(Context& ctx, Scene* of) : ScriptedActor(ctx, &of->test, of->hooks()), scene(*of) {}
  void replied(Context&, const Reply<Answer>& reply) {
    if (reply) {
      ++scene.answers[reply->n];
    } else {
      ++scene.refusals;
      scene.cause = reply.failure().type();
    }
    scene.at(Place::answer);
  }

  Scene& scene;
};

struct Companion {
  std::function<void(Asker&, Context&, int)> ask;
  /// Whether the first call is answered by a message, if the incarnation that made it is there.
  std::function<bool(const Cell&)> is_answered;
  /// Whether what is thrown at the place of the cell is a failure of an actor.
  bool is_judged = true;
  /// The answer comes at once: which of it and a sibling's failure comes first is open.
  bool is_immediate = false;
};

// Whether the restart of the actor that is asked is one of the asker, too.
bool takes_asker(Verdict verdict) {
  return verdict == Verdict::escalate || verdict == Verdict::all_for_one;
}

// Whether the first call ends in the reply handler: the incarnation that made it is there.
bool is_heard(const Cell& cell) {
  if (cell.place == Place::target) return !takes_asker(cell.verdict);
  return is_called(cell) && (keeps_instance(cell) || cell.place == Place::answer);
}
bool is_open(const Cell& cell) {
  return cell.verdict == Verdict::all_for_one && !is_creation(cell.place) &&
         cell.place != Place::answer;
}

// Plays a cell: a call that meets the failure, then one more.
void play(Scene& it, const Companion& companion) {
  Store::open(it);
  it.create<Asker>(&it);
  it.call<Asker>([&](Asker& me, Context& ctx) { companion.ask(me, ctx, 1); });
  it.settle();
  const bool is_first_heard = !companion.is_judged || is_heard(it.cell);
  const bool is_first_answered = companion.is_answered(it.cell);
  if (companion.is_immediate && is_open(it.cell)) {
    CHECK(it.answers[1] <= 1);
  } else {
    CHECK(it.answers[1] == (is_first_heard && is_first_answered ? 1 : 0));
    CHECK(it.refusals == (is_first_heard && !is_first_answered ? 1 : 0));
  }
  // What is thrown in a helper is the answer, if it makes no other attempt.
  if (!companion.is_judged && !is_first_answered) CHECK(it.cause == detail::type_name<Broken>());
  it.revive();
  Store::open(it);
  it.queue<Asker>([&](Asker& me, Context& ctx) { companion.ask(me, ctx, 2); });
  it.settle();
  CHECK(it.answers[2] == 1);
  CHECK(it.test.children_and_helpers(it.subject()).empty());
  it.check_failures(companion.is_judged);
}

RetryOptions thrice() {
  return {.attempts = 3, .delay = 100ms, .max_delay = 100ms, .random_factor = 0};
}

bool always(const Cell& /*cell*/) { return true; }
bool never(const Cell& /*cell*/) { return false; }

}  // namespace

TEST_CASE("matrix ask: its one answer comes, unless the incarnation that asked has ended") {
  const Companion companion{
      .ask = [](Asker&, Context& ctx,
                int n) { ctx.ask<&Asker::replied>(Store::find(ctx), Question{n}, 1s); },
      .is_answered = [](const Cell& cell) { return cell.place != Place::target; }};
  each_cell(
      {Place::before_call, Place::after_call, Place::answer, Place::target, Place::constructor,
       Place::pre_start, Place::post_restart, Place::pre_restart, Place::post_stop},
      [&](Scene& it) { play(it, companion); });
}

TEST_CASE("matrix retry: it asks until there is an answer, and ends with the incarnation") {
  const Companion companion{
      .ask =
          [](Asker&, Context& ctx, int n) {
            retry_ask<&Asker::replied>(ctx, Store::find(ctx), Question{n}, 1s, thrice());
          },
      .is_answered =
          [](const Cell& cell) {
            return cell.place != Place::target || cell.verdict != Verdict::stop;
          }};
  each_cell(
      {Place::before_call, Place::after_call, Place::answer, Place::target, Place::constructor,
       Place::pre_start, Place::post_restart, Place::pre_restart, Place::post_stop},
      [&](Scene& it) { play(it, companion); });
}

TEST_CASE("matrix retry: what judges an attempt throws, and that is the answer") {
  each_cell({Place::predicate}, [](Scene& it) {
    play(it, {.ask =
                  [&it](Asker&, Context& ctx, int n) {
                    const auto judge = [&it](const Failure&) {
                      it.at(Place::predicate);
                      return true;
                    };
                    retry_ask<&Asker::replied>(ctx, n == 1 ? Ref{} : Store::find(ctx), Question{n},
                                               1s, thrice(), judge);
                  },
              .is_answered = &never,
              .is_judged = false});
  });
}

TEST_CASE("matrix pipe: the one answer of the work comes, unless the incarnation has ended") {
  const Companion companion{
      .ask = [](Asker&, Context& ctx,
                int n) { ctx.pipe<&Asker::replied>([n] { return Answer{n}; }, 1s); },
      .is_answered = &always,
      .is_immediate = true};
  each_cell({Place::before_call, Place::after_call, Place::answer, Place::constructor,
             Place::pre_start, Place::post_restart, Place::pre_restart, Place::post_stop},
            [&](Scene& it) { play(it, companion); });
}

namespace {

// Work that throws at first. `retries`: it is done again.
void play_work(Scene& it, bool retries) {
  play(it, {.ask =
                [&](Asker&, Context& ctx, int n) {
                  const auto work = [&it, n] {
                    it.at(Place::work);
                    return Answer{n};
                  };
                  if (retries) retry_pipe<&Asker::replied>(ctx, work, 1s, thrice());
                  else ctx.pipe<&Asker::replied>(work, 1s);
                },
            .is_answered = retries ? &always : &never,
            .is_judged = false});
}

}  // namespace

TEST_CASE("matrix pipe: what the work throws is the answer") {
  each_cell({Place::work}, [](Scene& it) { play_work(it, false); });
}

TEST_CASE("matrix retry: work that throws is done again") {
  each_cell({Place::work}, [](Scene& it) { play_work(it, true); });
}

}  // namespace actord::conformance::matrix::asks
