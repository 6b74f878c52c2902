// SPDX-License-Identifier: Apache-2.0
#include "settings/plan.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "settings/plan_json.hpp"
#include "settings_text.hpp"

namespace actord::settings {

namespace {

std::string plan(const std::string& running, const std::string& wanted) {
  return text_of(plan_between(read(running), read(wanted)));
}

/// The configuration of one actor with these keys in its node.
std::string x(const std::string& node, const std::string& rest = "") {
  return "actord.user.x { behaviour = \"p/X\"\n" + node + " }\n" + rest;
}

std::string layered(const std::string& base, const std::string& over) {
  hocon::Source source;
  source.add_text(std::string{schema::reference_name}, std::string{schema::reference_text()});
  source.add_text("base.conf", base);
  const auto running = source.resolve();
  hocon::Source newer;
  newer.add_text(std::string{schema::reference_name}, std::string{schema::reference_text()});
  newer.add_text("base.conf", base);
  newer.add_text("over.conf", over);
  const auto wanted = newer.resolve();
  REQUIRE((running.ok() && wanted.ok()));
  return text_of(
      plan_between(*read_settings(*running, lonely()), *read_settings(*wanted, lonely())));
}

}  // namespace

TEST_CASE("the same content is no step, wherever and in whatever order it is written") {
  CHECK(plan(x("config { a = 1, b { c = 2 } }"), x("config { a = 1, b { c = 2 } }")) ==
        "unchanged\n");
  CHECK(plan(x("config { a = 1, b { c = 2 } }"), "\n# moved\n" + x("config { b.c = 2, a = 1 }")) ==
        "unchanged\n");
  CHECK(plan("vars.n = 1\nactord.log.level = info", "actord.log.level = info") == "unchanged\n");
}

TEST_CASE("actors that are new are created, with those below them, and those that are gone stop") {
  const std::string steps =
      plan("actord.user { a { behaviour = \"p/A\" } }",
           "actord.user {\n b { behaviour = \"p/B\", children { c { } } }\n}");
  CHECK(steps ==
        "create /user/b: \"p/B\" (test.conf:2)\n"
        "create /user/b/c: a supervisor (test.conf:2)\n"
        "stop /user/a: no longer \"p/A\"\n");
}

TEST_CASE("a config is a restart, key by key") {
  CHECK(plan(x("config { a = 1, b = 2, l = [1, 2] }"), x("config { a = 3, c = 4, l = [1] }")) ==
        "restart /user/x config.a: 1 → 3 (test.conf:2)\n"
        "restart /user/x config.c: 4 (test.conf:2)\n"
        "restart /user/x config.l: [1,2] → [1] (test.conf:2)\n"
        "restart /user/x config.b: no longer 2\n");
}

TEST_CASE("another behaviour, dispatcher or mailbox puts another actor in its place") {
  CHECK_HAS(plan(x(""), "actord.user.x { behaviour = \"p/Y\" }"),
            "replace /user/x behaviour: \"p/X\" → \"p/Y\"");
  CHECK_HAS(plan(x(""), x("dispatcher = pinned")), "replace /user/x dispatcher: pinned");
  CHECK_HAS(plan(x("mailbox.capacity = 5"), x("mailbox.capacity = 6")),
            "replace /user/x mailbox.capacity: 5 → 6");
  CHECK_HAS(plan(x("mailbox { capacity = 5 }"), x("mailbox { capacity = 5, overflow = wait }")),
            "replace /user/x mailbox.overflow: wait");
  CHECK_HAS(plan(x("config.a = 1"), x("config.a = 2\ndispatcher = pinned")),
            "replace /user/x config.a: 1 → 2");
}

TEST_CASE("isolation puts another actor in its place, another group only another instance") {
  CHECK(plan(x(""), x("isolation = process")) ==
        "replace /user/x isolation: process (test.conf:2)\n");
  CHECK(plan(x("isolation = process"), x("isolation = process, worker.group = per-actor")) ==
        "restart /user/x worker.group: per-actor (test.conf:2)\n");
  CHECK(plan(x("worker.group = per-plugin"), x("isolation = auto, worker.group = per-actor")) ==
        "replace /user/x isolation: auto (test.conf:2)\n"
        "replace /user/x worker.group: per-plugin → per-actor (test.conf:2)\n");
  const std::string only_new = "; applies to actors that are created from now on\n";
  CHECK(plan(x(""), x("", "actord.plugins.isolation.p = process")) ==
        "live actord.plugins.isolation.p: process (test.conf:3)" + only_new);
  CHECK_HAS(plan(x(""), x("", "actord.actor.deployment.\"/user/*\".isolation = process")),
            "live /user/* isolation: process (test.conf:3)" + only_new);
  CHECK_HAS(plan("", "actord.worker.spare = 2"), "live actord.worker.spare: 1 → 2 (test.conf:1)\n");
}

TEST_CASE("a strategy is swapped, rule by rule") {
  const std::string strategy =
      "supervisor-strategy { max-restarts = 5, decider { \"a::B\" = stop } }";
  CHECK(plan(x(strategy), x(strategy)) == "unchanged\n");
  CHECK(plan(x(strategy), x("supervisor-strategy {\n max-restarts = 5\n decider {\n \"a::B\" = "
                            "restart, default = resume } }")) ==
        "re-strategy /user/x supervisor-strategy.decider.\"a::B\": stop → restart (test.conf:5)\n"
        "re-strategy /user/x supervisor-strategy.decider.default: resume (test.conf:5)\n");
  CHECK(plan(x(""), x("supervisor-strategy = stopping")) ==
        "re-strategy /user/x supervisor-strategy: stopping (test.conf:2)\n");
  CHECK_HAS(plan("", "actord.actor.guardian-supervisor-strategy = stopping"),
            "re-strategy /user guardian-supervisor-strategy: ");
}

TEST_CASE("patterns: a strategy applies to all actors, a dispatcher to later ones") {
  const std::string steps = plan(
      "actord.actor.deployment.\"/user/*\" { dispatcher = pinned }",
      "actord.actor.deployment.\"/user/*\" { supervisor-strategy = stopping, stash-capacity = 3 }");
  CHECK_HAS(steps, "re-strategy /user/* supervisor-strategy: stopping (test.conf:1)\n");
  CHECK_HAS(steps, "live /user/* stash-capacity: 3 (test.conf:1)\n");
  CHECK_HAS(steps,
            "live /user/* dispatcher: no longer pinned; applies to actors that are created from "
            "now on\n");
}

TEST_CASE("patterns: the size of a pool applies at once, its logic to later ones") {
  const std::string steps =
      plan("actord.actor.deployment.\"/user/a/b\".router.size = 2",
           "actord.actor.deployment.\"/user/a/b\".router { size = 3, logic = random }");
  CHECK_HAS(steps, "live /user/a/b router.size: 2 → 3 (test.conf:1)\n");
  CHECK_HAS(steps, "live /user/a/b router.logic: random (test.conf:1); applies to actors");
}

TEST_CASE("a back-off supervisor restarts for its own block, and is another actor than none") {
  const std::string a = "backoff-supervisor { mode = on-stop, min = 1 s, max = 2 s }";
  const std::string b = "backoff-supervisor { mode = on-stop, min = 1 s, max = 3 s }";
  CHECK(plan(x(a), x(b)) == "restart /user/x backoff-supervisor.max: 2 s → 3 s (test.conf:2)\n");
  const std::string limited = "backoff-supervisor.max-restarts = 3";
  CHECK(plan(x(a), x(a + '\n' + limited)) ==
        "re-strategy /user/x backoff-supervisor.max-restarts: 3 (test.conf:3)\n");
  CHECK_HAS(plan(x(""), x(a + '\n' + limited)),
            "replace /user/x backoff-supervisor.max-restarts: ");
  CHECK_HAS(plan(x(a + "\nconfig.n = 1"), x(a + "\nconfig.n = 2")),
            "restart /user/x/x config.n: 1 → 2");
  CHECK_HAS(plan(x(""), x(a)), "replace /user/x backoff-supervisor.mode: ");
}

TEST_CASE("other keys hold at once or need a restart, as the schema says") {
  CHECK(plan("", "actord.log.level = debug") ==
        "live actord.log.level: info → debug (test.conf:1)\n");
  CHECK_HAS(plan("", "actord.actor.debug.lifecycle = on"), "live actord.actor.debug.lifecycle: ");
  CHECK_HAS(plan("", "actord.dead-letters.log = 3"), "live actord.dead-letters.log: 10 → 3");
  CHECK_HAS(plan("", "actord.name = other"), "needs-restart actord.name: actord → other");
  CHECK_HAS(plan("", "actord.log.format = json"), "needs-restart actord.log.format: ");
}

TEST_CASE("what needs a restart is pending as long as it differs from the start") {
  const Settings started = read("");
  const auto pending = pending_between(started, read("actord { name = other, log.level = debug }"));
  REQUIRE(pending.size() == 1);
  CHECK(pending[0].subject == "actord.name");
  CHECK(pending_between(started, read("actord.log.level = debug")).empty());
}

TEST_CASE("a rule that was merged with others from elsewhere says so") {
  const std::string steps =
      layered(x("supervisor-strategy.decider { \"a::B\" = stop, default = restart }"),
              "actord.user.x.supervisor-strategy.decider { \"c::D\" = resume }");
  CHECK_HAS(steps,
            "decider.\"c::D\": resume (over.conf:1); merged with members from elsewhere: a::B "
            "(base.conf:2), default (base.conf:2); to replace it write decider = null first");
  CHECK_FALSE(has(layered(x("supervisor-strategy.decider { \"a::B\" = stop }"),
                          "actord.user.x.supervisor-strategy.decider = null\n"
                          "actord.user.x.supervisor-strategy.decider { \"c::D\" = resume }"),
                  "merged"));
}

TEST_CASE("as JSON a step has what it has, and nothing empty") {
  const auto json =
      json_of(plan_between(read(x("config.a = 1")), read(x("config.a = 2", "actord.name = n"))));
  CHECK(json.dump() ==
        R"({"steps":[{"action":"needs-restart","subject":"actord.name","from":"actord","to":"n",)"
        R"("origin":"test.conf:3"},{"action":"restart","subject":"/user/x","key":"config.a",)"
        R"("from":"1","to":"2","origin":"test.conf:2"}]})");
  CHECK(json_of(Plan{}).dump() == R"({"steps":[]})");
}

}  // namespace actord::settings
