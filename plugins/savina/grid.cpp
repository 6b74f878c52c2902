// SPDX-License-Identifier: Apache-2.0
#include "grid.hpp"

#include <functional>
#include <limits>
#include <queue>
#include <random>

namespace savina {

Grid::Grid(std::uint32_t side, double walls, std::uint64_t seed)
    : side_(side), costs_(std::size_t{side} * side * side) {
  std::mt19937_64 generator(seed);
  for (std::uint32_t& cost : costs_) {
    const bool is_wall = static_cast<double>(generator() >> 11) * 0x1p-53 < walls;
    cost = is_wall ? 0 : static_cast<std::uint32_t>(1 + generator() % 9);
  }
  for (const Cell end : {start(), goal()}) costs_[end] = 1;
}

std::vector<Grid::Cell> Grid::neighbours(Cell cell) const {
  std::vector<Cell> found;
  for (std::uint32_t step = 1; step < size(); step *= side_) {
    const std::uint32_t at = cell / step % side_;  // on this axis
    if (at != 0 && costs_[cell - step] != 0) found.push_back(cell - step);
    if (at != side_ - 1 && costs_[cell + step] != 0) found.push_back(cell + step);
  }
  return found;
}

std::uint32_t Grid::least_cost(Cell cell) const {
  std::uint32_t steps = 0;
  for (std::uint32_t step = 1; step < size(); step *= side_)
    steps += side_ - 1 - cell / step % side_;
  return steps;
}

std::optional<std::uint32_t> Grid::cheapest() const {
  constexpr std::uint32_t unknown = std::numeric_limits<std::uint32_t>::max();
  using Reached = std::pair<std::uint32_t, Cell>;
  std::vector<std::uint32_t> best(size(), unknown);
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  best[start()] = 0;
  for (open.emplace(0, start()); !open.empty();) {
    const auto [cost, cell] = open.top();
    open.pop();
    if (cell == goal()) return cost;
    if (cost != best[cell]) continue;
    for (const Cell next : neighbours(cell)) {
      if (cost + costs_[next] >= best[next]) continue;
      best[next] = cost + costs_[next];
      open.emplace(best[next], next);
    }
  }
  return std::nullopt;
}

}  // namespace savina
