// SPDX-License-Identifier: Apache-2.0
//
// A program that does something wrong is caught: each check sees the mistake for which it is there.
// The test starts a master without a program, and adds a message that a mistake would send.
#include <doctest/doctest.h>
#include <actord/testkit.hpp>

#include "savina/a_star.hpp"
#include "savina/bank.hpp"
#include "savina/barber.hpp"
#include "savina/buffer.hpp"
#include "savina/chameneos.hpp"
#include "savina/dictionary.hpp"
#include "savina/fork_join.hpp"
#include "savina/philosophers.hpp"

using actord::testkit::Probe;
using actord::testkit::TestSystem;
using namespace std::chrono_literals;

namespace {

// A master whose run has ended, as no program stops it.
template <class Master>
struct Ended {
  explicit Ended(typename Master::Config config = {})
      : master(system.template spawn<Master>("master", config)), probe(system.probe("probe")) {
    system.advance(10s);
    system.expect_no_event("actor.failed");
  }
  template <class M>
  void expect_wrong(std::string_view what, M message) {
    probe.send(master, std::move(message));
    expect_failed("/user/master", what);
  }
  void expect_failed(std::string_view path, std::string_view what) {
    system.expect_event(
        "actor.failed",
        {{"actor.path", path}, {"failure.type", "savina::WrongResult"}, {"failure.message", what}});
  }

  struct Plugin {
    explicit Plugin(TestSystem& system) { system.use(actord_plugin_v1()); }
  };
  TestSystem system;
  Plugin plugin{system};
  actord::Ref master;
  Probe probe;
};

}  // namespace

TEST_SUITE_BEGIN("savina/checks");

TEST_CASE("a creature of another colour than that of its meetings is found") {
  Ended<savina::Mall> mall({.chameneos = 3, .meetings = 10});
  mall.expect_wrong("a creature has other meetings than the mall",
                    savina::MetInAll{0, 1, savina::Colour::red});
}

TEST_CASE("neighbours that eat at once are found") {
  Ended<savina::Table> table({.philosophers = 5, .meals = 3});
  table.probe.send(table.master, savina::BeginMeal{2});
  table.probe.expect<savina::Eating>();
  table.probe.send(table.master, savina::BeginMeal{4});
  table.probe.expect<savina::Eating>();
  table.expect_wrong("two neighbours eat at once", savina::BeginMeal{3});
}

TEST_CASE("the first and the last philosopher are neighbours") {
  Ended<savina::Table> table({.philosophers = 5, .meals = 3});
  table.probe.send(table.master, savina::BeginMeal{4});
  table.expect_wrong("two neighbours eat at once", savina::BeginMeal{0});
}

TEST_CASE("a philosopher that eats once too often is found") {
  Ended<savina::Table> table({.philosophers = 5, .meals = 3});
  table.expect_wrong("a philosopher has eaten too often", savina::EndMeal{1});
}

TEST_CASE("a fork that its holder does not put back is found") {
  Ended<savina::Table> table({.philosophers = 5, .meals = 3});
  const actord::Ref fork = table.system.find("/user/master/fork-1");
  Probe thief = table.system.probe("thief");
  table.probe.send(fork, savina::Take{});
  table.probe.expect<savina::Taken>();
  thief.send(fork, savina::PutBack{});
  table.expect_failed("/user/master/fork-1", "a philosopher has put back the fork of another one");
}

TEST_CASE("a customer who is shorn twice is found") {
  Ended<savina::BarberShop> shop({.customers = 5, .chairs = 2});
  shop.expect_wrong("a customer was shorn twice", savina::WentHome{3, 1});
}

TEST_CASE("a transfer that ends twice is found") {
  Ended<savina::Teller> bank({.accounts = 4, .transfers = 10});
  bank.expect_wrong("a transfer has ended twice", savina::Receipt{3, true});
}

TEST_CASE("an account that has lost money is found") {
  Ended<savina::Teller> bank({.accounts = 4, .transfers = 10});
  bank.expect_wrong("an account has another balance than the teller's ledger",
                    savina::Balance{0, 1'000'000});
}

TEST_CASE("an item that is consumed twice is found") {
  Ended<savina::BufferMaster> buffer({.producers = 2, .consumers = 2, .items = 3, .capacity = 2});
  buffer.expect_wrong("an item was consumed twice", savina::Consumed{{4}});
}

TEST_CASE("a buffer that held more than it may is found") {
  Ended<savina::BufferMaster> buffer({.producers = 2, .consumers = 2, .items = 3, .capacity = 2});
  buffer.expect_wrong("the buffer held more than its capacity", savina::Peak{3});
}

TEST_CASE("a client that reads an older version than it has written is found") {
  Ended<savina::DictionaryMaster> master({.clients = 1, .operations = 50, .keys = 1, .writes = 1});
  const actord::Ref client = master.system.find("/user/master/client-0");
  master.probe.send(client, savina::Looked{49});
  master.expect_failed("/user/master/client-0", "a client has read an older value than it knows");
}

TEST_SUITE_END();
