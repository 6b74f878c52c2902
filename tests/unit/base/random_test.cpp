// SPDX-License-Identifier: Apache-2.0
#include "base/random.hpp"

#include <doctest/doctest.h>

#include <array>

namespace actord::base {

TEST_SUITE_BEGIN("base/random");

TEST_CASE("the sequence is SplitMix64: a seed means the same numbers everywhere, for ever") {
  Random random(1234567);
  CHECK(random.next() == 6457827717110365317u);
  CHECK(random.next() == 3203168211198807973u);
  CHECK(random.next() == 9817491932198370423u);
}

TEST_CASE("equal seeds give equal numbers and other seeds others") {
  Random one(7), same(7), other(8);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const auto number = one.next();
    CHECK(number == same.next());
    differs |= number != other.next();
  }
  CHECK(differs);
}

TEST_CASE("below() stays below its bound and reaches every number") {
  Random random(3);
  std::array<int, 7> seen{};
  for (int i = 0; i < 7000; ++i) ++seen.at(random.below(7));
  for (const int count : seen) {
    CHECK(count > 800);
    CHECK(count < 1200);
  }
  CHECK(random.below(1) == 0);
}

TEST_CASE("unit() lies in [0, 1) and chance() goes by it") {
  Random random(4);
  double sum = 0;
  bool is_inside = true;
  for (int i = 0; i < 10000; ++i) {
    const double unit = random.unit();
    is_inside = is_inside && unit >= 0.0 && unit < 1.0;
    sum += unit;
  }
  CHECK(is_inside);
  CHECK(sum / 10000 == doctest::Approx(0.5).epsilon(0.05));
  int hits = 0;
  for (int i = 0; i < 10000; ++i) hits += random.chance(0.25) ? 1 : 0;
  CHECK(hits > 2300);
  CHECK(hits < 2700);
  CHECK_FALSE(random.chance(0.0));
  CHECK(random.chance(1.0));
}

TEST_SUITE_END();

}  // namespace actord::base
