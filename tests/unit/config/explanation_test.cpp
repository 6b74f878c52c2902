// SPDX-License-Identifier: Apache-2.0
#include "config/explanation.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "unit/ctl/ctl_support.hpp"

using namespace actord::ctl;
using actord::config::environment_name_of;
using Json = nlohmann::ordered_json;

namespace {

const std::string guardian = "actord.actor.guardian-supervisor-strategy";

Ran explained(const std::string& text, const std::string& key) {
  const ConfigFolder folder;
  return run({"config", "explain", "--config", folder.write("a.conf", text), key});
}

Json as_json(const std::string& text, const std::string& key) {
  const ConfigFolder folder;
  return Json::parse(
      run({"config", "explain", "-o", "json", "--config", folder.write("a.conf", text), key}).out);
}

}  // namespace

TEST_SUITE_BEGIN("config/explanation");

TEST_CASE("a file may stand behind the key") {
  const ConfigFolder folder;
  const std::string file = folder.write("a.conf", "actord.log.level = debug");
  const Ran ran = run({"config", "explain", "actord.log.level", file});
  CHECK(ran.exit == 0);
  CHECK(has(ran.out, "actord.log.level = debug"));
}

TEST_CASE("a value is printed with its type, range, reload class, origin and what it overrides") {
  const Json it =
      as_json("actord.log.level = info\nactord { log.level = debug }", "actord.log.level");
  CHECK(it["value"] == "debug");
  CHECK(it["type"] == "word");
  CHECK(it["range"] == "error | warning | info | debug");
  CHECK(it["reload"] == "live");
  CHECK(has(it["from"]["origin"], "a.conf:2:22"));
  CHECK(it["from"]["text"] == "level = debug");
  REQUIRE(it["overrides"].size() == 2);
  CHECK(has(it["overrides"][0]["origin"], "a.conf:1:20"));
  CHECK(it["overrides"][1]["origin"] == "built in");
  CHECK(it["environment"] == "ACTORD_SET_actord_log_level");
}

TEST_CASE("a substitution is followed to where its value was written") {
  const Json it = as_json("vars { a = debug, b = ${vars.a} }\nactord.log.level = ${vars.b}",
                          "actord.log.level");
  CHECK(it["value"] == "debug");
  CHECK(it["from"]["text"] == "level = ${vars.b}");
  REQUIRE(it["via"].size() == 2);
  CHECK(it["via"][0]["text"] == "vars.b = debug");
  CHECK(it["via"][1]["text"] == "vars.a = debug");
}

TEST_CASE("a key that is not set is printed with its default") {
  const Json it = as_json("", "actord.actor.default-dispatcher.workers");
  CHECK(it["value"] == "auto");
  CHECK(it["from"]["origin"] == "built in");
  CHECK(it["set"] == false);
}

TEST_CASE("parts of a strategy that was chosen by name come from that strategy") {
  const Ran unset = explained("", guardian + ".max-restarts");
  CHECK(unset.exit == 0);
  CHECK(has(unset.out, guardian + ".max-restarts = unlimited"));
  CHECK(has(unset.out, "from the strategy `default`, which applies if none is set"));
  const Ran named = explained(guardian + " = stopping", guardian + ".max-restarts");
  CHECK(has(named.out, "from the strategy `stopping`"));
  CHECK(has(named.out, "a.conf:1:"));
  const Ran alias =
      explained("akka.actor.guardian-supervisor-strategy = akka.actor.StoppingSupervisorStrategy",
                guardian + ".type");
  CHECK(has(alias.out, ".type = one-for-one"));
  const Ran foreign = explained(guardian + " = \"plugin/Own\"", guardian + ".max-restarts");
  CHECK(foreign.exit == 0);
  CHECK(has(foreign.out, "decided by the configurator `plugin/Own`"));
}

TEST_CASE("in a block what is not written has its default") {
  const std::string block = guardian + " { type = all-for-one, max-restarts = 3 }";
  CHECK(as_json(block, guardian + ".max-restarts")["value"] == "3");
  CHECK(as_json(block, guardian + ".within")["value"] == "infinite");
  CHECK(as_json(block, guardian + ".within")["from"]["origin"] == "built in");
}

TEST_CASE("an unknown key ends with 1 and a suggestion") {
  struct Row {
    const char *key, *help;
  };
  for (const Row& row : {Row{"actord.log.levle", "did you mean \"actord.log.level\"?"},
                         Row{"actord.lgo.level", "did you mean \"actord.log.level\"?"},
                         Row{"log.level", "did you mean \"actord.log.level\"?"},
                         Row{"actord.log.throughput", "actord.actor.default-dispatcher.throughput"},
                         Row{"a..b", "a key is made of names"}}) {
    CAPTURE(row.key);
    const Ran ran = explained("", row.key);
    CHECK(ran.exit == 1);
    CAPTURE(ran.err);
    CHECK(has(ran.err, row.help));
  }
}

TEST_CASE("a section is printed with the keys in it") {
  const Json it = as_json("", "actord.dead-letters");
  CHECK(it["type"] == "object");
  CHECK(it["members"].size() == 4);
}

TEST_CASE("a value without a schema can be asked for, too") {
  CHECK(as_json("vars.x = [1, 2]", "vars.x")["value"] == "[1,2]");
}

TEST_CASE("the config of a behaviour whose plugin is missing may have secrets, and is not shown") {
  const Json it =
      as_json("actord.user.x { behaviour = \"absent/X\", config.n = 3 }", "actord.user.x.config.n");
  CHECK(it["value"] == "(secret)");
  CHECK(has(it["remark"], "its range is not known"));
}

TEST_CASE("a mistake elsewhere is reported and keeps no key from being explained") {
  const std::string text = "actord.log.level = debug\nactord.nme = x\nactord.boot.on-failure = 7";
  const Ran right = explained(text, "actord.log.level");
  CHECK(right.exit == 78);
  CHECK(has(right.out, "actord.log.level = debug"));
  CHECK(has(right.err, "a.conf:2:"));
  CHECK(has(right.err, "a.conf:3:"));
  const Ran wrong = explained(text, "actord.boot.on-failure");
  CHECK(wrong.exit == 78);
  CHECK(has(wrong.out, "actord.boot.on-failure = 7"));
  const Ran unknown = explained(text, "actord.nme");
  CHECK(unknown.exit == 1);
  CHECK(has(unknown.err, "did you mean \"actord.name\"?"));
  const Json it = as_json(text, "actord.log.level");
  CHECK(it["value"] == "debug");
  CHECK(it["exit"] == 78);
  CHECK(it["findings"].size() == 2);
  CHECK(explained("actord {", "actord.log.level").out.empty());
}

TEST_CASE("a wrong strategy decides none of its parts") {
  for (const char* strategy : {"stoping", "[stopping]"}) {
    CAPTURE(strategy);
    const Ran ran = explained(guardian + " = " + strategy, guardian + ".max-restarts");
    CHECK(ran.exit == 78);
    CHECK(has(ran.out, "the value that is set is not a strategy"));
  }
  CHECK(explained(guardian + " = null", guardian + ".max-restarts").exit == 0);
}

TEST_CASE("what was not read because of a mistake may be secret, and is not shown") {
  const ConfigFolder folder;
  for (const std::string mistake :
       {"actord.user.x { behavior = \"absent/X\"\n config.pw = opensesame }",
        "actord.user.x { behaviour = 7\n config.pw = opensesame }",
        "actord.user.x { behaviour = \"absent/X\"\n config = opensesame }",
        "actord.user.x { behaviour = \"absent/X\"\n confg.pw = opensesame }",
        "actord.user.x { behaviour = \"absent/X\"\n config.pw = opensesame }\nactord.nme = x",
        "actord.user.x.children = [{\n config.pw = opensesame }]",
        "actord.user.x.dispatcher.config.pw = opensesame",
        "actord.user.x { behaviour = \"absent/X\", confg { pw = opensesame } }",
        "actord.usr.x.config {\n pw = opensesame }", "user.x.config {\n pw = opensesame }"}) {
    CAPTURE(mistake);
    const std::string file = folder.write("a.conf", mistake);
    const Ran shown = run({"config", "show", file, "--origin"});
    CHECK(shown.exit == 78);
    CHECK(has(shown.out, "(secret)"));
    CHECK_FALSE(has(shown.out + shown.err, "opensesame"));
    for (const char* key : {"actord.user.x.config.pw", "actord.user.x.children"}) {
      const Ran explained = run({"config", "explain", key, file});
      CHECK_FALSE(has(explained.out + explained.err, "opensesame"));
    }
  }
}

TEST_CASE("the name of the variable that sets a key follows its spelling") {
  CHECK(environment_name_of({"actord", "boot", "on-failure"}) ==
        "ACTORD_SET_actord_boot_on__failure");
  CHECK(environment_name_of({"actord", "user", "a_b"}) == "ACTORD_SET_actord_user_a___b");
  CHECK(environment_name_of({"actord", "/user/*"}).empty());
}

TEST_CASE("a decider is explained with the failures that it can name") {
  const Json it = as_json("", guardian + ".decider");
  const std::vector<std::string> names = it["failures"];
  for (const char* name : {"actord::Killed", "std::exception"})
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  CHECK_FALSE(as_json("", guardian + ".type").contains("failures"));
  CHECK(has(explained("", guardian + ".decider").out, "  known failures\n  actord::"));
}
