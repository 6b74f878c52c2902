// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "system/system_settings.hpp"
#include "unit/settings/settings_text.hpp"

using namespace actord;
using namespace actord::settings;
using namespace std::chrono_literals;

TEST_SUITE_BEGIN("settings/breaker_reader");

namespace {

system::BreakersByName breakers_of(const std::string& block) {
  return live_settings(read("actord.circuit-breaker {\n" + block + "\n}")).circuit_breakers;
}

std::string wrong_breakers(const std::string& block) {
  return errors("actord.circuit-breaker {\n" + block + "\n}");
}

}  // namespace

TEST_CASE("without keys there is no named breaker, and the others have the defaults") {
  const system::BreakersByName breakers = live_settings(read("")).circuit_breakers;
  CHECK(breakers.named.empty());
  CHECK(breakers.standard == system::BreakerSettings{.max_failures = 5,
                                                     .call_timeout = 10s,
                                                     .reset_timeout = 30s,
                                                     .max_reset_timeout = 1h,
                                                     .exponential_backoff = 1,
                                                     .random_factor = 0});
}

TEST_CASE("every key of a circuit breaker is read") {
  const system::BreakersByName breakers = breakers_of(R"(store {
      max-failures = 3, call-timeout = 2 s, reset-timeout = 4 s, max-reset-timeout = 1 minute
      exponential-backoff = 1.5, random-factor = 0.25 })");
  REQUIRE(breakers.named.size() == 1);
  CHECK(breakers.named.at("store") == system::BreakerSettings{.max_failures = 3,
                                                              .call_timeout = 2s,
                                                              .reset_timeout = 4s,
                                                              .max_reset_timeout = 1min,
                                                              .exponential_backoff = 1.5,
                                                              .random_factor = 0.25});
}

TEST_CASE("what a circuit breaker does not set is that of default, wherever that stands") {
  for (const char* block :
       {"default { max-failures = 9, call-timeout = 1 s }\nstore.call-timeout = 2 s",
        "store.call-timeout = 2 s\ndefault { max-failures = 9, call-timeout = 1 s }"}) {
    const system::BreakersByName breakers = breakers_of(block);
    CHECK(breakers.standard.max_failures == 9);
    CHECK(breakers.standard.call_timeout == 1s);
    REQUIRE(breakers.named.size() == 1);
    CHECK(breakers.named.at("store").max_failures == 9);
    CHECK(breakers.named.at("store").call_timeout == 2s);
  }
}

TEST_CASE("an empty section names a circuit breaker, and null takes the name back") {
  CHECK(breakers_of("store {}").named.size() == 1);
  CHECK(breakers_of("store { max-failures = 2 }\nstore = null").named.empty());
}

TEST_CASE("a limit of the reset timeout that is shorter than it is an error at its place") {
  CHECK_HAS(wrong_breakers("store { reset-timeout = 2 s, max-reset-timeout = 1 s }"),
            "test.conf:2:50: error: max-reset-timeout is shorter than reset-timeout");
  CHECK_HAS(wrong_breakers("store.reset-timeout = 2 h"),
            "test.conf:2:23: error: reset-timeout is longer than max-reset-timeout");
  CHECK_HAS(wrong_breakers("store.reset-timeout = 2 h"), "at most 1 h");
  CHECK_HAS(wrong_breakers("default.max-reset-timeout = 1 s\nstore.reset-timeout = 2 s"),
            "at least 30 s");
  const std::string once = wrong_breakers("default.reset-timeout = 2 h\nstore.max-failures = 1");
  CHECK_HAS(once, "test.conf:2:25");
  CHECK_FALSE(has(once, "test.conf:3"));
}

TEST_CASE("names, keys and values of circuit breakers that cannot be are errors at their place") {
  CHECK_HAS(wrong_breakers("\"a b\" {}"), "letters, digits, -, _ and .");
  CHECK_HAS(wrong_breakers(std::string(101, 'a') + " {}"), "at most 100");
  CHECK(breakers_of("\"shop.store-2_b\" {}").named.contains("shop.store-2_b"));
  CHECK_HAS(wrong_breakers("store.max-failure = 1"), "test.conf:2:");
  CHECK_HAS(wrong_breakers("store.max-failure = 1"), "max-failures");
  CHECK_HAS(wrong_breakers("store.max-failures = 0"), "1 to 1000000000");
  CHECK_HAS(wrong_breakers("store.call-timeout = 0"), "more than 0");
  CHECK_HAS(wrong_breakers("store.exponential-backoff = 0.5"), "1 to 1000");
  CHECK_HAS(wrong_breakers("store.random-factor = 1.5"), "0 to 1");
  CHECK_HAS(wrong_breakers("store = 7"), "expected an object");
  CHECK_HAS(errors("actord.circuit-breaker = off"), "expected an object");
}

TEST_CASE("more circuit breakers than there can be are an error") {
  std::string all;
  for (std::size_t i = 0; i <= system::Breakers::breakers_max; ++i)
    all += "b" + std::to_string(i) + " {}\n";
  CHECK_HAS(wrong_breakers(all), "more than 1000 circuit breakers");
}

TEST_SUITE_END();
