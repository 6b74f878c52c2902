// SPDX-License-Identifier: Apache-2.0
#include "matrix_routers.hpp"

namespace actord::conformance::matrix::routers {

namespace {

constexpr int asked = 9;  // questions at once

/// Answers each question, between two places where it may fail.
class Routee : public ScriptedActor {
 public:
  static constexpr std::string_view name = "Routee";
  Routee(Context& ctx, Scene* of) : ScriptedActor(ctx, &of->test, of->hooks()), scene_(*of) {}
  void asked(Context& ctx, const Question& question) {
    scene_.at(Place::before_call);
    ctx.reply(Answer{question.n});
    scene_.at(Place::after_call);
  }
  using Receive = Handlers<&Routee::asked>;
  using States = actord::States<>;

 private:
  Scene& scene_;
};

int answered(Scene& it, int first) {
  int all = 0;
  for (int n = first; n < first + asked; ++n) {
    CHECK(it.answers[n] <= 1);
    all += it.answers[n];
  }
  return all;
}

std::vector<actord::Routee> routees(Scene& it) {
  std::vector<actord::Routee> found;
  it.test.perform(it.boss,
                  [&](ScriptedActor&, Context& ctx) { found = ctx.routees(it.subject()); });
  return found;
}

// ---- the rules ----------------------------------------------------------------------------------

// A routee fails with a question that it has not answered.
bool loses_question(const Cell& cell, const Companion& companion) {
  if (cell.place == Place::predicate) return true;
  return cell.place == Place::before_call && !companion.gathers &&
         (cell.verdict != Verdict::all_for_one || companion.judge == Judge::router);
}
// The router ends or begins anew, and with it those that gather its answers.
bool renews_router(const Cell& cell, const Companion& companion) {
  if (is_creation(cell.place)) return false;
  if (companion.judge == Judge::router) return cell.verdict == Verdict::escalate;
  return cell.verdict != Verdict::resume;
}
// Questions that wait elsewhere end with the one that fails.
bool loses_others(const Cell& cell, const Companion& companion) {
  if (is_creation(cell.place)) return false;
  if (companion.gathers) return renews_router(cell, companion);
  if (cell.verdict != Verdict::stop) return false;
  return companion.judge == Judge::boss || !companion.holds_back;
}
std::size_t routees_left(const Cell& cell, const Companion& companion) {
  const bool has_lost = companion.judge == Judge::router && cell.verdict == Verdict::stop &&
                        !companion.is_filled_again;
  return companion.size - (has_lost ? 1 : 0);
}

void check_rest(Scene& it, const Companion& companion) {
  const auto found = routees(it);
  CHECK(found.size() == routees_left(it.cell, companion));
  for (const actord::Routee& each : found) {
    CHECK(each.is_idle);
    CHECK(each.waiting <= 0);
    CHECK(each.unhandled == 0);
  }
  CHECK(it.test.children_and_helpers(it.subject()).size() <= companion.size);
}

void play(
    Scene& it, const Companion& companion, const std::function<Ref(Context&)>& spawn_router,
    const std::function<void()>& complete = [] {}) {
  it.create(spawn_router);
  complete();
  it.ask(100, 100 + asked - 1);
  const int lost = loses_question(it.cell, companion) ? 1 : 0;
  // Each question has one end.
  CHECK(answered(it, 100) + it.refusals == asked);
  if (loses_others(it.cell, companion)) CHECK(it.refusals >= lost);
  else CHECK(it.refusals == lost);
  it.revive();
  complete();
  const int refused = it.refusals;
  it.ask(200, 200 + asked - 1);
  CHECK(answered(it, 200) == asked);
  CHECK(it.refusals == refused);
  check_rest(it, companion);
  it.check_failures();
}

}  // namespace

void play_pool(Scene& it, const Companion& companion) {
  it.has_sibling = companion.judge == Judge::boss;
  RouterOptions options = companion.options();
  if (companion.judge == Judge::router)
    options = std::move(options).strategy(strategy_of(it.cell.verdict));
  play(it, companion,
       [&it, options](Context& ctx) { return ctx.spawn_router<Routee>("subject", options, &it); });
}

void play_group(Scene& it) {
  const std::vector<std::string> paths{"/user/top/boss/one", "/user/top/boss/two"};
  const auto complete = [&] {
    for (const std::string& path : paths) {
      if (it.test.find(path)) continue;
      const std::string called = path.substr(path.rfind('/') + 1);
      it.spawn_below_boss([&](Context& ctx) { return ctx.spawn<Routee>(called, &it); });
    }
    it.settle();
  };
  complete();
  play(
      it, {.size = paths.size()},
      [&](Context& ctx) { return ctx.spawn_router("subject", group(paths).round_robin()); },
      complete);
  // It still sees the end of an actor of its group, after a restart, too (180w).
  it.test.stop(it.test.find(paths[0]));
  it.test.world.run();
  CHECK(routees(it).size() == paths.size() - 1);
}

void each_pool(const Companion& companion) {
  each_cell({Place::before_call, Place::after_call, Place::constructor, Place::pre_start,
             Place::post_restart, Place::pre_restart, Place::post_stop},
            [&](Scene& it) { play_pool(it, companion); });
}

}  // namespace actord::conformance::matrix::routers
