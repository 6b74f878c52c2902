// SPDX-License-Identifier: Apache-2.0
//
// Another configuration in the place of the one that holds, while actors run: what changes for
// whom, and that nobody else notices.
#include "configured.hpp"

namespace actord::conformance {

namespace {

using Otherwise = actor::Strategy::Otherwise;

constexpr std::int64_t ms = 1'000'000;

/// "top" with a child, judged so.
Nodes family(const actor::Strategy& strategy) { return {{"top", {{"child"}}, strategy}}; }

actor::Strategy backing_off(std::int64_t delay_ns) {
  actor::Strategy strategy = restarting();
  strategy.backoff = actor::Backoff{delay_ns, delay_ns, 0, delay_ns, 1'000};
  return strategy;
}

/// The child's failure reaches its supervisor when that has been suspended.
void fail_while_suspended(Play& play, Ref child, Ref supervisor) {
  play.perform(child, [=](Puppet& puppet, Context&) {
    puppet.play().order(supervisor, actor::Order::suspend);
    throw Resuming("boom");
  });
}

}  // namespace

// ---- strategies ---------------------------------------------------------------------------------

TEST_CASE("reload: a strategy holds from the next failure on, and nobody notices it before") {
  under_seeds(
      [](Play& play) {
        const Ref top = play.find("/user/top"), child = play.find("/user/top/child");
        play.fail<Resuming>(child);
        CHECK(play.world.incarnation(child.value) == 1);
        play.perform(child, [](Puppet& puppet, Context&) { puppet.value = 7; });
        const Change change = reconfigure(play, family(always(Otherwise::stop, "new.conf:3")));
        CHECK(*change.is_done);
        CHECK(play.find("/user/top/child") == child);
        CHECK(play.value(child) == 7);
        play.fail<Resuming>(child);
        CHECK_FALSE(play.is_alive(child));
        CHECK(play.world.events("actor.failed").back().field("decision.config_origin") ==
              "new.conf:3");
        CHECK(play.life_of("top") == "new 0, pre_start 0");
        CHECK(play.is_alive(top));
      },
      boot(family(always(Otherwise::restart))));
}

TEST_CASE("reload: what a supervisor has counted goes on under the new limit") {
  under_seeds(
      [](Play& play) {
        const Ref child = play.find("/user/top/child");
        play.fail<Resuming>(child);
        play.fail<Resuming>(child);
        reconfigure(play, family(restarting(3)));
        play.fail<Resuming>(child);
        CHECK(play.answers(child));
        play.fail<Resuming>(child);
        CHECK_FALSE(play.is_alive(child));
      },
      boot(family(restarting(5))));
}

TEST_CASE("reload: a rule reaches actors that code has made, named or not, and leaves them again") {
  under_seeds(
      [](Play& play) {
        const Ref top = play.find("/user/top");
        const Ref boss = play.spawn_under(top, "boss"), nameless = play.spawn_under(top, "");
        const auto fail_child_of = [&](Ref whom) {
          const Ref child = play.spawn_under(whom, "");
          play.fail<Stopping>(child);
          return play.is_alive(child);
        };
        CHECK(fail_child_of(boss));
        reconfigure(play, {{"top"}}, {rule_for("/user/top/*", always(Otherwise::stop))});
        CHECK_FALSE(fail_child_of(boss));
        CHECK_FALSE(fail_child_of(nameless));
        const Ref later = play.spawn_under(top, "later");
        CHECK_FALSE(fail_child_of(later));
        reconfigure(play, {{"top"}});
        for (const Ref each : {boss, nameless, later}) CHECK(fail_child_of(each));
        CHECK(play.life_of("boss") == "new 0, pre_start 0");
      },
      boot({{"top"}}));
}

TEST_CASE("reload: the guardian's strategy is changed like any other") {
  under_seeds(
      [](Play& play) {
        const Ref top = play.find("/user/top");
        play.user.strategy = always(Otherwise::resume);
        reconfigure(play, {{"top"}});
        play.fail<Stopping>(top);
        CHECK(play.world.incarnation(top.value) == 0);
        CHECK(play.answers(top));
      },
      boot({{"top"}}));
}

TEST_CASE("reload: a failure that waits to be judged is judged by the new rules") {
  under_seeds(
      [](Play& play) {
        const Ref top = play.find("/user/level/top"), child = play.find("/user/level/top/child");
        fail_while_suspended(play, child, top);
        CHECK(play.cell(child).is_failed());
        reconfigure(play, {{"level", family(always(Otherwise::stop))}});
        CHECK(play.is_alive(child));
        play.order(top, actor::Order::resume);
        play.world.run();
        CHECK_FALSE(play.is_alive(child));
      },
      boot({{"level", family(always(Otherwise::restart))}}));
}

TEST_CASE("reload: one that waits for its back-off goes on waiting, the next one is the new one") {
  under_seeds(
      [](Play& play) {
        const Ref child = play.find("/user/top/child");
        play.fail<Resuming>(child);
        play.world.advance(60ms);
        reconfigure(play, family(backing_off(10 * ms)));
        play.world.advance(39ms);
        CHECK(play.cell(child).stage == actor::Stage::backing_off);
        play.world.advance(1ms);
        CHECK(play.answers(child));
        play.fail<Resuming>(child);
        play.world.advance(20ms);
        CHECK(play.answers(child));
        CHECK(play.world.incarnation(child.value) == 2);
      },
      boot(family(backing_off(100 * ms))));
}

TEST_CASE("reload: whoever is spawned meanwhile is judged by the new rules too") {
  under_seeds(
      [](Play& play) {
        const Ref top = play.find("/user/top");
        for (int round = 0; round < 20; ++round) {
          const bool stops = round % 2 == 0;
          const auto spawn_some = [&] {
            for (int i = 0; i < 5; ++i) {
              play.queue(top, [](Puppet& puppet, Context& ctx) {
                const Ref boss = ctx.spawn<Puppet>("", &puppet.play(), Part{});
                ctx.spawn<Puppet>("boss-" + std::to_string(boss.value), &puppet.play(), Part{});
              });
            }
          };
          spawn_some();
          for (int i = 0; i < round % 5; ++i) play.world.step();
          const Change change = configure(
              play, {{"top"}},
              {rule_for("/user/top/*", always(stops ? Otherwise::stop : Otherwise::resume))});
          for (int i = 0; i < round % 3; ++i) play.world.step();
          spawn_some();
          play.world.run();
          CHECK(*change.is_done);
          const actor::CellPool& cells = play.world.system().cells;
          for (std::uint32_t at = actor::first_child_of(play.cell(top)); at != actor::Cell::none;
               at = cells.at(at).next_sibling) {
            REQUIRE(cells.at(at).props->strategy != nullptr);
            CHECK(cells.at(at).props->strategy->otherwise ==
                  (stops ? Otherwise::stop : Otherwise::resume));
          }
        }
      },
      boot({{"top"}}));
}

// ---- restarts -----------------------------------------------------------------------------------

TEST_CASE("reload: one with another config is restarted, with its mail, and the others are not") {
  const auto nodes = [](std::string content) -> Nodes {
    return {{"one", {{"inner"}}, {}, false, {}, std::move(content), "new.conf:7"}, {"two"}};
  };
  std::string why;
  const auto parts = [&why] {
    return Parts{{"one", {.post_restart = [&why](Puppet&, Context&, const Failure& reason) {
                    why = reason.type();
                  }}}};
  };
  under_seeds(
      [&](Play& play) {
        const Ref one = play.find("/user/one"), two = play.find("/user/two");
        play.perform(one, [](Puppet& puppet, Context&) { puppet.value = 7; });
        play.watch(two, one);
        configure(play, nodes("b"));
        play.note(one, 1);
        play.world.run();
        CHECK(why == "actord::ConfigChanged");
        CHECK(play.find("/user/one") == one);
        CHECK(play.value(one) == 0);
        CHECK(play.world.incarnation(one.value) == 1);
        CHECK(play.came_in_order({"one pre_restart 0", "inner post_stop 0", "one new 1",
                                  "one post_restart 1", "inner new 1"}));
        CHECK(play.count("one got 1") == 1);
        CHECK(play.answers(play.find("/user/one/inner")));
        CHECK(play.life_of("two") == "new 0, pre_start 0");
        const auto lines = play.world.events("actor.restarted");
        REQUIRE(lines.size() == 1);
        CHECK(lines[0].field("restart.cause") == "actord::ConfigChanged");
        CHECK(lines[0].field("config.origin") == "new.conf:7");
        CHECK(lines[0].level == log::Level::info);
        CHECK(play.world.events("actor.failed").empty());
        CHECK(play.cell(one).stats == nullptr);
      },
      boot(nodes("a"), parts));
}

TEST_CASE("reload: children that outlive the restart of their parent are restarted with it") {
  const auto nodes = [](std::string content) -> Nodes {
    return {{"one", {{"inner"}}, {}, false, {}, std::move(content)}};
  };
  under_seeds(
      [&](Play& play) {
        const Ref inner = play.find("/user/one/inner");
        reconfigure(play, nodes("b"));
        CHECK(play.find("/user/one/inner") == inner);
        CHECK(play.life_of("inner") ==
              "new 0, pre_start 0, pre_restart 0, post_stop 0, new 1, post_restart 1, pre_start 1");
        CHECK(play.answers(inner));
      },
      boot(nodes("a"), [] {
        return Parts{{"one", keeping_children()}};
      }));
}

TEST_CASE("reload: one that is about to be built is built once, from the new config") {
  const auto nodes = [](std::string content) -> Nodes {
    return {{"top", {{"child", {}, {}, false, {}, std::move(content)}}, backing_off(100 * ms)}};
  };
  under_seeds(
      [&](Play& play) {
        const Ref child = play.find("/user/top/child");
        play.fail<Restarting>(child);
        const Change change = reconfigure(play, nodes("b"));
        CHECK(*change.is_done);
        CHECK(play.cell(child).stage == actor::Stage::backing_off);
        play.world.advance(100ms);
        CHECK(play.world.incarnation(child.value) == 1);
        CHECK(play.count("child new 1") == 1);
        CHECK(play.count("child new 2") == 0);
        CHECK(play.cell(child).props->node->content == "b");
        CHECK(play.answers(child));
      },
      boot(nodes("a")));
}

TEST_CASE("reload: one that has failed is restarted, and its verdict is carried out besides") {
  const auto nodes = [](const actor::Strategy& strategy, std::string content) -> Nodes {
    return {
        {"level", {{"top", {{"child", {{"leaf"}}, {}, false, {}, std::move(content)}}, strategy}}}};
  };
  for (const Otherwise verdict :
       {Otherwise::resume, Otherwise::restart, Otherwise::stop, Otherwise::escalate}) {
    CAPTURE(static_cast<int>(verdict));
    const actor::Strategy strategy = always(verdict);
    under_seeds(
        [&](Play& play) {
          const Ref top = play.find("/user/level/top");
          const Ref child = play.find("/user/level/top/child");
          fail_while_suspended(play, child, top);
          play.order(top, actor::Order::resume);
          const Change change = reconfigure(play, nodes(strategy, "b"));
          CHECK(*change.is_done);
          CHECK(play.answers(top));
          CHECK(play.is_alive(child) ==
                (verdict == Otherwise::resume || verdict == Otherwise::restart));
          const Ref now = play.find("/user/level/top/child");
          if (verdict == Otherwise::stop && !now) return;  // it came behind the change
          CHECK(play.answers(now));
          CHECK(play.answers(play.find("/user/level/top/child/leaf")));
          CHECK(play.cell(now).props->node->content == "b");
        },
        boot(nodes(strategy, "a")));
  }
}

TEST_CASE("reload: one that cannot be built from its new config is judged like any other") {
  const auto nodes = [](std::string content) -> Nodes {
    return {{"one", {}, {}, false, {}, std::move(content)}, {"two"}};
  };
  const auto picky = [] {
    return Parts{{"one", {.construct = [](Puppet& puppet, Context&) {
                    if (puppet.number() > 0) throw Stopping("no such port");
                  }}}};
  };
  under_seeds(
      [&](Play& play) {
        const Ref one = play.find("/user/one");
        const Change change = reconfigure(play, nodes("b"));
        CHECK(*change.is_done);
        CHECK_FALSE(play.is_alive(one));
        REQUIRE(play.world.lost_children().size() == 1);
        CHECK(play.world.lost_children()[0].path == "/user/one");
        CHECK(play.world.lost_children()[0].what == "no such port");
        CHECK(play.answers(play.find("/user/two")));
        reconfigure(play, nodes("b"));  // the same: it stays away
        CHECK(play.find("/user/one") == Ref{});
      },
      boot(nodes("a"), picky));
}

// ---- new ones, and those that go ----------------------------------------------------------------

TEST_CASE("reload: new actors start in the order of the file, each when the one before has") {
  under_seeds(
      [](Play& play) {
        const Ref b = play.find("/user/b");
        const Change change =
            reconfigure(play, {{"a", {{"inner"}}}, {"b"}, {"c"}, {"d", {}, {}, true}});
        CHECK(*change.is_done);
        CHECK(play.came_in_order({"b new 0", "a new 0", "inner new 0", "c new 0"}));
        CHECK(play.find("/user/b") == b);
        CHECK(play.life_of("b") == "new 0, pre_start 0");
        for (const char* path : {"/user/a", "/user/a/inner", "/user/c", "/user/d"})
          CHECK(play.find(path) != Ref{});
      },
      boot({{"b"}}));
}

TEST_CASE("reload: an actor that stands there no more is stopped, its children first") {
  under_seeds(
      [](Play& play) {
        const Ref gone = play.find("/user/gone");
        play.watch(play.find("/user/stays"), gone);
        const Change change = reconfigure(play, {{"stays"}});
        CHECK(*change.is_done);
        CHECK_FALSE(play.is_alive(gone));
        CHECK(play.came_in_order(
            {"inner post_stop 0", "gone post_stop 0", ended("stays", "gone", "config")}));
        CHECK(play.world.events("actor.stopped").back().field("reason") == "config");
        CHECK(play.find("/user/gone") == Ref{});
        CHECK(play.answers(play.find("/user/stays")));
      },
      boot({{"gone", {{"inner"}}}, {"stays"}}));
}

TEST_CASE(
    "reload: one of another kind takes the place of the one that was there, when it is gone") {
  under_seeds(
      [](Play& play) {
        const Ref former = play.find("/user/one");
        const Change change =
            reconfigure(play, {{"one", {{"inner"}}, {}, false, "blocking-io"}, {"two"}});
        CHECK(*change.is_done);
        const Ref latter = play.find("/user/one");
        CHECK(latter != former);
        CHECK_FALSE(play.is_alive(former));
        CHECK(play.came_in_order({"inner post_stop 0", "one post_stop 0", "one new 1",
                                  "one pre_start 1", "inner new 1"}));
        CHECK(play.cell(latter).dispatcher == 2);
        CHECK(play.life_of("two") == "new 0, pre_start 0");
      },
      boot({{"one", {{"inner"}}}, {"two"}}));
}

TEST_CASE("reload: one that cannot be created is lost; the others start, nothing is taken back") {
  under_seeds(
      [](Play& play) {
        const Change change = reconfigure(play, {{"bad"}, {"last"}});
        CHECK(*change.is_done);
        REQUIRE(play.world.lost_children().size() == 1);
        CHECK(play.world.lost_children()[0].path == "/user/bad");
        CHECK(play.answers(play.find("/user/last")));
        CHECK(play.find("/user/first") == Ref{});
      },
      boot({{"first"}}, [] {
        return Parts{{"bad", stillborn()}};
      }));
}

TEST_CASE("reload: it is over when the new ones have started, and tells until then who has not") {
  const auto inner = [] {
    return Parts{{"bad", {.pre_start = [](Puppet& puppet, Context&) {
                    if (puppet.number() == 0) throw Restarting("not yet");
                  }}}};
  };
  under_seeds(
      [](Play& play) {
        const Ref level = play.find("/user/level");
        const Change change =
            configure(play, {{"level", {{"bad", {{"leaf"}}}}, backing_off(100 * ms)}});
        CHECK(change.wish->awaited() == std::vector<actor::Ref>{play.world.find("/")});
        const auto is_waiting = [&] { return play.cell(level).organs->roster.awaited != 0; };
        CHECK(play.step_until([&] { return play.cell(level).organs != nullptr && is_waiting(); }));
        CHECK_FALSE(*change.is_done);
        play.world.run();  // its first failure has been judged
        CHECK(*change.is_done);
        CHECK(change.wish->awaited().empty());
        play.world.advance(100ms);
        CHECK(play.answers(play.find("/user/level/bad/leaf")));
      },
      boot({{"level", {}, backing_off(100 * ms)}}, inner));
}

TEST_CASE("reload: who has ended by itself stays away until its own config changes") {
  const auto nodes = [](std::string content, const actor::Strategy& strategy) -> Nodes {
    return {{"top", {{"child", {}, {}, false, {}, std::move(content)}}, strategy}};
  };
  under_seeds(
      [&](Play& play) {
        play.fail<Stopping>(play.find("/user/top/child"));
        CHECK(play.find("/user/top/child") == Ref{});
        reconfigure(play, nodes("a", always(Otherwise::resume)));
        CHECK(play.find("/user/top/child") == Ref{});
        reconfigure(play, nodes("b", always(Otherwise::resume)));
        CHECK(play.answers(play.find("/user/top/child")));
        CHECK(play.life_of("top") == "new 0, pre_start 0");
      },
      boot(nodes("a", always(Otherwise::stop))));
}

TEST_CASE("reload: a name that code has given to an actor is not given twice") {
  under_seeds(
      [](Play& play) {
        const Ref made = play.spawn_under(play.find("/user/top"), "child");
        const Change change = reconfigure(play, {{"top", {{"child"}, {"other"}}}});
        CHECK(*change.is_done);
        CHECK(play.find("/user/top/child") == made);
        REQUIRE(play.world.lost_children().size() == 1);
        CHECK(play.world.lost_children()[0].what.find("is taken") != std::string::npos);
        CHECK(play.answers(play.find("/user/top/other")));
      },
      boot({{"top"}}));
}

TEST_CASE("reload: a supervisor that waits for its verdict starts nobody until it goes on") {
  const Nodes wanted{{"level", {{"top", {{"child"}, {"new"}}}}, always(Otherwise::resume)}};
  under_seeds(
      [&](Play& play) {
        const Ref level = play.find("/user/level");
        fail_while_suspended(play, play.find("/user/level/top"), level);
        const Change change = reconfigure(play, wanted);
        CHECK_FALSE(*change.is_done);
        CHECK(play.find("/user/level/top/new") == Ref{});
        play.order(level, actor::Order::resume);
        play.world.run();
        CHECK(*change.is_done);
        CHECK(play.answers(play.find("/user/level/top/new")));
      },
      boot({{"level", {{"top", {{"child"}}}}, always(Otherwise::resume)}}));
}

TEST_CASE("reload: a second one that takes back what the first has yet to do ends both") {
  const Nodes before{{"level", {{"top", {{"child"}}}}, always(Otherwise::resume)}};
  const Nodes wanted{{"level", {{"top", {{"child"}, {"new"}}}}, always(Otherwise::resume)}};
  under_seeds(
      [&](Play& play) {
        const Ref level = play.find("/user/level");
        fail_while_suspended(play, play.find("/user/level/top"), level);
        const Change first = reconfigure(play, wanted);
        CHECK_FALSE(*first.is_done);
        const Change second = reconfigure(play, before);
        play.order(level, actor::Order::resume);
        play.world.run();
        CHECK(*first.is_done);
        CHECK(*second.is_done);
        CHECK(play.find("/user/level/top/new") == Ref{});
        CHECK(play.answers(play.find("/user/level/top/child")));
      },
      boot(before));
}

TEST_CASE("reload: a supervisor that is being restarted starts those of the new configuration") {
  under_seeds(
      [](Play& play) {
        const Ref top = play.find("/user/level/top");
        play.fail<Restarting>(top);
        CHECK(play.cell(top).stage == actor::Stage::backing_off);
        const Change change =
            reconfigure(play, {{"level", {{"top", {{"new"}}}}, backing_off(100 * ms)}});
        CHECK(*change.is_done);
        play.world.advance(100ms);
        CHECK(play.life_of("child") == "new 0, pre_start 0, post_stop 0");
        CHECK(play.answers(play.find("/user/level/top/new")));
      },
      boot({{"level", {{"top", {{"child"}}}}, backing_off(100 * ms)}}));
}

// ---- at any time --------------------------------------------------------------------------------

TEST_CASE("reload: while the system boots, it goes on with the new configuration") {
  for (const std::string when : {"level", "b", "c", "z"}) {
    CAPTURE(when);
    const auto parts = [&] {
      return Parts{{when, {.pre_start = [](Puppet& puppet, Context&) {
                      if (puppet.number() == 0)
                        configure(puppet.play(), {{"a"}, {"level", {{"c"}, {"new"}}}});
                    }}}};
    };
    under_seeds(
        [&](Play& play) {
          CHECK(play.world.is_ready());
          for (const char* path : {"/user/a", "/user/level/new", "/user/level/c"})
            CHECK(play.answers(play.find(path)));
          CHECK(play.find("/user/level/b") == Ref{});
          CHECK(play.find("/user/z") == Ref{});
          CHECK(play.world.lost_children().empty());
        },
        boot({{"level", {{"b"}, {"c"}}}, {"z"}}, parts));
  }
}

TEST_CASE("reload: on the way down it changes nothing, and is over") {
  for (int steps = 0; steps < 12; ++steps) {
    under_seeds(
        [&](Play& play) {
          play.world.system().terminate();
          for (int i = 0; i < steps; ++i) play.world.step();
          const Change change = configure(play, {{"a", {}, {}, false, {}, "b"}, {"new"}});
          play.world.run();
          CHECK(play.world.has_stopped());
          CHECK(*change.is_done);
          CHECK(play.life_of("new") == "");
        },
        boot({{"a", {{"b"}}}}));
  }
}

TEST_CASE("reload: what was replaced is freed when nobody is judged by it or built from it") {
  under_seeds(
      [](Play& play) {
        std::vector<std::weak_ptr<const void>> keepers;
        for (int i = 0; i < 1'000; ++i) {
          const std::string content = i % 50 == 0 ? std::to_string(i) : "a";
          const Change change =
              reconfigure(play, {{"top", {{"child", {}, {}, false, {}, content}}, restarting(i)}},
                          {rule_for("/user/top/**", restarting(i))});
          keepers.push_back(change.keeper);
        }
        const auto held =
            std::ranges::count_if(keepers, [](const auto& k) { return !k.expired(); });
        CHECK(held <= 2);  // the last one, and the one from which "child" was built
        CHECK_FALSE(keepers.back().expired());
      },
      boot({{"top", {{"child"}}}}));
}

TEST_CASE("reload: among failures, spawns and stops, everybody comes to rest under the last one") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    base::Random random(seed);
    const auto some = [&]() -> Nodes {
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
    };
    Play::Setup setup = boot(some(), [] { return Parts{{"b", keeping_children()}}; });
    setup.before_start = [before = setup.before_start](Play& play) {
      before(play);
      play.user.strategy = always(Otherwise::restart);
    };
    Play play(seed, setup);
    std::vector<Change> changes;
    Nodes last;
    for (int i = 0; i < 40; ++i) {
      const char* paths[] = {"/user/a",   "/user/b",   "/user/c",   "/user/a/x", "/user/a/y",
                             "/user/b/x", "/user/b/y", "/user/c/x", "/user/c/y"};
      const Ref whom = play.find(paths[random.below(std::size(paths))]);
      switch (whom ? random.below(6) : 5) {
        case 0:
        case 1: play.queue_failure<Restarting>(whom); break;
        case 2: play.stop(whom); break;
        case 3:
          play.queue(whom, [](Puppet& puppet, Context& ctx) {
            ctx.spawn<Puppet>("", &puppet.play(), Part{});
          });
          break;
        case 4: play.world.advance(std::chrono::milliseconds(random.below(10))); break;
        default:
          last = some();
          changes.push_back(configure(play, last, {rule_for("/user/*/*", restarting())}));
      }
      for (std::uint64_t steps = random.below(12); steps > 0; --steps) play.world.step();
    }
    play.world.advance(1s);
    for (const Change& change : changes) {
      CHECK(*change.is_done);
      CHECK(change.wish->awaited().empty());
    }
    for (const char* name : {"a", "b", "c"}) {
      const Ref there = play.find(std::string{"/user/"} + name);
      const auto wanted = std::ranges::find(last, name, &Node::name);
      if (wanted == last.end()) {
        CHECK_FALSE(there);
        continue;
      }
      if (!there) continue;  // it was stopped
      CHECK(play.answers(there));
      CHECK(play.cell(there).props->node->content == wanted->content);
      CHECK(play.cell(there).suspensions == 0);
    }
    play.end();
  }
}

}  // namespace actord::conformance
