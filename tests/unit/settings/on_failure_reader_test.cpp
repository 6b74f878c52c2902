// SPDX-License-Identifier: Apache-2.0
#include "settings/on_failure_reader.hpp"

#include <doctest/doctest.h>

#include "system/system_settings.hpp"
#include "unit/settings/settings_text.hpp"

using namespace actord;
using namespace actord::settings;

namespace {

std::string guest(const std::string& on_failure) {
  return "actord.user.x { behaviour = \"shop/Till\", on-failure { " + on_failure + " } }";
}

}  // namespace

TEST_SUITE_BEGIN("settings/on_failure_reader");

TEST_CASE("a node says how often its actor is given a message on which it fails") {
  const auto attempts = [](const std::string& on_failure) {
    return read(guest(on_failure)).user[0].options.attempts_max;
  };
  CHECK(attempts("message = redeliver, max-attempts = 5") == 5u);
  CHECK(attempts("message = redeliver") == 3u);
  CHECK(attempts("message = drop") == 0u);
  CHECK(attempts("") == std::nullopt);
  CHECK(read("actord.user.x.behaviour = \"shop/Till\"").user[0].options.attempts_max ==
        std::nullopt);
}

TEST_CASE("a pattern says it for the actors whose paths match") {
  const Settings settings =
      read("actord.actor.deployment.\"/user/*\".on-failure { message = redeliver }");
  CHECK(settings.deployments[0].options.attempts_max == 3u);
}

TEST_CASE("attempts without redelivery have no effect, which is a warning") {
  for (const char* const idle : {"max-attempts = 5", "message = drop, max-attempts = 5"})
    CHECK_HAS(warnings(guest(idle)), "set message = redeliver beside it");
}

TEST_CASE("what on-failure must not say is an error with the key that was meant") {
  CHECK_HAS(errors(guest("message = again")), "redeliver");
  CHECK_HAS(errors(guest("message = redeliver, max-attempts = 0")), "1 to 1000");
  CHECK_HAS(errors(guest("attempts = 3")), "max-attempts");
}

TEST_CASE("the quarantine of messages has limits") {
  const Settings settings = read("actord.quarantine { max-messages = 7, max-bytes = 64 KiB }");
  const system::LiveSettings live = live_settings(settings);
  CHECK(live.quarantine.messages == 7);
  CHECK(live.quarantine.bytes == 65536);
  CHECK(live_settings(read("")).quarantine.messages == system::QuarantineLimit{}.messages);
  CHECK(live_settings(read("")).quarantine.bytes == system::QuarantineLimit{}.bytes);
  CHECK_HAS(errors("actord.quarantine.max-messages = 0"), "1 to 100000");
}

TEST_SUITE_END();
