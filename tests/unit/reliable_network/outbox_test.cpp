// SPDX-License-Identifier: Apache-2.0

#include "reliable_network/outbox.hpp"

#include <doctest/doctest.h>

#include <vector>

using reliable_network::Outbox;

namespace {

Outbox filled(std::uint64_t window, std::uint64_t packets) {
  Outbox outbox{window};
  for (std::uint64_t number = 1; number <= packets; ++number) outbox.accept({1, number, "text"});
  return outbox;
}

std::vector<std::uint64_t> take_all(Outbox& outbox) {
  std::vector<std::uint64_t> sequences;
  while (const auto next = outbox.next()) sequences.push_back(next->sequence);
  return sequences;
}

using Sequences = std::vector<std::uint64_t>;

}  // namespace

TEST_SUITE("reliable_network/outbox") {
  TEST_CASE("packets are numbered in the order they came, as first attempts") {
    Outbox outbox{10};
    outbox.accept({3, 70, "a"});
    outbox.accept({3, 80, "b"});
    const auto first = outbox.next(), second = outbox.next();
    REQUIRE((first && second));
    CHECK(first->sequence == 1);
    CHECK(first->attempt == 1);
    CHECK(first->packet == reliable_network::Packet{3, 70, "a"});
    CHECK(second->sequence == 2);
    CHECK(second->packet.number == 80);
    CHECK_FALSE(outbox.next());
  }

  TEST_CASE("no more than a window is under way") {
    Outbox outbox = filled(3, 10);
    CHECK(take_all(outbox) == Sequences{1, 2, 3});
    CHECK(outbox.under_way() == Sequences{1, 2, 3});
  }

  TEST_CASE("the window moves with the oldest packet that is not settled") {
    Outbox outbox = filled(3, 10);
    static_cast<void>(take_all(outbox));
    CHECK(outbox.complete(2)->number == 2);
    CHECK(take_all(outbox).empty());
    CHECK(outbox.under_way() == Sequences{1, 3});
    CHECK(outbox.complete(1)->number == 1);
    CHECK(take_all(outbox) == Sequences{4, 5});
    CHECK(outbox.under_way() == Sequences{3, 4, 5});
  }

  TEST_CASE("a packet is settled once") {
    Outbox outbox = filled(3, 3);
    static_cast<void>(take_all(outbox));
    CHECK(outbox.complete(2));
    CHECK_FALSE(outbox.complete(2));
    CHECK(outbox.complete(1));
    CHECK_FALSE(outbox.complete(1));
    CHECK_FALSE(outbox.complete(2));
  }

  TEST_CASE("what was never sent cannot be settled") {
    Outbox outbox = filled(1, 2);
    CHECK_FALSE(outbox.complete(1));
    static_cast<void>(take_all(outbox));
    CHECK_FALSE(outbox.complete(0));
    CHECK_FALSE(outbox.complete(2));
    CHECK(outbox.complete(1));
  }
}
