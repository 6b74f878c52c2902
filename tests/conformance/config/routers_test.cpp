// SPDX-License-Identifier: Apache-2.0
//
// Routers that the configuration makes of actors, and what a reload does to them.
#include "conformance/config/config_support.hpp"

#include <actord/router.hpp>

namespace actord::conformance {

namespace {

/// "/user/x" as a router, with the routees "/user/x/1", "/user/x/2", …
std::string routed(const std::string& router, const std::string& rest = "") {
  return "actord.user {\n" + actor("x", rest + "\nrouter { " + router + " }") + "}";
}

int routees(SeededTest& test) {
  return static_cast<int>(test.world.system().routes.read(test.find("/user/x").value).size());
}

void notes(SeededTest& test, int first, int last) {
  for (int n = first; n <= last; ++n) test.note(test.find("/user/x"), n);
  test.world.run();
}

}  // namespace

TEST_CASE("180u config: router.size makes a pool of an actor, in one line") {
  under_config(routed("size = 3"), [](SeededTest& test) {
    CHECK(routees(test) == 3);
    notes(test, 1, 6);
    for (const char* name : {"1", "2", "3"})
      CHECK(test.life_of(name).find("got") != std::string::npos);
  });
}

TEST_CASE("95 config: a routee fails, and the guardian decides about the router") {
  under_config(routed("size = 2"), [](SeededTest& test) {
    const Ref second = test.find("/user/x/2");
    test.fail<Restarting>(test.find("/user/x/1"));
    CHECK(test.world.incarnation(test.find("/user/x").value) == 1);
    CHECK(test.find("/user/x/2") == second);
    CHECK(test.count("2 new 1") == 1);
    CHECK(routees(test) == 2);
  });
}

TEST_CASE("95 config: the strategy of the node is that of the router") {
  under_config(routed("size = 2", "supervisor-strategy { decider.default = resume }"),
               [](SeededTest& test) {
                 test.fail<Restarting>(test.find("/user/x/1"));
                 CHECK(test.world.incarnation(test.find("/user/x").value) == 0);
                 CHECK(test.count("1 new 1") == 0);
               });
}

TEST_CASE("96 config: the routees of a pool have all stopped, and the router stops") {
  under_config(routed("size = 2"), [](SeededTest& test) {
    for (const char* path : {"/user/x/1", "/user/x/2"}) test.stop(test.find(path));
    test.world.run();
    CHECK_FALSE(test.find("/user/x"));
  });
}

TEST_CASE("180w reload: another size adds routees, and the router goes on") {
  under_config(routed("size = 2"), [](SeededTest& test) {
    const Ref router = test.find("/user/x");
    CHECK(reload(test, routed("size = 5")));
    CHECK(routees(test) == 5);
    CHECK(test.world.incarnation(router.value) == 0);
    notes(test, 1, 5);
    for (const char* name : {"1", "2", "3", "4", "5"})
      CHECK(test.life_of(name).find("got") != std::string::npos);
  });
}

TEST_CASE("180w reload: routees that are one too many handle what they have, and stop") {
  under_config(routed("size = 3"), [](SeededTest& test) {
    CHECK(test.read_dead_letters().empty());
    const Ref third = test.find("/user/x/3");
    test.send_system(third, actor::SystemMessage::suspend());
    test.world.run();
    notes(test, 1, 6);
    CHECK(reload(test, routed("size = 2")));
    CHECK(routees(test) == 2);
    CHECK(test.is_alive(third));
    notes(test, 7, 10);
    test.send_system(third, actor::SystemMessage::resume());
    test.world.advance(1s);
    CHECK_FALSE(test.is_alive(third));
    int handled = 0;
    for (const char* name : {"1", "2", "3"})
      for (int n = 1; n <= 10; ++n)
        handled += test.count(std::string{name} + " got " + std::to_string(n));
    CHECK(handled == 10);
    CHECK(test.dead_letters.empty());
    CHECK(reload(test, routed("size = 3")));
    CHECK(routees(test) == 3);
  });
}

namespace {

/// "/user/x", whose code creates the pool "/user/x/pool" with two routees.
std::string deployed(const std::string& router) {
  const std::string rule = router.empty() ? "" : "\"/user/x/pool\" { router { " + router + " } }\n";
  return "actord.user {\n" + actor("x") + "}\nactord.actor.deployment {\n" + rule + "}";
}
void create_pool(SeededTest& test) {
  test.perform(test.find("/user/x"), [&](ScriptedActor&, Context& ctx) {
    ctx.spawn_router<ScriptedActor>("pool", pool(2).round_robin(), &test, Script{});
  });
}
std::size_t size_of_pool(SeededTest& test) {
  return test.world.system().routes.read(test.find("/user/x/pool").value).size();
}

}  // namespace

TEST_CASE("180w deployment: a pattern decides how many routees a pool in code has") {
  under_config(deployed("size = 4"), [](SeededTest& test) {
    create_pool(test);
    CHECK(size_of_pool(test) == 4);
  });
  under_config(deployed("resizer { lower = 3 }"), [](SeededTest& test) {
    create_pool(test);
    CHECK(size_of_pool(test) == 3);
  });
}

TEST_CASE("180w deployment: a pattern decides which routee gets a message") {
  under_config(deployed("logic = balancing"), [](SeededTest& test) {
    create_pool(test);
    test.suspend(test.find("/user/x/pool/1"));
    test.world.run();
    for (int n = 1; n <= 4; ++n) test.note(test.find("/user/x/pool"), n);
    test.world.run();
    const auto handled_by = [&](const std::string& name) {
      int handled = 0;
      for (int n = 1; n <= 4; ++n) handled += test.count(name + " got " + std::to_string(n));
      return handled;
    };
    CHECK(handled_by("2") == 3);  // in turn, it would have two
    test.resume(test.find("/user/x/pool/1"));
    test.world.run();
    CHECK(handled_by("1") == 1);
  });
}

TEST_CASE(
    "180w deployment reload: another size adds routees and lets them go, and nothing restarts") {
  under_config(deployed(""), [](SeededTest& test) {
    create_pool(test);
    const Ref router = test.find("/user/x/pool");
    const auto resize = [&](const std::string& rule) {
      CHECK(reload(test, deployed(rule)));
      test.world.advance(1s);
      return size_of_pool(test);
    };
    CHECK(resize("size = 5") == 5);
    CHECK(resize("size = 3") == 3);
    CHECK(resize("size = 3, logic = random") == 3);
    CHECK(resize("") == 3);
    CHECK(resize("size = 1") == 1);
    CHECK(test.world.incarnation(router.value) == 0);
    CHECK(test.count("1 new 1") == 0);
  });
}

TEST_CASE("180w deployment reload: two sizes that wait for the router add up to the last one") {
  under_config(deployed("size = 2"), [](SeededTest& test) {
    create_pool(test);
    const Ref router = test.find("/user/x/pool");
    // Each message of a reload waits behind the one before it.
    test.suspend(router);
    test.world.run();
    CHECK(reload(test, deployed("size = 4")));
    CHECK(reload(test, deployed("size = 3")));
    CHECK(size_of_pool(test) == 2);
    test.resume(router);
    test.world.advance(1s);
    CHECK(size_of_pool(test) == 3);
  });
}

TEST_CASE("180w deployment: an actor that is no router, and a group, go on as they are") {
  under_config(deployed("size = 4"), [](SeededTest& test) {
    test.perform(test.find("/user/x"), [&](ScriptedActor&, Context& ctx) {
      ctx.spawn_router("pool", group({"/user/x"}).round_robin());
    });
    CHECK(size_of_pool(test) == 1);
    CHECK(reload(test, deployed("size = 3")));
    CHECK(size_of_pool(test) == 1);
  });
  under_config(deployed("size = 4"), [](SeededTest& test) {
    const Ref plain = test.spawn_under(test.find("/user/x"), "pool");
    CHECK(reload(test, deployed("size = 3")));
    test.note(plain, 1);
    test.world.run();
    CHECK(test.count("pool got 1") == 1);
  });
}

TEST_CASE("180x config: a resizer creates routees like the configured ones") {
  under_config(routed("size = 1, resizer { upper = 3, rampup-rate = 1 }"), [](SeededTest& test) {
    test.send_system(test.find("/user/x/1"), actor::SystemMessage::suspend());
    test.world.run();
    notes(test, 1, 4);
    test.world.advance(1s);
    CHECK(routees(test) == 2);
    CHECK(test.find("/user/x/extra-1"));
    // A reload of something else leaves it alone.
    CHECK(reload(test, "# moved\n" + routed("size = 1, resizer { upper = 3, rampup-rate = 1 }")));
    CHECK(routees(test) == 2);
    test.send_system(test.find("/user/x/1"), actor::SystemMessage::resume());
    test.world.run();
    CHECK(test.count("1 got 4") == 1);
  });
}

TEST_CASE("180v config: another logic, and a group of other nodes") {
  under_config("actord.user {\n" + actor("a") + actor("b") +
                   "x.router { type = group, logic = broadcast, paths = [/user/a, /user/b] }\n}",
               [](SeededTest& test) {
                 notes(test, 7, 7);
                 CHECK(test.count("a got 7") == 1);
                 CHECK(test.count("b got 7") == 1);
               });
  under_config(routed("size = 4, logic = consistent-hashing, hash-field = n"),
               [](SeededTest& test) {
                 for (int i = 0; i < 3; ++i) notes(test, 5, 5);
                 int homes = 0;
                 for (const char* name : {"1", "2", "3", "4"})
                   homes += test.count(std::string{name} + " got 5") == 3 ? 1 : 0;
                 CHECK(homes == 1);
               });
}

}  // namespace actord::conformance
