// SPDX-License-Identifier: Apache-2.0
//
// Callbacks at the end of the system: item 110.
#include <numeric>
#include <thread>
#include <vector>

#include "crew.hpp"

namespace actord::conformance {

TEST_CASE("110 on real workers: termination callbacks run in reverse, before the end is reported") {
  std::vector<int> ran;
  bool had_stopped = false;
  Crew crew;
  for (int i = 0; i < 100; ++i) {
    CHECK(crew.system().on_termination([&, i] {
      ran.push_back(i);
      had_stopped = had_stopped || crew.has_stopped();
    }));
  }
  crew.end();
  std::vector<int> wanted(100);
  std::iota(wanted.rbegin(), wanted.rend(), 0);
  CHECK(ran == wanted);
  CHECK_FALSE(had_stopped);
  CHECK_FALSE(crew.system().on_termination([&] { ran.push_back(-1); }));
  CHECK(ran == wanted);
}

TEST_CASE(
    "110 on real workers: registered while the system ends, a callback runs once or is refused") {
  constexpr int registrars = 4, before_the_end = 100;
  Crew crew;
  support::Latch all_are_at_it(registrars);
  std::atomic<std::int64_t> runs{0}, accepted{0};
  std::vector<std::jthread> threads;
  for (int t = 0; t < registrars; ++t) {
    threads.emplace_back([&] {
      std::int64_t mine = 0;
      while (crew.system().on_termination([&runs] { ++runs; })) {
        if (++mine == before_the_end) all_are_at_it.count_down();
      }
      accepted += mine;
    });
  }
  all_are_at_it.wait("the callbacks of every thread");
  crew.terminate();
  {
    const support::TimeLimit limit("the refusal of a callback");
    threads.clear();  // joins them
  }
  crew.end();
  CHECK(accepted >= registrars * before_the_end);
  CHECK(runs == accepted);
}

}  // namespace actord::conformance
