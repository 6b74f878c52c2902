// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "unit/settings/settings_text.hpp"

using namespace actord;
using namespace actord::settings;

namespace {

std::string deployment(const std::string& rules) {
  return "actord.actor.deployment {\n" + rules + "\n}\n";
}

}  // namespace

TEST_SUITE_BEGIN("settings/deployment_reader");

TEST_CASE("a rule says what holds for the actors of a path") {
  const Settings s = read(deployment(R"("/user/crawler/*" {
    dispatcher = blocking-io, mailbox.capacity = 100, stash-capacity = 7
    supervisor-strategy { decider.default = code }
  })"));
  REQUIRE(s.deployments.size() == 1);
  CHECK(s.deployments[0].pattern == "/user/crawler/*");
  CHECK(s.deployments[0].options.dispatcher == "blocking-io");
  CHECK(s.deployments[0].options.mailbox_capacity == 100);
  CHECK(s.deployments[0].options.stash_capacity == 7);
  CHECK(s.deployments[0].options.strategy->otherwise == actor::Strategy::Otherwise::code);
}

TEST_CASE("the most specific rule comes first, whatever the order of the file") {
  const Settings s =
      read(deployment(R"("/user/*" {}, "/user/a/b" {}, "/user/a/*" {}, "/user/*/*" {})"));
  REQUIRE(s.deployments.size() == 4);
  CHECK(s.deployments[0].pattern == "/user/a/b");
  CHECK(s.deployments[1].pattern == "/user/a/*");
  CHECK(s.deployments[3].pattern.find_first_not_of("/user*") == std::string::npos);
}

TEST_CASE("two rules that are equally specific for one path are an error that names both") {
  const std::string text = errors(deployment("\"/user/a/*\" {}\n\"/user/*/b\" {}"));
  CHECK_HAS(text, "test.conf:3:");
  CHECK_HAS(text, "\"/user/a/*\" and \"/user/*/b\" both match /user/a/b");
  CHECK_HAS(text, "is at test.conf:2");
}

TEST_CASE("a third rule for what both match ends the tie") {
  const Settings s = read(
      deployment(R"("/user/a/*" {}, "/user/*/b" {}, "/user/a/b" { dispatcher = blocking-io })"));
  CHECK(s.deployments.at(0).pattern == "/user/a/b");
}

TEST_CASE("two stars at the end are the least specific of what matches") {
  const Settings s = read(deployment(
      R"("/user/**" {}, "/user/a/**" {}, "/user/*" {}, "/user/a/*" {}, "/user/*/**" {},
         "/user/*/b" {}, "/user/a/b" {})"));
  const char* const expected[] = {"/user/a/b",  "/user/a/*", "/user/*/b", "/user/a/**",
                                  "/user/*/**", "/user/*",   "/user/**"};
  std::vector<std::string> found;
  for (const actor::Deployment& rule : s.deployments) found.push_back(rule.pattern);
  CHECK(found[0] == "/user/a/b");
  const auto at = [&](const char* pattern) { return std::ranges::find(found, pattern); };
  for (const char* each : expected) CHECK(at(each) != found.end());
  CHECK(at("/user/a/*") < at("/user/a/**"));
  CHECK(at("/user/*/b") < at("/user/a/**"));
  CHECK(at("/user/*") < at("/user/**"));
  CHECK(at("/user/a/**") < at("/user/*/**"));
  CHECK(at("/user/*/**") < at("/user/**"));
}

TEST_CASE("open patterns of one weight are a tie where they meet, until a third one ends it") {
  const std::string both = "\"/user/a/*/**\" {}\n\"/user/*/b/**\" {}\n";
  CHECK_HAS(errors(deployment(both)), "both match /user/a/b/**");
  CHECK_HAS(errors(deployment(both)), "is at test.conf:2");
  CHECK(read(deployment(both + "\"/user/a/b/**\" {}")).deployments.size() == 3);
}

TEST_CASE("rules that never meet are no tie") {
  CHECK(read(deployment(R"("/user/a/*" {}, "/user/b/*" {}, "/user/a" {}, "/user/b" {})"))
            .deployments.size() == 4);
}

TEST_CASE("a name in part is more specific than a star, and less than a name") {
  const Settings s = read(deployment(
      R"("/user/*" {}, "/user/f*" {}, "/user/f-?" {}, "/user/f-1" {}, "/user/**" {},
         "/user/f*/*" {})"));
  std::vector<std::string> found;
  for (const actor::Deployment& rule : s.deployments) found.push_back(rule.pattern);
  const auto at = [&](const char* pattern) { return std::ranges::find(found, pattern); };
  CHECK(at("/user/f-1") < at("/user/f-?"));
  CHECK(at("/user/f-?") < at("/user/f*"));
  CHECK(at("/user/f*") < at("/user/*"));
  CHECK(at("/user/*") < at("/user/**"));
}

TEST_CASE("names in part that can meet are a tie, which only a more specific one ends") {
  const std::string both = "\"/user/a*\" {}\n\"/user/*b\" {}\n";
  CHECK_HAS(errors(deployment(both)), "both match some paths, and neither is more specific");
  CHECK_HAS(errors(deployment(both)), "help: make one of the two more specific");
  CHECK(read(deployment(R"("/user/a*" {}, "/user/b*" {})")).deployments.size() == 2);
  CHECK(read(deployment(R"("/user/a*" {}, "/user/*bc" {})")).deployments.size() == 2);
  CHECK_HAS(errors(deployment("\"/user/a*/x\" {}\n\"/user/ab/*x\" {}\n")), "both match /user/ab/x");
}

TEST_CASE("patterns are paths of actors, with * and ? for parts of a name") {
  CHECK_HAS(errors(deployment(R"("/user/**/a" {})")), "write one * for each level");
  CHECK_HAS(errors(deployment(R"("/user/fetcher-[12]" {})")), "invalid character '['");
  CHECK_HAS(errors(deployment(R"("/crawler/*" {})")), "write \"/user/crawler/*\"");
  CHECK_HAS(errors(deployment(R"("crawler" {})")), "write \"/user/crawler\"");
  CHECK_HAS(errors(deployment(R"("user/crawler" {})")), "write \"/user/crawler\"");
  CHECK_HAS(errors(deployment(R"("/user/" {})")), "an empty name in the path");
  CHECK_HAS(errors(deployment(R"("/user//a" {})")), "an empty name in the path");
  CHECK_HAS(errors(deployment(R"("/user/a b" {})")), "invalid character ' '");
}

TEST_CASE("there are at most a thousand patterns") {
  std::string rules;
  for (int i = 0; i < 1000; ++i) rules += "\"/user/a" + std::to_string(i) + "\" {}\n";
  CHECK(read(deployment(rules)).deployments.size() == 1000);
  CHECK_HAS(errors(deployment(rules + R"("/user/b" {})")), "more than 1000 deployment patterns");
}

TEST_CASE("keys of a rule are checked") {
  CHECK_HAS(errors(deployment(R"("/user/a" { dispatchr = default })")),
            "did you mean \"dispatcher\"?");
  CHECK_HAS(errors(deployment(R"("/user/a" { behaviour = "a/B" })")), "unknown key");
  CHECK_HAS(errors(deployment(R"("/user/a" { stash-capacity = 0 })")), "1 to 1000000000");
}

TEST_SUITE_END();
