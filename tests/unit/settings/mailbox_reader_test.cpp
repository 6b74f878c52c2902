// SPDX-License-Identifier: Apache-2.0
#include "settings/mailbox_reader.hpp"

#include <doctest/doctest.h>

#include "unit/settings/settings_text.hpp"

using namespace actord;
using namespace actord::settings;

namespace {

using actor::Overflow;

std::string till(const std::string& mailbox) {
  return "actord.user.x { behaviour = \"shop/Till\", mailbox {\n" + mailbox + "\n} }";
}
std::string rule(const std::string& mailbox) {
  return "actord.actor.deployment.\"/user/*\".mailbox {\n" + mailbox + "\n}";
}

// The errors of the check against these types.
std::string unknown_names(const std::string& text,
                          const std::set<std::string, std::less<>>& withheld = {}) {
  static actord_type_id id = 0;
  static const actord_message_type order = [] {
    actord_message_type type{};
    type.struct_size = sizeof type;
    type.flags = ACTORD_TRIVIAL;
    type.name = ACTORD_STR("shop.Order/1");
    type.size = type.align = 8;
    type.id = &id;
    return type;
  }();
  message::TypeRegistry types;
  REQUIRE(types.add(order));
  const Settings settings = read(text);
  Findings findings(settings.tree, settings.unknown_keys);
  check_message_names(findings, settings, types, withheld);
  return findings.has_errors() ? hocon::format(findings.take_errors()) : "";
}

}  // namespace

TEST_SUITE_BEGIN("settings/mailbox_reader");

TEST_CASE("a node and a pattern say what their mailboxes do") {
  const std::string mailbox =
      "capacity = 5, overflow = wait, push-timeout = 3 s\n"
      "priority = [\"shop.Order/1\", \"*\"], control = [\"shop.Close/1\"]";
  const Settings of_node = read(till(mailbox)), of_rule = read(rule(mailbox));
  for (const actor::ActorOptions& options :
       {of_node.user.at(0).options, of_rule.deployments.at(0).options}) {
    CHECK(options.mailbox_capacity == 5);
    CHECK(options.overflow == Overflow::wait);
    CHECK(options.push_timeout_ns == 3'000'000'000);
    CHECK(options.priority == actor::TypeNames{"shop.Order/1", "*"});
    REQUIRE(options.control);
    CHECK(*options.control == actor::TypeNames{"shop.Close/1"});
  }
}

TEST_CASE("what is not set stays open, and an empty list of control messages is something") {
  const Settings s = read(till("capacity = 5"));
  CHECK(s.user[0].options.overflow == Overflow::unset);
  CHECK(s.user[0].options.push_timeout_ns == 0);
  CHECK(s.user[0].options.priority.empty());
  CHECK_FALSE(s.user[0].options.control);
  CHECK(read(till("control = []")).user[0].options.control == actor::TypeNames{});
}

TEST_CASE("each overflow has its word, and another word is an error that names them") {
  const std::pair<const char*, Overflow> all[] = {{"drop-new", Overflow::drop_new},
                                                  {"drop-old", Overflow::drop_old},
                                                  {"fail-sender", Overflow::fail_sender},
                                                  {"wait", Overflow::wait}};
  for (const auto& [word, overflow] : all) {
    CAPTURE(word);
    CHECK(read(till(std::string{"capacity = 1, overflow = "} + word)).user[0].options.overflow ==
          overflow);
    CHECK(actor::name_of(overflow) == word);
  }
  const std::string wrong = errors(till("overflow = drop-odl"));
  CHECK_HAS(wrong, "test.conf:2:12: error: ");
  CHECK_HAS(wrong, "drop-old");
  CHECK_HAS(wrong, "drop-new, drop-old, fail-sender");
}

TEST_CASE("a list of types names each once, and priority at least one") {
  CHECK_HAS(errors(till("priority = \"shop.Order/1\"")), "expected a list");
  CHECK_HAS(errors(till("priority = []")), "1 to 62 names of messages");
  CHECK_HAS(errors(till("priority = [5]")), "expected the name of a message");
  CHECK_HAS(errors(till("priority = [\"a.B/1\", \"*\", \"*\"]")), "\"*\" is in the list already");
  CHECK_HAS(errors(till("control = [\"a.B/1\", \"a.B/1\"]")), "\"a.B/1\" is in the list already");
  CHECK_HAS(errors(till("control = [\"*\"]")), "if all messages were control messages");
  std::string many;
  for (int i = 0; i < 63; ++i) many += "\"a.B" + std::to_string(i) + "/1\", ";
  CHECK_HAS(errors(till("priority = [" + many + "]")), "1 to 62 names of messages");
}

TEST_CASE("the words of other systems are errors that name ours") {
  CHECK_HAS(errors(till("mailbox-push-timeout-time = 3 s")), "its name is \"push-timeout\"");
  CHECK_HAS(errors(till("policy = wait")), "its name is \"overflow\"");
}

TEST_CASE("what has no effect is a warning") {
  CHECK_HAS(warnings(till("capacity = unlimited, overflow = wait")),
            "an unlimited mailbox is never full");
  CHECK_HAS(warnings(till("capacity = 5, overflow = drop-old, push-timeout = 1 s")),
            "no sender waits, because overflow is not wait");
  CHECK(warnings(till("overflow = wait, push-timeout = 1 s")).empty());  // capacity: of a pattern
}

TEST_CASE("the default holds for each pattern that leaves it open, and for all other actors") {
  const Settings s = read(
      "actord.actor.default-mailbox { capacity = 9, priority = [\"a.B/1\"] }\n"
      "actord.actor.deployment { \"/user/a\" { dispatcher = pinned }\n"
      "\"/user/b\".mailbox { capacity = unlimited, overflow = wait } }");
  REQUIRE(s.deployments.size() == 3);
  for (const actor::Deployment& rule : s.deployments) {
    CAPTURE(rule.pattern);
    const bool is_b = rule.pattern == "/user/b";
    CHECK(rule.options.mailbox_capacity == (is_b ? actor::ActorOptions::unlimited : 9));
    CHECK(rule.options.priority == actor::TypeNames{"a.B/1"});
    CHECK(rule.options.overflow == (is_b ? Overflow::wait : Overflow::unset));
  }
  CHECK(s.deployments.back().pattern == "/user/**");
  CHECK(read("actord.actor.default-mailbox.stash-capacity = 3").deployments.empty());
  CHECK(read("actord.actor.default-mailbox.capacity = 3\n"
             "actord.actor.deployment.\"/user/**\" {}")
            .deployments.size() == 1);
}

TEST_CASE("a type that no plugin has is an error, wherever it is named") {
  CHECK(unknown_names(till("priority = [\"shop.Order/1\", \"*\"]")).empty());
  for (const std::string& text :
       {till("priority = [\"shop.Ordr/1\"]"), till("control = [\"shop.Ordr/1\"]"),
        rule("control = [\"shop.Ordr/1\"]")}) {
    const std::string found = unknown_names(text);
    CHECK_HAS(found, "test.conf:2:");
    CHECK_HAS(found, "unknown message \"shop.Ordr/1\"");
    CHECK_HAS(found, "did you mean \"shop.Order/1\"?");
  }
  CHECK_HAS(unknown_names("actord.user.a.children.b.mailbox.priority = [\"x.Y/1\"]"),
            "name one of a plugin that is loaded");
  CHECK_HAS(unknown_names("actord.actor.default-mailbox.control = [\"x.Y/1\"]"),
            "unknown message \"x.Y/1\"");
  CHECK(unknown_names(till("priority = [\"other.Order/1\"]"), {"other"}).empty());
}

TEST_SUITE_END();
