// SPDX-License-Identifier: Apache-2.0
//
// A model that cannot object is no oracle: the tests feed it, by hand, events that must not happen.
#include "sim/model.hpp"

#include <doctest/doctest.h>

namespace actord::sim {

TEST_SUITE_BEGIN("sim/model");

namespace {

constexpr std::int64_t ms = 1'000'000;

/// A supervisor (1) with two children (2, 3), all running, and a clock.
struct SmallTree {
  SmallTree() : SmallTree(StrategyPlan{}) {}
  explicit SmallTree(const StrategyPlan& strategy) {
    scenario.strategies = {strategy};
    scenario.actors = {ActorPlan{}};
    be_born(0);
    be_born(1);
    be_born(1);
  }
  Id be_born(Id parent, std::uint64_t name = 0) {
    const Id id = model.spawned(parent, 0, name);
    model.construct(id, now);
    model.constructed(id);
    model.pre_start(id);
    model.started(id);
    return id;
  }
  void judge(Id child, Judgement code = Judgement::undecided,
             const ObservedFailure& failure = {Cause::odd, ObservedFailure::Wrapped::no}) {
    const Id supervisor = model.at(child).parent;
    model.deciding(supervisor, child, failure);
    model.decided(supervisor, child, failure, code, model.at(supervisor).children, now);
  }
  void begin_restart(Id who) {
    model.pre_restart(who);
    model.pre_restarted(who, false);
    model.destroyed(who);
  }
  void finish_restart(Id who) {
    model.construct(who, now);
    model.constructed(who);
    model.post_restart(who);
    model.restarted(who);
  }
  void fail_and_restart(Id who) {
    model.failed(who, Cause::odd);
    judge(who, Judgement::restart);
    begin_restart(who);
    finish_restart(who);
  }
  void end(Id who) {
    model.post_stop(who);
    model.post_stopped(who);
    model.destroyed(who);
  }

  Scenario scenario;
  Findings findings;
  Model model{scenario, findings};
  std::int64_t now = 1'000 * ms;
};

}  // namespace

TEST_CASE("a correct life breaks no rule") {
  SmallTree f;
  f.model.message(2);
  f.fail_and_restart(2);
  f.model.message(2);
  f.model.failed(3, Cause::odd);
  f.judge(3, Judgement::resume);
  f.model.message(3);
  f.model.stop(1, 0);
  for (const Id child : {2u, 3u}) {
    f.end(child);
    f.model.child_terminated(1, child);
  }
  f.end(1);
  for (const Id each : {1u, 2u, 3u}) f.model.check_settled(each, false);
  CHECK(f.findings.first() == "");
}

TEST_CASE("11: no message before the start, none in between") {
  SmallTree f;
  const Id id = f.model.spawned(1, 0, 0);
  SUBCASE("unborn") { f.model.message(id); }
  SUBCASE("constructed") {
    f.model.construct(id, f.now);
    f.model.constructed(id);
    f.model.message(id);
  }
  SUBCASE("post_restart instead of pre_start") {
    f.model.construct(id, f.now);
    f.model.constructed(id);
    f.model.post_restart(id);
  }
  CHECK(f.findings.invariant() == 11);
}

TEST_CASE("5: a failed actor handles nothing, nor do its children") {
  SmallTree f;
  SUBCASE("itself") {
    f.model.failed(2, Cause::odd);
    f.model.message(2);
  }
  SUBCASE("its child") {
    const Id grandchild = f.be_born(2);
    f.model.failed(2, Cause::odd);
    f.model.message(grandchild);
  }
  SUBCASE("its sibling, all for one, before its own restart") {
    StrategyPlan all;
    all.is_all_for_one = true;
    SmallTree g(all);
    g.model.failed(2, Cause::odd);
    g.judge(2, Judgement::restart);
    g.model.message(3);
    CHECK(g.findings.invariant() == 5);
    return;
  }
  CHECK(f.findings.invariant() == 5);
}

TEST_CASE("18: no message begins behind an order to stop") {
  SmallTree f;
  f.model.stop(2, 1);
  f.model.message(2);
  CHECK(f.findings.invariant() == 18);
}

TEST_CASE("10: no actor restarts or stops without a decision") {
  SmallTree f;
  SUBCASE("restarts") { f.model.pre_restart(2); }
  SUBCASE("restarts after a resume") {
    f.model.failed(2, Cause::odd);
    f.judge(2, Judgement::resume);
    f.model.pre_restart(2);
  }
  SUBCASE("stops") { f.model.post_stop(2); }
  SUBCASE("is created anew before the verdict") {
    const Id id = f.model.spawned(1, 0, 0);
    f.model.construct(id, f.now);
    f.model.failed(id, Cause::odd);
    f.model.construct(id, f.now);
  }
  SUBCASE("waits for a verdict for ever") {
    f.model.failed(2, Cause::odd);
    f.model.check_settled(2, true);
  }
  SUBCASE("lives on although it must stop") {
    f.model.stop(2, 1);
    f.model.check_settled(2, true);
  }
  SUBCASE("is not there any more") { f.model.check_settled(2, false); }
  CHECK(f.findings.invariant() == 10);
}

TEST_CASE("10: a restart waits for its delay") {
  StrategyPlan slow;
  slow.backoff_min_ns = 5 * ms;
  slow.backoff_max_ns = 10 * ms;
  SmallTree f(slow);
  f.model.failed(2, Cause::odd);
  f.judge(2, Judgement::restart);
  f.begin_restart(2);
  SUBCASE("in time") {
    f.now += 5 * ms;
    f.finish_restart(2);
    CHECK(f.findings.empty());
  }
  SUBCASE("too early") {
    f.now += 5 * ms - 1;
    f.finish_restart(2);
    CHECK(f.findings.invariant() == 10);
  }
}

TEST_CASE("25: beyond the limit there is a stop, not a restart") {
  StrategyPlan once;
  once.max_restarts = 1;
  SmallTree f(once);
  f.fail_and_restart(2);
  CHECK(f.findings.empty());
  f.model.failed(2, Cause::odd);
  f.judge(2, Judgement::restart);
  CHECK(f.model.at(2).is_stop_due);
  SUBCASE("it stops") {
    f.end(2);
    CHECK(f.findings.empty());
  }
  SUBCASE("it restarts") {
    f.model.pre_restart(2);
    CHECK(f.findings.invariant() == 10);
  }
}

TEST_CASE("12: one instance, one pre_restart, one post_stop") {
  SmallTree f;
  SUBCASE("a second instance") { f.model.construct(2, f.now); }
  SUBCASE("post_stop after pre_restart") {
    f.model.failed(2, Cause::odd);
    f.judge(2, Judgement::restart);
    f.begin_restart(2);
    f.model.stop(2, 1);
    f.model.post_stop(2);
  }
  SUBCASE("post_stop twice") {
    f.model.stop(2, 1);
    f.model.post_stop(2);
    f.model.post_stopped(2);
    f.model.post_stop(2);
  }
  SUBCASE("destroyed in the middle of its life") { f.model.destroyed(2); }
  CHECK(f.findings.invariant() == 12);
}

TEST_CASE("13 and 14: children end first") {
  SmallTree f;
  SUBCASE("13: before their parent's post_stop") {
    f.model.stop(1, 0);
    f.end(2);
    f.model.post_stop(1);
    CHECK(f.findings.invariant() == 13);
  }
  SUBCASE("14: before its next constructor, if it stopped them") {
    f.model.failed(1, Cause::odd);  // the guardian restarts it
    f.model.pre_restart(1);
    f.model.pre_restarted(1, true);
    f.model.destroyed(1);
    f.end(2);
    f.model.construct(1, f.now);
    CHECK(f.findings.invariant() == 14);
  }
}

TEST_CASE("9: a supervisor that waits for its own verdict does not judge") {
  SmallTree f;
  f.model.failed(2, Cause::odd);
  f.model.failed(1, Cause::odd);
  f.model.deciding(1, 2, {Cause::odd, ObservedFailure::Wrapped::no});
  CHECK(f.findings.invariant() == 9);
}

TEST_CASE("9: what a failing decider judges has failed, though no hook of it saw that") {
  SmallTree f;
  const Id manager = f.be_born(2), worker = f.be_born(manager);
  f.model.stop(1, 0);  // so that it is not known whether a failure counts
  f.judge(worker, Judgement::escalate, {Cause::killed, ObservedFailure::Wrapped::no});
  f.model.deciding(2, manager, {Cause::killed, ObservedFailure::Wrapped::no});
  f.model.decide_failed(2, manager, Cause::soft);
  f.judge(2, Judgement::resume, {Cause::soft, ObservedFailure::Wrapped::no});
  f.model.message(worker);
  CHECK(f.findings.empty());
}

TEST_CASE("8: an actor that has not failed is not judged") {
  SmallTree f;
  f.judge(2);
  CHECK(f.findings.invariant() == 8);
}

TEST_CASE("23: the end of a child is reported once, and not before it") {
  SmallTree f;
  f.model.stop(2, 1);
  SUBCASE("twice") {
    f.end(2);
    f.model.child_terminated(1, 2);
    CHECK(f.findings.empty());
    f.model.child_terminated(1, 2);
  }
  SUBCASE("too early") { f.model.child_terminated(1, 2); }
  CHECK(f.findings.invariant() == 23);
}

TEST_CASE("28: a name belongs to one living child") {
  SmallTree f;
  f.be_born(1, 7);
  SUBCASE("given twice") { f.be_born(1, 7); }
  SUBCASE("refused though it is free") { f.model.refused(1, 8); }
  CHECK(f.findings.invariant() == 28);
}

TEST_CASE("27: the verdict that the system reports is the strategy's") {
  SmallTree f;
  f.model.failed(2, Cause::odd);
  f.judge(2);
  f.model.verdict_reported(1, 2, Judgement::restart);
  CHECK(f.findings.empty());
  f.model.verdict_reported(1, 2, Judgement::stop);
  CHECK(f.findings.invariant() == 27);
}

TEST_CASE("27: an escalated failure is the supervisor's own, and its child waits") {
  SmallTree f;
  const Id grandchild = f.be_born(2);
  f.model.failed(grandchild, Cause::odd);
  f.judge(grandchild, Judgement::escalate);
  CHECK(f.model.at(2).is_failed);
  SUBCASE("until the supervisor is resumed") {
    f.judge(2, Judgement::resume);
    f.model.message(grandchild);
    CHECK(f.findings.empty());
  }
  SUBCASE("not longer and not shorter") {
    f.model.message(grandchild);
    CHECK(f.findings.invariant() == 5);
  }
}

TEST_CASE("the budget is charged as section 0 says") {
  const auto charge = [](std::int64_t restarts, std::int64_t within,
                         std::initializer_list<std::int64_t> times) {
    StrategyPlan plan;
    plan.max_restarts = restarts;
    plan.within_ns = within;
    RestartCount count;
    std::string answers;
    for (const std::int64_t at : times) answers += count.charge(plan, at) ? 'y' : 'n';
    return answers;
  };
  CHECK(charge(0, -1, {1, 2}) == "nn");
  CHECK(charge(2, -1, {1, 2, 3, 1'000}) == "yynn");
  CHECK(charge(-1, -1, {1, 2, 3}) == "yyy");
  CHECK(charge(-1, 10, {1, 11, 12}) == "yny");  // one in a window, which includes its end
  CHECK(charge(2, 10, {1, 5, 11, 12}) == "yyny");
}

TEST_CASE("the most derived rule wins, then what is left, then the default") {
  StrategyPlan plan;
  plan.rules = {{Cause::flaw, Judgement::stop}, {Cause::hard, Judgement::resume}};
  CHECK(judgement_of(plan, {Cause::hard, {}}) == Judgement::resume);
  CHECK(judgement_of(plan, {Cause::soft, {}}) == Judgement::stop);
  CHECK(judgement_of(plan, {Cause::odd, {}}) == Judgement::escalate);
  CHECK(judgement_of(plan, {Cause::hard, ObservedFailure::Wrapped::initialization}) ==
        Judgement::escalate);
  plan.otherwise = Judgement::restart;
  CHECK(judgement_of(plan, {Cause::odd, {}}) == Judgement::restart);
  const StrategyPlan none;
  CHECK(judgement_of(none, {Cause::odd, {}}) == Judgement::restart);
  CHECK(judgement_of(none, {Cause::odd, ObservedFailure::Wrapped::post_restart}) ==
        Judgement::stop);
  CHECK(judgement_of(none, {Cause::killed, {}}) == Judgement::stop);
  CHECK(judgement_of(none, {Cause::foreign, {}}) == Judgement::escalate);
}

TEST_SUITE_END();

}  // namespace actord::sim
