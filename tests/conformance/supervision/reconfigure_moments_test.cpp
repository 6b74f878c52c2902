// SPDX-License-Identifier: Apache-2.0
//
// Reconfiguration while actors run: at any moment of their lives, and many times.
#include "reconfigure_support.hpp"

namespace actord::conformance {

TEST_CASE("reload: while the system boots, it goes on with the new configuration") {
  for (const std::string when : {"level", "b", "c", "z"}) {
    CAPTURE(when);
    const auto scripts = [&] {
      return Scripts{{when, {.pre_start = [](ScriptedActor& actor, Context&) {
                        if (actor.number() == 0)
                          configure(actor.test(), {{"a"}, {"level", {{"c"}, {"new"}}}});
                      }}}};
    };
    under_seeds(
        [&](SeededTest& test) {
          CHECK(test.world.is_ready());
          for (const char* path : {"/user/a", "/user/level/new", "/user/level/c"})
            CHECK(test.answers(test.find(path)));
          CHECK(test.find("/user/level/b") == Ref{});
          CHECK(test.find("/user/z") == Ref{});
          CHECK(test.world.lost_children().empty());
        },
        boot({{"level", {{"b"}, {"c"}}}, {"z"}}, scripts));
  }
}

TEST_CASE("reload: during shutdown it changes nothing, and is over") {
  for (int steps = 0; steps < 12; ++steps) {
    under_seeds(
        [&](SeededTest& test) {
          test.world.system().terminate();
          for (int i = 0; i < steps; ++i) test.world.step();
          const Change change = configure(test, {{"a", {}, {}, false, {}, "b"}, {"new"}});
          test.world.run();
          CHECK(test.world.has_stopped());
          CHECK(*change.is_done);
          CHECK(test.life_of("new") == "");
        },
        boot({{"a", {{"b"}}}}));
  }
}

TEST_CASE("reload: a replaced snapshot is freed when no actor uses it any more") {
  under_seeds(
      [](SeededTest& test) {
        std::vector<std::weak_ptr<const void>> keepers;
        for (int i = 0; i < 1'000; ++i) {
          const std::string content = i % 50 == 0 ? std::to_string(i) : "a";
          const Change change =
              reconfigure(test, {{"top", {{"child", {}, {}, false, {}, content}}, restarting(i)}},
                          {rule_for("/user/top/**", restarting(i))});
          keepers.push_back(change.keeper);
        }
        const auto held =
            std::ranges::count_if(keepers, [](const auto& k) { return !k.expired(); });
        CHECK(held <= 2);  // the last one, and the one that "child" was built from
        CHECK_FALSE(keepers.back().expired());
      },
      boot({{"top", {{"child"}}}}));
}

TEST_CASE("reload: an actor that code has spawned keeps nothing of replaced snapshots") {
  under_seeds(
      [](SeededTest& test) {
        const auto rule = rule_for("/user/top/*", restarting());
        std::vector<std::weak_ptr<const void>> keepers;
        keepers.push_back(reconfigure(test, {{"top"}}, {rule}).keeper);
        const Ref made = test.spawn_under(test.find("/user/top"), "made");
        for (int i = 0; i < 3; ++i) keepers.push_back(reconfigure(test, {{"top"}}, {rule}).keeper);
        test.fail<Restarting>(made);
        keepers.push_back(reconfigure(test, {{"top"}}, {rule}).keeper);
        keepers.push_back(reconfigure(test, {{"top"}}, {rule}).keeper);
        CHECK_FALSE(keepers.back().expired());
        keepers.pop_back();
        for (const auto& keeper : keepers) CHECK(keeper.expired());
        CHECK(test.answers(made));
      },
      boot({{"top"}}));
}

namespace {

Nodes random_nodes(base::Random& random) {
  Nodes nodes;
  for (const char* name : {"a", "b", "c"}) {
    if (random.below(4) == 0) continue;
    Node& node = nodes.emplace_back();
    node.name = name;
    node.content = std::to_string(random.below(3));
    node.dispatcher = random.below(5) == 0 ? "blocking-io" : "";
    const Otherwise verdicts[] = {Otherwise::resume, Otherwise::restart, Otherwise::stop,
                                  Otherwise::escalate};
    node.strategy = always(verdicts[random.below(4)]);
    if (random.below(3) == 0) node.strategy->kind = actor::Strategy::Kind::all_for_one;
    if (random.below(3) == 0)
      node.strategy->backoff = actor::Backoff{5 * ms, 20 * ms, 0, 5 * ms, 1'000};
    for (const char* inner : {"x", "y"}) {
      if (random.below(3) == 0) continue;
      Node& child = node.children.emplace_back();
      child.name = inner;
      child.content = std::to_string(random.below(2));
    }
  }
  return nodes;
}

}  // namespace

TEST_CASE("reload: with failures, spawns and stops all actors end under the last snapshot") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    base::Random random(seed);
    SeededTest::Setup setup = boot(random_nodes(random), [] {
      return Scripts{{"b", keeping_children()}};
    });
    setup.before_start = [before = setup.before_start](SeededTest& test) {
      before(test);
      test.user.options.strategy = always(Otherwise::restart);
    };
    SeededTest test(seed, setup);
    std::vector<Change> changes;
    Nodes last;
    for (int i = 0; i < 40; ++i) {
      const char* paths[] = {"/user/a",   "/user/b",   "/user/c",   "/user/a/x", "/user/a/y",
                             "/user/b/x", "/user/b/y", "/user/c/x", "/user/c/y"};
      const Ref whom = test.find(paths[random.below(std::size(paths))]);
      switch (whom ? random.below(6) : 5) {
        case 0:
        case 1: test.queue_failure<Restarting>(whom); break;
        case 2: test.stop(whom); break;
        case 3:
          test.queue(whom, [](ScriptedActor& actor, Context& ctx) {
            ctx.spawn<ScriptedActor>("", &actor.test(), Script{});
          });
          break;
        case 4: test.world.advance(std::chrono::milliseconds(random.below(10))); break;
        default:
          last = random_nodes(random);
          changes.push_back(configure(test, last, {rule_for("/user/*/*", restarting())}));
      }
      for (std::uint64_t steps = random.below(12); steps > 0; --steps) test.world.step();
    }
    test.world.advance(1s);
    for (const Change& change : changes) {
      CHECK(*change.is_done);
      CHECK(change.reconfiguration->awaited().empty());
    }
    for (const char* name : {"a", "b", "c"}) {
      const Ref there = test.find(std::string{"/user/"} + name);
      const auto wanted = std::ranges::find(last, name, &Node::name);
      if (wanted == last.end()) {
        CHECK_FALSE(there);
        continue;
      }
      if (!there) continue;  // it was stopped
      CHECK(test.answers(there));
      CHECK(test.cell(there).props->node->content == wanted->content);
      CHECK(test.cell(there).life.suspensions() == 0);
    }
    test.end();
  }
}

}  // namespace actord::conformance
