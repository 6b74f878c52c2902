// SPDX-License-Identifier: Apache-2.0

#include "reliable_network/packet_fate.hpp"

#include <doctest/doctest.h>

#include <map>

using reliable_network::FatePlan;
using reliable_network::PacketFate;

TEST_SUITE("reliable_network/packet_fate") {
  TEST_CASE("the same seed does the same to the same attempts, and another seed something else") {
    const FatePlan one{{0.3, 0.2, 0.1}, 7}, same{{0.3, 0.2, 0.1}, 7}, other{{0.3, 0.2, 0.1}, 8};
    int differences = 0;
    for (unsigned number = 1; number <= 200; ++number) {
      CHECK(one.fate_of(1, number, 1) == same.fate_of(1, number, 1));
      differences += one.fate_of(1, number, 1) != other.fate_of(1, number, 1) ? 1 : 0;
    }
    CHECK(differences > 50);
  }

  TEST_CASE("sender, number and attempt each decide") {
    const FatePlan plan{{0.5, 0, 0}, 1};
    int by_sender = 0, by_number = 0, by_attempt = 0;
    for (unsigned i = 1; i <= 200; ++i) {
      by_sender += plan.fate_of(i, 1, 1) == PacketFate::lost ? 1 : 0;
      by_number += plan.fate_of(1, i, 1) == PacketFate::lost ? 1 : 0;
      by_attempt += plan.fate_of(1, 1, i) == PacketFate::lost ? 1 : 0;
    }
    for (const int lost : {by_sender, by_number, by_attempt}) {
      CHECK(lost > 60);
      CHECK(lost < 140);
    }
  }

  TEST_CASE("every fate has about its share") {
    const FatePlan plan{{0.2, 0.1, 0.05}, 3};
    std::map<PacketFate, int> count;
    for (unsigned sender = 1; sender <= 10; ++sender) {
      for (unsigned number = 1; number <= 1000; ++number) ++count[plan.fate_of(sender, number, 1)];
    }
    CHECK(count[PacketFate::lost] == doctest::Approx(2000).epsilon(0.1));
    CHECK(count[PacketFate::answer_lost] == doctest::Approx(1000).epsilon(0.1));
    CHECK(count[PacketFate::doubled] == doctest::Approx(500).epsilon(0.15));
    CHECK(count[PacketFate::through] == doctest::Approx(6500).epsilon(0.05));
  }

  TEST_CASE("without shares everything comes through, and a share of one takes all") {
    for (unsigned number = 1; number <= 100; ++number) {
      CHECK(FatePlan{{0, 0, 0}, 1}.fate_of(1, number, 1) == PacketFate::through);
      CHECK(FatePlan{{1, 0, 0}, 1}.fate_of(1, number, 1) == PacketFate::lost);
      CHECK(FatePlan{{0, 1, 0}, 1}.fate_of(1, number, 1) == PacketFate::answer_lost);
      CHECK(FatePlan{{0, 0, 1}, 1}.fate_of(1, number, 1) == PacketFate::doubled);
    }
  }
}
