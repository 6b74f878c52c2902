// SPDX-License-Identifier: Apache-2.0
#include "matrix.hpp"

#include <algorithm>

namespace actord::conformance::matrix {

namespace {

constexpr std::uint64_t seeds = 3;  // of each cell, which are others than those of the next one

template <class Enum>
std::string words_of(Enum value) {
  const auto known = std::ranges::find(detail::enumerators<Enum>, value,
                                       [](const auto& each) { return each.value; });
  std::string words{known->name};
  std::ranges::replace(words, '_', ' ');
  return words;
}

/// Asks for the scene.
class Asker : public ScriptedActor {
 public:
  Asker(Context& ctx, Scene* of) : ScriptedActor(ctx, &of->test, {}), scene_(*of) {}
  void replied(Context&, const Reply<Answer>& reply) {
    if (reply) ++scene_.answers[reply->n];
    else ++scene_.refusals;
  }

 private:
  Scene& scene_;
};

}  // namespace

Strategy strategy_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::resume: return one_for_one().otherwise(Directive::resume);
    case Verdict::stop: return one_for_one().otherwise(Directive::stop);
    case Verdict::escalate: return one_for_one().otherwise(Directive::escalate);
    case Verdict::all_for_one: return all_for_one().otherwise(Directive::restart);
    case Verdict::back_off:
      return one_for_one()
          .otherwise(Directive::restart)
          .backoff({.min = 100ms, .max = 100ms, .random_factor = 0});
    case Verdict::restart: break;
  }
  return one_for_one().otherwise(Directive::restart);
}

std::string Cell::name() const { return words_of(place) + ", " + words_of(verdict); }

Scene::Scene(SeededTest& test_, const Cell& cell_) : test(test_), cell(cell_) {
  const Ref top{test.world.spawn<Chief>("top", &test, Script{}, strategy_of(Verdict::restart))};
  test.perform(top, [&](ScriptedActor&, Context& ctx) {
    boss = ctx.spawn<Chief>("boss", &test, keeping_children(), strategy_of(cell.verdict));
  });
  test.spawn_under(boss, "sibling");
}

void Scene::at(Place place) {
  const bool is_way_there = is_hook_of_end(cell.place) && place == Place::after_call;
  if (is_way_there && !std::exchange(has_begun_, true)) return fail(place);
  if (place != cell.place || has_failed_) return;
  // Hooks run at the end of a world, too.
  if (is_hook_of_end(place) && !has_begun_) return;
  has_failed_ = true;
  if (throws_itself(place)) throw Broken(words_of(place));
  fail(place);
}

void Scene::fail(Place place) {
  if (cell.verdict != Verdict::all_for_one || !has_sibling) throw Broken(words_of(place));
  test.queue_failure<Broken>(sibling());
}

Script Scene::hooks() {
  return {.construct = [this](ScriptedActor&, Context&) { at(Place::constructor); },
          .pre_start = [this](ScriptedActor&, Context&) { at(Place::pre_start); },
          .post_stop = [this](ScriptedActor&, Context&) { at(Place::post_stop); },
          .pre_restart =
              [this](ScriptedActor& actor, Context& ctx, const Failure& reason) {
                at(Place::pre_restart);
                actor.Actor::pre_restart(ctx, reason);
              },
          .post_restart =
              [this](ScriptedActor& actor, Context& ctx, const Failure& reason) {
                at(Place::post_restart);
                actor.Actor::post_restart(ctx, reason);
              }};
}

Ref Scene::spawn_below_boss(const std::function<Ref(Context&)>& spawn) {
  Ref spawned;
  test.perform(boss, [&](ScriptedActor&, Context& ctx) { spawned = spawn(ctx); });
  return spawned;
}

void Scene::create(std::function<Ref(Context&)> spawn) {
  spawn_ = std::move(spawn);
  revive();
  settle();
  revive();
}

void Scene::revive() {
  if (subject() && test.is_alive(subject())) return;
  spawn_below_boss(spawn_);
}

void Scene::ask(int first, int last) {
  if (!asker_) asker_ = {test.world.spawn<Asker>("asker", this)};
  test.queue(asker_, [=, this](ScriptedActor&, Context& ctx) {
    for (int n = first; n <= last; ++n) ctx.ask<&Asker::replied>(subject(), Question{n}, 1s);
  });
  settle();
}

void Scene::check_failures(bool judged) {
  CHECK(has_failed_ == is_reached(cell));
  CHECK(test.world.events("actor.failed").size() ==
        static_cast<std::size_t>(judged ? failures(cell) : 0));
}

namespace {

void play_in_world(std::uint64_t seed, const SeededTest::Setup& setup, const Cell& cell,
                   const std::function<void(Scene&)>& play) {
  SeededTest test(seed, setup);
  Scene scene(test, cell);  // to which the actors refer until they end
  play(scene);
  test.end();
}

}  // namespace

void each_cell(std::initializer_list<Place> places, const std::function<void(Scene&)>& play,
               const SeededTest::Setup& setup) {
  std::uint64_t seed = 0;
  for (const Place place : places) {
    for (const auto& verdict : detail::enumerators<Verdict>) {
      const Cell cell{place, verdict.value};
      const std::uint64_t last = seed + seeds;
      SUBCASE(cell.name().c_str()) {
        for (++seed; seed <= last; ++seed) {
          CAPTURE(seed);
          try {  // the other cells are played all the same
            play_in_world(seed, setup, cell, play);
          } catch (const std::exception& error) {
            FAIL_CHECK(error.what());
          }
        }
      }
      seed = last;
    }
  }
}

}  // namespace actord::conformance::matrix
