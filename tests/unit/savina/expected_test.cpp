// SPDX-License-Identifier: Apache-2.0
//
// What a program is compared with: it must be right without the program.
#include <doctest/doctest.h>
#include <actord/testkit.hpp>

#include <algorithm>
#include <limits>
#include <vector>

#include "savina/a_star.hpp"
#include "savina/dictionary.hpp"
#include "savina/queens.hpp"
#include "savina/sieve.hpp"
#include "savina/thread_ring.hpp"

using savina::Grid;

namespace {

// Relaxes every cell until nothing changes.
std::int64_t cheapest_by_relaxing(const Grid& grid) {
  constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max() / 2;
  std::vector<std::int64_t> best(grid.size(), unknown);
  best[grid.start()] = 0;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (Grid::Cell cell = 0; cell < grid.size(); ++cell) {
      if (best[cell] == unknown) continue;
      for (const Grid::Cell next : grid.neighbours(cell)) {
        const std::int64_t cost = best[cell] + grid.cost(next);
        if (cost >= best[next]) continue;
        best[next] = cost;
        has_changed = true;
      }
    }
  }
  return best[grid.goal()] == unknown ? -1 : best[grid.goal()];
}

// Tries each column for each row, and looks at all queens before.
std::int64_t ways_to_place(std::vector<int>& queens, int n) {
  const int row = static_cast<int>(queens.size());
  if (row == n) return 1;
  std::int64_t ways = 0;
  for (int column = 0; column < n; ++column) {
    const bool is_attacked = std::ranges::any_of(queens, [&, at = 0](int other) mutable {
      const int distance = row - at++;
      return other == column || other - column == distance || column - other == distance;
    });
    if (is_attacked) continue;
    queens.push_back(column);
    ways += ways_to_place(queens, n);
    queens.pop_back();
  }
  return ways;
}

}  // namespace

TEST_SUITE_BEGIN("savina/expected");

TEST_CASE("the cheapest way through a grid is that of a search without a queue") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const double walls = static_cast<double>(seed % 5) / 10;
    const Grid grid(6, walls, seed);
    CHECK(grid.cheapest().value_or(0) == std::max<std::int64_t>(cheapest_by_relaxing(grid), 0));
    savina::AStarConfig config;
    config.side = 6;
    config.walls = walls;
    config.seed = seed;
    CHECK(savina::PathMaster::expected(config) == cheapest_by_relaxing(grid));
  }
}

TEST_CASE("neighbours in a grid share a side, and the estimate is never above the cost") {
  const Grid grid(4, 0, 1);
  CHECK(grid.neighbours(0) == std::vector<Grid::Cell>{1, 4, 16});
  CHECK(grid.neighbours(21).size() == 6);
  CHECK(grid.neighbours(63) == std::vector<Grid::Cell>{62, 59, 47});
  CHECK(grid.least_cost(0) == 9);
  CHECK(grid.least_cost(63) == 0);
  for (Grid::Cell cell = 0; cell < grid.size(); ++cell) {
    for (const Grid::Cell next : grid.neighbours(cell))
      CHECK(grid.least_cost(cell) <= grid.cost(next) + grid.least_cost(next));
  }
}

TEST_CASE("the known numbers of solutions of the queens are those of a plain search") {
  for (std::uint32_t n = 1; n <= 8; ++n) {
    CAPTURE(n);
    std::vector<int> queens;
    savina::QueensConfig config;
    config.queens = n;
    CHECK(savina::QueensMaster::expected(config) == ways_to_place(queens, static_cast<int>(n)));
  }
}

TEST_CASE("the number of primes up to a limit is the known one") {
  for (const auto& [limit, primes] : std::initializer_list<std::pair<std::uint64_t, std::int64_t>>{
           {2, 1}, {3, 2}, {4, 2}, {100, 25}, {1'000, 168}, {100'000, 9'592}}) {
    savina::SieveConfig config;
    config.limit = limit;
    CHECK(savina::SieveMaster::expected(config) == primes);
  }
}

TEST_CASE("a client writes its own keys alone, and the share of writes is about as configured") {
  savina::DictionaryConfig config;
  config.clients = 7;
  config.keys = 30;
  config.writes = 0.25;
  for (std::uint32_t client = 0; client < config.clients; ++client) {
    savina::Operations operations(config, client);
    int writes = 0;
    for (int n = 0; n < 1'000; ++n) {
      const auto [is_write, key] = operations.next();
      CHECK(key < config.keys);
      if (!is_write) continue;
      ++writes;
      CHECK(key % config.clients == client);
    }
    CHECK(writes > 180);
    CHECK(writes < 320);
  }
}

TEST_SUITE_END();
