// SPDX-License-Identifier: Apache-2.0
//
// Names, paths and references: items 140, 142, 143 and 144; and 67, a child looked up by name.
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

/// The reason for refusing a child of this name; empty if it is accepted.
std::string refusal(SeededTest& test, Ref parent, const std::string& name) {
  std::string why;
  test.perform(parent, [&](ScriptedActor& actor, Context& ctx) {
    try {
      ctx.spawn<ScriptedActor>(name, &actor.test(), Script{});
    } catch (const Error& refused) {
      why = refused.what();
    }
  });
  return why;
}

}  // namespace

TEST_CASE("140 a live name is not given twice, nor while its owner is still stopping") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    const Ref child = test.spawn_under(boss, "child");
    test.spawn_under(child, "slow");
    CHECK(refusal(test, boss, "child").find("taken") != std::string::npos);
    bool is_refused = false;
    test.perform(boss, [&](ScriptedActor& actor, Context& ctx) {
      ctx.stop(child);
      try {
        ctx.spawn<ScriptedActor>("child", &actor.test(), Script{});
      } catch (const Error&) {
        is_refused = true;
      }
    });
    CHECK(is_refused);
    CHECK(refusal(test, boss, "child") == "");
    CHECK_THROWS(test.spawn("boss"));
    CHECK(test.answers(boss));
  });
}

TEST_CASE("140 a parent sees whose names are taken, and who of them is stopping") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    const Ref kept = test.spawn_under(boss, "kept");
    const Ref going = test.spawn_under(boss, "going");
    const Ref nameless = test.spawn_under(boss, "");
    test.perform(boss, [&](ScriptedActor& actor, Context& ctx) {
      CHECK_FALSE(ctx.child("gone"));
      CHECK_FALSE(ctx.child("$b"));
      CHECK(ctx.child("$a")->ref == nameless);
      CHECK_FALSE(ctx.child("going")->is_stopping);
      ctx.stop(going);
      REQUIRE(ctx.child("going"));
      CHECK(ctx.child("going")->ref == going);
      CHECK(ctx.child("going")->is_stopping);
      const std::vector<Child> all = ctx.all_children();
      REQUIRE(all.size() == 3);
      CHECK(all[0].ref == kept);
      CHECK_FALSE(all[0].is_stopping);
      CHECK(all[1].ref == going);
      CHECK(all[1].is_stopping);
      CHECK(ctx.children() == std::vector<Ref>{kept, nameless});
      CHECK_THROWS_AS(ctx.spawn<ScriptedActor>("going", &actor.test(), Script{}), Error);
    });
    test.perform(boss, [&](ScriptedActor&, Context& ctx) {
      CHECK_FALSE(ctx.child("going"));
      CHECK(ctx.all_children().size() == 2);
    });
    CHECK(refusal(test, boss, "going") == "");
  });
}

TEST_CASE("140 among many children names are as unique") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    for (int i = 0; i < 30; ++i) test.spawn_under(boss, "child-" + std::to_string(i));
    for (int i = 0; i < 30; ++i) CHECK(refusal(test, boss, "child-" + std::to_string(i)) != "");
    for (int i = 0; i < 28; ++i) test.stop(test.find("/user/boss/child-" + std::to_string(i)));
    CHECK(refusal(test, boss, "child-29") != "");
    CHECK(refusal(test, boss, "child-0") == "");
    CHECK(refusal(test, boss, "child-0") != "");
  });
}

TEST_CASE("142 a name is not empty or generated, and of certain characters; the error says where") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    for (const char* name : {"a", "A-1_.", "a*", "+:@&=,!~';", "a$b", "%20", "x%fFy"})
      CHECK(refusal(test, boss, name) == "");
    CHECK(refusal(test, boss, "$a").find("'$'") != std::string::npos);
    for (const char* name : {"..", "*", "**"})
      CHECK(refusal(test, boss, name).find("means something else in a path") != std::string::npos);
    for (const auto& [name, position] :
         std::map<std::string, std::string>{{"a/b", "position 1"},
                                            {" ", "position 0"},
                                            {"ab#", "position 2"},
                                            {"a%2", "position 1"},
                                            {"%zz", "position 0"},
                                            {"\xc3\xa4", "position 0"}}) {
      const std::string why = refusal(test, boss, name);
      CHECK(why.find(position) != std::string::npos);
    }
  });
}

TEST_CASE("143 unnamed children are $a, $b and so on, in each parent anew") {
  under_seeds([](SeededTest& test) {
    for (const char* name : {"one", "two"}) {
      const Ref boss = test.spawn(name);
      std::vector<Ref> children;
      for (int i = 0; i < 66; ++i) children.push_back(test.spawn_under(boss, ""));
      const std::string path = std::string{"/user/"} + name + '/';
      CHECK(test.world.path(children[0].value) == path + "$a");
      CHECK(test.world.path(children[1].value) == path + "$b");
      CHECK(test.world.path(children[63].value) == path + "$~");
      CHECK(test.world.path(children[64].value) == path + "$ab");
      test.stop(children[0]);
      CHECK(test.world.path(test.spawn_under(boss, "").value) == path + "$cb");
    }
  });
}

TEST_CASE("144 an actor of the same name has the dead actor's path and never its reference") {
  under_seeds([](SeededTest& test) {
    const Ref first = test.spawn("child");
    test.fail<Restarting>(first);
    CHECK(test.find("/user/child") == first);
    test.stop(first);
    CHECK(test.find("/user/child") == Ref{});
    const Ref second = test.spawn("child");
    CHECK(first != second);
    CHECK(test.world.path(first.value) == test.world.path(second.value));
    test.note(first, 1);
    test.note(second, 2);
    test.world.run();
    CHECK(test.count("child got 1") == 0);
    CHECK(test.count("child got 2") == 1);
  });
}

TEST_CASE("67 spawning a behaviour that is not loaded is an error to the caller") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    std::string why;
    test.perform(boss, [&](ScriptedActor&, Context& ctx) {
      try {
        ctx.spawn("child", "nobody/Nothing");
      } catch (const Error& refused) {
        why = refused.what();
      }
    });
    CHECK(why.find("nobody/Nothing") != std::string::npos);
    CHECK(test.find("/user/boss/child") == Ref{});
    CHECK(test.answers(boss));
  });
}

}  // namespace actord::conformance
