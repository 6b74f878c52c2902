// SPDX-License-Identifier: Apache-2.0
//
// Each program as the daemon would run it, in virtual time and in many orders of its messages.
#include <doctest/doctest.h>
#include <actord/testkit.hpp>

#include <string>
#include <string_view>

#include "savina/savina_messages.hpp"

using actord::testkit::Event;
using actord::testkit::Probe;
using actord::testkit::TestSystem;

namespace {

struct Case {
  std::string_view program, config, result;
};

constexpr Case cases[] = {
    {"ThreadRing", "actors = 7, hops = 100", "2"},
    {"ThreadRing", "actors = 1, hops = 0", "0"},
    {"Chameneos", "chameneos = 10, meetings = 100", "200"},
    {"Chameneos", "chameneos = 2, meetings = 5", "10"},
    {"ConcurrentDictionary", "clients = 5, operations = 0, keys = 5", "0"},
    {"ConcurrentDictionary", "clients = 1, operations = 10, keys = 1, writes = 1", "10"},
    {"ProducerConsumer", "producers = 3, consumers = 5, items = 20, capacity = 4", "1770"},
    {"ProducerConsumer", "producers = 4, consumers = 1, items = 5, capacity = 1", "190"},
    {"Philosophers", "philosophers = 5, meals = 20", "100"},
    {"Philosophers", "philosophers = 2, meals = 20", "40"},
    {"SleepingBarber", "customers = 40, chairs = 3", "40"},
    {"SleepingBarber", "customers = 5, chairs = 0, returns-after = 0 s", "5"},
    {"BankTransaction", "accounts = 10, transfers = 300, balance = 50", "500"},
    {"BankTransaction", "accounts = 2, transfers = 100, balance = 5, most = 9", "10"},
    {"Sieve", "limit = 500, primes-per-actor = 10", "95"},
    {"Sieve", "limit = 200, primes-per-actor = 1", "46"},
    {"Sieve", "limit = 2", "1"},
    {"NQueens", "queens = 6, split-rows = 2, workers = 3", "4"},
    {"NQueens", "queens = 5, split-rows = 15, workers = 1", "10"},
    {"NQueens", "queens = 3, split-rows = 2", "0"},
    {"AStar", "side = 5, walls = 0, workers = 1", "24"},
    {"AStar", "side = 5, walls = 1", "-1"},
    {"ForkJoin", "forks = 20, tasks = 5", "4950"},
    {"ForkJoin", "forks = 3, tasks = 0", "0"},
    {"ConcurrentDictionary", "clients = 5, operations = 100, keys = 12, writes = 0.5", "1706"},
    {"AStar", "side = 8, walls = 0.2, seed = 3, workers = 6", "53"},
    {"AStar", "side = 12, walls = 0.3, seed = 5, workers = 3", "107"},
};

}  // namespace

TEST_SUITE_BEGIN("savina/programs");

TEST_CASE("each program ends with the right result, in every order of its messages") {
  for (const auto& [program, config, result] : cases) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      CAPTURE(program);
      CAPTURE(config);
      CAPTURE(seed);
      TestSystem system({.seed = seed, .workers = 3});
      system.use(actord_plugin_v1());
      system.spawn("program", "savina/" + std::string{program}, config);
      const Event finished = system.expect_event("savina.finished", {}, std::chrono::seconds{10});
      CHECK(finished.field("savina.program") == program);
      CHECK(finished.field("savina.result") == result);
      system.expect_no_event("actor.failed");
      system.expect_no_event("deadletter");
      CHECK_FALSE(system.find("/user/program/run-1"));
    }
  }
}

TEST_CASE("a program runs again for each Run and answers with the result") {
  for (const auto& [program, config, result] : cases) {
    CAPTURE(program);
    CAPTURE(config);
    TestSystem system;
    system.use(actord_plugin_v1());
    const actord::Ref actor = system.spawn("program", "savina/" + std::string{program}, config);
    Probe probe = system.probe("probe");
    const auto answer = probe.ask<savina::Result>(actor, savina::Run{});
    CHECK(answer.program == program);
    CHECK(std::to_string(answer.result) == result);
    CHECK(answer.messages > 0);
    CHECK(system.events("savina.finished").size() == 2);
  }
}

TEST_CASE("the messages that a program reports are those that its actors have sent") {
  // In these programs the number of messages does not depend on their order.
  constexpr std::pair<std::size_t, std::string_view> counts[] = {
      {0, "110"}, {2, "431"}, {4, "8"}, {6, "317"}, {8, "1011"}, {22, "141"}};
  for (const auto& [index, messages] : counts) {
    CAPTURE(cases[index].program);
    TestSystem system;
    system.use(actord_plugin_v1());
    system.spawn("program", "savina/" + std::string{cases[index].program}, cases[index].config);
    CHECK(system.expect_event("savina.finished").field("savina.messages") == messages);
  }
}

TEST_CASE("a setting out of range is refused with its key") {
  constexpr std::pair<std::string_view, std::string_view> wrong[] = {
      {"ThreadRing", "actors = 0"},
      {"Chameneos", "chameneos = 1"},
      {"ConcurrentDictionary", "writes = 2"},
      {"ConcurrentDictionary", "clients = 9, keys = 8"},
      {"ProducerConsumer", "capacity = 0"},
      {"Philosophers", "philosophers = 1"},
      {"SleepingBarber", "customers = 0"},
      {"BankTransaction", "accounts = 1"},
      {"Sieve", "limit = 1"},
      {"NQueens", "queens = 16"},
      {"AStar", "walls = 1.5"},
      {"ForkJoin", "forks = 0"},
      {"ForkJoin", "forks = 20000, tasks = 501"},
      {"Sieve", "deadline = 0 s"}};
  for (const auto& [program, config] : wrong) {
    CAPTURE(program);
    CAPTURE(config);
    TestSystem system;
    system.use(actord_plugin_v1());
    CHECK_THROWS_AS(system.spawn("program", "savina/" + std::string{program}, config),
                    actord::Error);
  }
}

TEST_SUITE_END();
