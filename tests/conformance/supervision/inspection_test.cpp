// SPDX-License-Identifier: Apache-2.0
//
// What an actor tells of itself to someone outside the tree, and asks from outside
// (actor/inspection.hpp, system/outside_ask.hpp).
#include <actord/router.hpp>

#include "message/canonical_text.hpp"
#include "seeded_test.hpp"
#include "system/outside_ask.hpp"

namespace actord::conformance {

namespace {

using actor::Inspection;
using InspectionPtr = base::IntrusivePtr<Inspection>;

struct Inspected {
  std::optional<Inspection::Outcome> outcome;
  InspectionPtr of;
};

Inspected inspect(SeededTest& test, Ref whom) {
  Inspected inspected;
  inspected.of = InspectionPtr(new Inspection([&inspected](Inspection::Outcome outcome) {
    CHECK_FALSE(inspected.outcome);
    inspected.outcome = outcome;
  }));
  test.world.system().inspect(whom.value, inspected.of);
  test.world.run();
  return {inspected.outcome, inspected.of};
}

/// How an ask from outside ended.
struct Ended {
  int times = 0;
  std::string how;
};

system::OutsideAsk::Done noting(Ended& ended) {
  return [&ended](const system::OutsideAsk::Answer& answer) {
    ++ended.times;
    if (answer.message != nullptr)
      ended.how = message::canonical_text(*answer.type, answer.message);
    else if (answer.failure != nullptr) ended.how = message::view(answer.failure->types[0]);
    else ended.how = "shutdown";
  };
}

std::shared_ptr<system::OutsideAsk> ask_for(SeededTest& test, Ref to, Ended& ended) {
  const message::TypeId id = test.world.system().types.find("play.Question/1");
  Question question{7};
  return std::make_shared<system::OutsideAsk>(to, id, test.world.system().types.at(id), &question,
                                              1s, std::nullopt, noting(ended));
}

}  // namespace

TEST_CASE("a router tells its routees, which of them are idle, and how one is chosen") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    Ref router;
    test.perform(boss, [&](ScriptedActor&, Context& ctx) {
      router =
          ctx.spawn_router<ScriptedActor>("router", pool(2).smallest_mailbox(), &test, Script{});
    });
    test.suspend(test.find("/user/boss/router/1"));
    test.world.run();
    for (int n = 0; n < 3; ++n) test.note(router, n);
    test.world.run();
    const auto [outcome, of] = inspect(test, router);
    REQUIRE(of->router);
    CHECK(name_of(of->router->logic) == "smallest-mailbox");
    CHECK(of->router->n_routees == 2);
    std::map<std::uint64_t, std::int64_t> waiting;
    for (const auto& each : of->router->routees) waiting[each.routee] = each.waiting;
    CHECK(waiting[test.find("/user/boss/router/1").value] >= 1);
    CHECK(waiting[test.find("/user/boss/router/2").value] == 0);
    CHECK_FALSE(inspect(test, boss).of->router);
  });
}

TEST_CASE("an actor tells what it is, what it has and what it takes") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Judge>("boss");
    const Ref child = test.spawn_under(boss, "child");
    test.spawn_under(boss, "");
    const Ref watcher = test.spawn("watcher");
    test.watch(watcher, boss);
    test.watch(boss, child);
    test.perform(boss, [](ScriptedActor&, Context& ctx) {
      ctx.start_timer("tick", 10ms, Note{1}, 20ms);
      ctx.receive_timeout(3s);
      ctx.ask<&ScriptedActor::asked>(Ref{ctx.self()}, Letter{}, 1s);
    });
    const auto [outcome, of] = inspect(test, boss);
    REQUIRE(outcome == Inspection::Outcome::answered);
    CHECK(of->behaviour.ends_with("/Boss"));
    CHECK(of->state == "running");
    CHECK(of->named_state.empty());
    CHECK(of->incarnation == 0);
    CHECK(of->n_children == 2);
    CHECK(of->children[0].name == "child");
    CHECK(of->children[1].name == "$a");
    CHECK(of->watchers == std::vector<actor::Ref>{watcher.value});
    CHECK(of->watched == std::vector<actor::Ref>{child.value});
    REQUIRE(of->timers.size() == 1);
    CHECK(of->timers[0].key == "tick");
    CHECK(of->timers[0].period_ns == 20 * ms);
    CHECK(of->timers[0].due_ns == test.world.now_ns() + 10 * ms);
    CHECK(of->receive_timeout_ns == 3000 * ms);
    CHECK(std::ranges::count(of->takes, "play.Note/1") == 1);
    CHECK_FALSE(of->takes_all);
    CHECK(of->strategy.rules.size() == 4);
    CHECK(inspect(test, child).of->incarnation == 0);
  });
}

TEST_CASE("one that is suspended, stashes or waits for its restart answers, one that is gone too") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    test.perform(child, [](ScriptedActor&, Context& ctx) { ctx.become<ScriptedActor::Busy>(); });
    for (int n = 0; n < 3; ++n) test.note(child, n);
    test.world.run();
    auto of = inspect(test, child).of;
    CHECK(of->named_state == "busy");
    CHECK(of->mailbox.stashed == 3);
    CHECK(of->mailbox.messages == 3);
    CHECK(std::ranges::count(of->takes_later, "play.Question/1") == 1);
    test.send_system(child, actor::SystemMessage::suspend());
    test.note(child, 4);
    of = inspect(test, child).of;
    CHECK(of->state == "suspended");
    CHECK(of->mailbox.messages == 4);
    test.send_system(child, actor::SystemMessage::resume());
    test.fail<Restarting>(child);
    CHECK(inspect(test, child).of->incarnation == 1);
    test.stop(child);
    test.world.run();
    CHECK(inspect(test, child).outcome == Inspection::Outcome::gone);
    CHECK(inspect(test, Ref{}).outcome == Inspection::Outcome::gone);
  });
}

TEST_CASE("an actor of the tree answers an ask from outside once, and the inquirer is gone then") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn(
        "child", {.question = [](ScriptedActor&, Context& ctx, const Question& question) {
          ctx.reply(Answer{question.n + 1});
          ctx.reply(Answer{0});
        }});
    Ended ended;
    test.world.system().ask(ask_for(test, child, ended));
    test.world.run();
    CHECK(ended.times == 1);
    CHECK(ended.how.find('8') != std::string::npos);
    CHECK(inspect(test, test.find("/system")).of->n_children == 1);  // /system/log
  });
}

TEST_CASE("an ask from outside ends with a timeout, with the end of its actor or of the system") {
  under_seeds([](SeededTest& test) {
    const Ref silent =
        test.spawn("silent", {.question = [](ScriptedActor&, Context&, const Question&) {}});
    Ended late, lost, never;
    test.world.system().ask(ask_for(test, silent, late));
    test.world.advance(2s);
    CHECK(late.how == "actord::AskTimeout");
    test.world.system().ask(ask_for(test, Ref{}, lost));
    test.world.run();
    CHECK(lost.how == "actord::NoRecipient");
    test.world.system().ask(ask_for(test, silent, never));
    test.world.shut_down();
    CHECK(late.times + lost.times + never.times == 3);
    Ended after;
    test.world.system().ask(ask_for(test, silent, after));
    test.world.run();
    CHECK(after.how == "shutdown");
  });
}

TEST_CASE("a stop from outside is answered when the actor has stopped") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    Ended ended;
    test.world.system().ask(std::make_shared<system::OutsideAsk>(child, 1s, noting(ended)));
    test.world.run();
    CHECK_FALSE(test.is_alive(child));
    CHECK(ended.times == 1);
    CHECK(ended.how.find("existence_confirmedt") != std::string::npos);  // true
  });
}

}  // namespace actord::conformance
