// SPDX-License-Identifier: Apache-2.0

#include "reliable_network/inbox.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

using reliable_network::Inbox;
using reliable_network::Transmit;

namespace {

using Numbers = std::vector<std::uint64_t>;

Numbers numbers_of(const std::vector<reliable_network::Packet>& packets) {
  Numbers numbers;
  for (const auto& packet : packets) numbers.push_back(packet.number);
  return numbers;
}

Numbers arrive(Inbox& inbox, std::uint64_t sequence) {
  return numbers_of(inbox.arrive(Transmit{sequence, 1, {1, sequence, "text"}}));
}

}  // namespace

TEST_SUITE("reliable_network/inbox") {
  TEST_CASE("packets in order are passed on at once") {
    Inbox inbox;
    CHECK(arrive(inbox, 1) == Numbers{1});
    CHECK(arrive(inbox, 2) == Numbers{2});
    CHECK(inbox.duplicates() == 0);
  }

  TEST_CASE("an early packet waits for those before it") {
    Inbox inbox;
    CHECK(arrive(inbox, 3).empty());
    CHECK(arrive(inbox, 2).empty());
    CHECK(arrive(inbox, 1) == Numbers{1, 2, 3});
  }

  TEST_CASE("a duplicate packet is counted and dropped") {
    Inbox inbox;
    CHECK(arrive(inbox, 1) == Numbers{1});
    CHECK(arrive(inbox, 1).empty());
    CHECK(arrive(inbox, 3).empty());
    CHECK(arrive(inbox, 3).empty());
    CHECK(arrive(inbox, 2) == Numbers{2, 3});
    CHECK(inbox.duplicates() == 2);
  }

  TEST_CASE("an abandoned packet is not waited for, and does not come in late") {
    Inbox inbox;
    CHECK(arrive(inbox, 2).empty());
    const Inbox::AbandonResult result = inbox.abandon(1);
    CHECK_FALSE(result.has_arrived);
    CHECK(numbers_of(result.deliverable) == Numbers{2});
    CHECK(arrive(inbox, 1).empty());
    CHECK(inbox.duplicates() == 1);
    CHECK(arrive(inbox, 3) == Numbers{3});
  }

  TEST_CASE("a packet that is abandoned before those ahead of it have come leaves a gap") {
    Inbox inbox;
    CHECK_FALSE(inbox.abandon(2).has_arrived);
    CHECK(arrive(inbox, 3).empty());
    CHECK(arrive(inbox, 1) == Numbers{1, 3});
  }

  TEST_CASE("abandoning what has arrived changes nothing and says so") {
    Inbox inbox;
    CHECK(arrive(inbox, 1) == Numbers{1});
    CHECK(inbox.abandon(1).has_arrived);
    CHECK(arrive(inbox, 3).empty());
    CHECK(inbox.abandon(3).has_arrived);
    CHECK(arrive(inbox, 2) == Numbers{2, 3});
  }

  TEST_CASE("whatever the order and however often, each goes on once and in order") {
    for (unsigned seed = 1; seed <= 50; ++seed) {
      std::mt19937 dice{seed};
      Numbers sent;
      for (std::uint64_t sequence = 1; sequence <= 40; ++sequence) {
        for (unsigned copies = 1 + dice() % 3; copies > 0; --copies) sent.push_back(sequence);
      }
      std::shuffle(sent.begin(), sent.end(), dice);
      Inbox inbox;
      Numbers got;
      for (const std::uint64_t sequence : sent) {
        for (const std::uint64_t number : arrive(inbox, sequence)) got.push_back(number);
      }
      Numbers wanted(40);
      for (std::uint64_t i = 0; i < wanted.size(); ++i) wanted[i] = i + 1;
      CHECK(got == wanted);
      CHECK(inbox.duplicates() == sent.size() - wanted.size());
    }
  }
}
