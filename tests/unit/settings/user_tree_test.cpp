// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "unit/settings/settings_text.hpp"

using namespace actord;
using namespace actord::settings;

TEST_SUITE_BEGIN("settings/user_tree");

TEST_CASE("actors come in the order of the file, with their children") {
  const Settings s = read(R"(actord.user {
    zebra {
      behaviour = "zoo/Zebra", config { stripes = 40 }, dispatcher = blocking-io
      mailbox.capacity = 5, stash-capacity = 6
    }
    ape { children { b { behaviour = "zoo/Ape" }, a { behaviour = "zoo/Ape" } } }
  })");
  REQUIRE(s.user.size() == 2);
  CHECK(s.user[0].name == "zebra");
  CHECK(s.user[0].path == "/user/zebra");
  CHECK(s.user[0].behaviour.text() == "zoo/Zebra");
  CHECK(s.user[0].config.member("stripes").text() == "40");
  CHECK(s.user[0].options.dispatcher == "blocking-io");
  CHECK(s.user[0].options.mailbox_capacity == 5);
  CHECK(s.user[0].options.stash_capacity == 6);
  CHECK_FALSE(s.user[0].options.strategy);
  CHECK_FALSE(s.user[1].behaviour);
  CHECK(s.user[1].options.mailbox_capacity == 0);
  CHECK(s.user[1].options.stash_capacity == 0);
  REQUIRE(s.user[1].children.size() == 2);
  CHECK(s.user[1].children[0].path == "/user/ape/b");
  CHECK(s.user[1].children[1].path == "/user/ape/a");
}

TEST_CASE("unlimited is something that is said") {
  const Settings s =
      read("actord.user.a { mailbox.capacity = unlimited, stash-capacity = unlimited }");
  CHECK(s.user[0].options.mailbox_capacity == actor::ActorOptions::unlimited);
  CHECK(s.user[0].options.stash_capacity == actor::ActorOptions::unlimited);
}

TEST_CASE("null takes an actor of a lower layer away") {
  CHECK(read("actord.user.a {}", {"actord.user.a=null"}).user.empty());
}

TEST_CASE("a behaviour is named plugin/Behaviour") {
  for (const char* wrong : {"Echo", "/Echo", "echo/", "a/b/c", "\"\""}) {
    CAPTURE(wrong);
    CHECK_HAS(errors(std::string{"actord.user.x.behaviour = "} + wrong),
              "behaviours are named \"plugin/Behaviour\"");
  }
  CHECK_HAS(errors("actord.user.x.behaviour = [a]"), "expected a behaviour");
}

TEST_CASE("an actor without behaviour takes no config") {
  CHECK_HAS(errors("actord.user.x { config { a = 1 } }"),
            "an actor without behaviour takes no config");
  CHECK(read("actord.user.x { config {} }").user.size() == 1);
  CHECK_HAS(errors("actord.user.x { behaviour = \"a/B\", config = 3 }"), "expected an object");
}

TEST_CASE("an actor is an object") {
  CHECK_HAS(errors("actord.user.x = \"a/B\""), "expected an object");
}

TEST_CASE("names that no actor can have are refused where they stand (supervision.md 142)") {
  const std::string text = errors("actord {\n  user {\n    \"a b\" {}\n  }\n}\n");
  CHECK_HAS(text, "test.conf:3:");
  CHECK_HAS(text, "invalid character ' '");
  CHECK_HAS(errors("actord.user { \"$a\" {} }"), "must not start with '$'");
}

TEST_CASE("a misspelt key of an actor is refused") {
  CHECK_HAS(errors("actord.user.x { behavour = \"a/B\" }"), "did you mean \"behaviour\"?");
  CHECK_HAS(errors("actord.user.x { supervision-strategy = default }"),
            "did you mean \"supervisor-strategy\"?");
  CHECK_HAS(errors("actord.user.x { dispatcher = blocking }"),
            "expected one of default, blocking-io, pinned");
  CHECK(read("actord.user.x { dispatcher = pinned }").user[0].options.dispatcher == "pinned");
  CHECK_HAS(errors("actord.user.x { dispatcher = pined }"), "did you mean \"pinned\"?");
  CHECK_HAS(errors("actord.user.x { dispatcher = blocking_io }"), "did you mean \"blocking-io\"?");
  CHECK_HAS(errors("actord.user.x { mailbox.capacity = 0 }"), "from 1 to 1000000000");
  CHECK_HAS(errors("actord.user.x { mailbox.capacity = endless }"), "unlimited or a number");
  CHECK_HAS(errors("actord.user.x { mailbox.size = 3 }"), "its name is \"capacity\" in actord");
}

TEST_CASE("the error for an actor right inside another one says where children stand") {
  CHECK_HAS(errors("actord.user { a { b { behaviour = \"a/B\" } } }"),
            "put the children of an actor into its children");
}

// ---- duplicates

TEST_CASE("two actors of one name in one file are an error that names both places") {
  const std::string text =
      errors("actord.user {\n  x { behaviour = \"a/B\" }\n  x { behaviour = \"c/D\" }\n}\n");
  CHECK_HAS(text, "test.conf:3:");
  CHECK_HAS(text, "duplicate actor name /user/x");
  CHECK_HAS(text, "the other one is at test.conf:2");
}

TEST_CASE("so are two children of one name, and two far apart") {
  CHECK_HAS(
      errors("actord.user.a.children { x { behaviour = \"a/B\" }, x { behaviour = \"c/D\" } }"),
      "duplicate actor name /user/a/x");
  CHECK_HAS(errors("actord.user.x { behaviour = \"a/B\" }\nvars.y = 1\nactord { user { x { "
                   "behaviour = \"a/B\" } } }"),
            "is at test.conf:1");
}

TEST_CASE("a duplicate is not hidden by a value that a later layer sets") {
  CHECK_HAS(errors("actord.user { x { behaviour = \"a/B\" }, x { behaviour = \"c/D\" } }",
                   {"actord.user.x.behaviour=\"e/F\""}),
            "duplicate actor name");
}

TEST_CASE("a duplicate is found where the configuration is referred to") {
  CHECK_HAS(errors("vars.p = 1\nactord.user {\n x { behaviour = \"a/B\", config.k = ${vars.p} }\n "
                   "x { behaviour = \"c/D\" }\n}"),
            "duplicate actor name");
}

TEST_CASE("another layer may change an actor") {
  CHECK(read("actord.user.x { behaviour = \"a/B\" }", {"actord.user.x.behaviour=\"c/D\""})
            .user.at(0)
            .behaviour.text() == "c/D");
}

TEST_CASE("an actor may be written in parts, one of which has its behaviour") {
  const Settings s =
      read("actord.user.x { behaviour = \"a/B\" }\nactord.user.x { config { k = 1 } }");
  CHECK(s.user.size() == 1);
  CHECK(s.user[0].config.exists());
}

TEST_CASE("an actor may be made from a template and differ from it") {
  const Settings s = read(
      "vars.t { behaviour = \"a/B\", config.k = 1 }\n"
      "actord.user { x = ${vars.t}, y = ${vars.t} { behaviour = \"c/D\" }, z = ${vars.t} { "
      "config.k = 2 } }");
  REQUIRE(s.user.size() == 3);
  CHECK(s.user[0].behaviour.text() == "a/B");
  CHECK(s.user[1].behaviour.text() == "c/D");
  CHECK(s.user[2].config.member("k").text() == "2");
}

TEST_SUITE_END();
