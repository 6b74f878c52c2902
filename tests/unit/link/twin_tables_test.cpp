// SPDX-License-Identifier: Apache-2.0
//
// The twin of a behaviour that a host describes, and which messages are poison.
#include "link/twin_tables.hpp"

#include <doctest/doctest.h>

#include "link/poisons.hpp"
#include "support/puppet_host.hpp"

namespace actord::link {

TEST_SUITE_BEGIN("link/twin_tables");

namespace {

const actord_behaviour& puppet() { return *support::puppet_plugin().behaviours[0]; }

struct Judge : support::Puppet {
  static Strategy supervision() {
    return all_for_one({.max_restarts = 3, .within = std::chrono::seconds{5}})
        .on<Error>(Directive::stop)
        .otherwise(Directive::restart)
        .backoff({.min = std::chrono::seconds{1}, .max = std::chrono::seconds{9}});
  }
};

std::string description_of(const actord_behaviour& behaviour) {
  FrameWriter frame;
  put_behaviour(frame, behaviour);
  return std::string{frame.bytes()};
}

const actord_type_id* any_id(const void* of, std::string_view) {
  return static_cast<const actord_type_id*>(of);
}

constexpr actord_type_id id = 3;

}  // namespace

TEST_CASE("a twin has the name, the states and the hooks that are described, and no other code") {
  TwinTables twins(any_id, &id);
  std::string description = description_of(puppet());
  const actord_behaviour* const twin = twins.add_described(description);
  REQUIRE(twin != nullptr);
  CHECK(twins.add_described(description) == twin);
  description.assign(description.size(), '\xff');  // nothing of it is pointed to
  CHECK(message::view(twin->name) == message::view(puppet().name));
  CHECK((twin->pre_start != nullptr) == (puppet().pre_start != nullptr));
  CHECK((twin->post_stop != nullptr) == (puppet().post_stop != nullptr));
  CHECK((twin->decide != nullptr) == (puppet().decide != nullptr));
  CHECK((twin->pre_start != puppet().pre_start));
  CHECK((twin->create != puppet().create));
  CHECK((twin->destroy != puppet().destroy));
  REQUIRE(twin->n_receives == puppet().n_receives);
  for (std::size_t i = 0; i < twin->n_receives; ++i) {
    const actord_receive &is = *twin->receives[i], &was = *puppet().receives[i];
    REQUIRE(is.n_cases == was.n_cases);
    for (std::uint32_t j = 0; j < is.n_cases; ++j) {
      CHECK(message::view(is.cases[j].type) == message::view(was.cases[j].type));
      CHECK((is.cases[j].handle != was.cases[j].handle));
      CHECK(*is.ids[j] == id);
    }
  }
}

TEST_CASE("a description that is cut off or goes on, or that counts wrongly, has no twin") {
  TwinTables twins(any_id, &id);
  const std::string description = description_of(puppet());
  for (std::size_t size = 0; size < description.size(); ++size)
    CHECK(twins.add_described(description.substr(0, size)) == nullptr);
  CHECK(twins.add_described(description + '\0') == nullptr);
  for (std::size_t at = 0; at < description.size(); ++at) {
    std::string changed = description;
    changed[at] = static_cast<char>(~changed[at]);
    static_cast<void>(twins.add_described(changed));  // must not crash
  }
}

TEST_CASE("no more than a limit of descriptions is kept") {
  TwinTables twins(any_id, &id);
  actord_behaviour described = puppet();
  int taken = 0;
  for (int i = 0; i < 5'000; ++i) {
    const std::string name = "B" + std::to_string(i);
    described.name = message::to_c(name);
    taken += twins.add_described(description_of(described)) != nullptr ? 1 : 0;
  }
  CHECK(taken == 4'096);
}

TEST_CASE("a strategy comes with its rules and its back-off") {
  const actord_strategy* const sent = detail::behaviour_table<Judge>()->strategy;
  REQUIRE(sent != nullptr);
  FrameWriter frame;
  put_strategy(frame, sent);
  FrameReader reader(frame.bytes());
  TakenStrategy taken;
  REQUIRE(taken.take(reader));
  CHECK(reader.is_at_end());
  const actord_strategy& strategy = *taken.c();
  CHECK(strategy.kind == ACTORD_ALL_FOR_ONE);
  CHECK(strategy.max_restarts == 3);
  CHECK(strategy.within_ns == 5'000'000'000);
  REQUIRE(strategy.n_rules == sent->n_rules);
  CHECK(message::view(strategy.rules[0].type) == "actord::Error");
  CHECK(strategy.rules[0].directive == ACTORD_STOP);
  REQUIRE(strategy.backoff != nullptr);
  CHECK(strategy.backoff->max_ns == 9'000'000'000);
  for (std::size_t size = 0; size < frame.size(); ++size) {
    FrameReader cut(frame.bytes().substr(0, size));
    TakenStrategy none;
    CHECK_FALSE(none.take(cut));
  }
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("link/poisons");

TEST_CASE("a message is poison when it has killed twice, and only for its receiver") {
  Poisons poisons;
  const auto key = Poisons::key_of(7, 3, "content");
  CHECK_FALSE(poisons.has_any());
  CHECK(poisons.count(key) == 1);
  CHECK_FALSE(poisons.is_poison(key));
  CHECK_FALSE(poisons.has_any());
  CHECK(poisons.count(key) == 2);
  CHECK(poisons.has_any());
  CHECK(poisons.is_poison(key));
  CHECK_FALSE(poisons.is_poison(Poisons::key_of(8, 3, "content")));
  CHECK_FALSE(poisons.is_poison(Poisons::key_of(7, 4, "content")));
  CHECK_FALSE(poisons.is_poison(Poisons::key_of(7, 3, "other")));
}

TEST_CASE("only the last 256 messages that have killed are known") {
  Poisons poisons;
  const auto key = [](int n) { return Poisons::key_of(1, 1, std::to_string(n)); };
  poisons.count(key(0));
  for (int n = 1; n < 256; ++n) poisons.count(key(n));
  CHECK(poisons.count(key(0)) == 2);
  poisons.count(key(256));
  CHECK_FALSE(poisons.is_poison(key(0)));
  CHECK(poisons.count(key(1)) == 2);
}

TEST_SUITE_END();

}  // namespace actord::link
