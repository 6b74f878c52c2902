// SPDX-License-Identifier: Apache-2.0

#include "static_site/faults.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using static_site::Fault;
using static_site::FaultPlan;
using static_site::RequestCounter;

namespace {

struct Shares {
  double errors = 0;
  double resets = 0;
};

Shares shares_of(const FaultPlan& plan) {
  constexpr int requests = 10'000;
  Shares shares;
  for (int i = 0; i < requests; ++i) {
    const Fault fault = plan.fault_for("/page" + std::to_string(i % 1000), 1 + i / 1000);
    shares.errors += fault == Fault::error ? 1.0 / requests : 0;
    shares.resets += fault == Fault::reset ? 1.0 / requests : 0;
  }
  return shares;
}

}  // namespace

TEST_SUITE("static_site/faults") {
  TEST_CASE("a plan without rates lets everything through") {
    const Shares shares = shares_of(FaultPlan{});
    CHECK(shares.errors == 0);
    CHECK(shares.resets == 0);
  }

  TEST_CASE("rates are met within a hundredth, each on its own") {
    const Shares shares = shares_of(FaultPlan{0.2, 0.1, 1});
    CHECK(std::abs(shares.errors - 0.2) < 0.01);
    CHECK(std::abs(shares.resets - 0.1) < 0.01);
  }

  TEST_CASE("a rate of one strikes always") {
    CHECK(shares_of(FaultPlan{1, 0, 7}).errors == doctest::Approx(1));
    CHECK(shares_of(FaultPlan{0, 1, 7}).resets == doctest::Approx(1));
  }

  TEST_CASE("the same seed gives the same faults, another seed others") {
    const FaultPlan plan{0.5, 0, 3};
    const FaultPlan same{0.5, 0, 3};
    const FaultPlan other{0.5, 0, 4};
    int differences = 0;
    for (std::uint32_t ask = 1; ask <= 100; ++ask) {
      CHECK(plan.fault_for("/a", ask) == same.fault_for("/a", ask));
      differences += plan.fault_for("/a", ask) != other.fault_for("/a", ask) ? 1 : 0;
    }
    CHECK(differences > 25);
  }

  TEST_CASE("asking again may end otherwise, so that a retry can succeed") {
    const FaultPlan plan{0.5, 0, 1};
    int errors = 0;
    for (std::uint32_t ask = 1; ask <= 100; ++ask)
      errors += plan.fault_for("/a", ask) == Fault::error;
    CHECK(errors > 25);
    CHECK(errors < 75);
  }

  TEST_CASE("each target is counted by itself") {
    RequestCounter counter;
    CHECK(counter.next("/a") == 1);
    CHECK(counter.next("/b") == 1);
    CHECK(counter.next("/a") == 2);
    CHECK(counter.next("/a") == 3);
    CHECK(counter.next("/b") == 2);
  }

  TEST_CASE("a full counter goes on counting its targets, and counts 1 for every other target") {
    RequestCounter counter;
    for (std::size_t i = 0; i < RequestCounter::capacity; ++i)
      counter.next("/" + std::to_string(i));
    CHECK(counter.next("/0") == 2);
    CHECK(counter.next("/new") == 1);
    CHECK(counter.next("/new") == 1);
  }
}
