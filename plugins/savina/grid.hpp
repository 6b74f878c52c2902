// SPDX-License-Identifier: Apache-2.0
//
// The graph of the program AStar: a cube of cells, some of them walls.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace savina {

/// Neighbours share a side. Each cell costs something to enter. The same arguments make the same
/// grid.
class Grid {
 public:
  using Cell = std::uint32_t;

  /// `walls`: the share of cells that cannot be entered. The first and the last one are none.
  Grid(std::uint32_t side, double walls, std::uint64_t seed);

  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(costs_.size()); }
  Cell start() const noexcept { return 0; }
  Cell goal() const noexcept { return size() - 1; }
  /// From 1 to 9; 0: a wall.
  std::uint32_t cost(Cell cell) const { return costs_.at(cell); }
  /// The neighbours that are no walls.
  std::vector<Cell> neighbours(Cell cell) const;
  /// What the way to the goal costs at least.
  std::uint32_t least_cost(Cell cell) const;

  /// The cost of the cheapest way from start to goal by Dijkstra's algorithm; none if there is no
  /// way.
  std::optional<std::uint32_t> cheapest() const;

 private:
  std::uint32_t side_;
  std::vector<std::uint32_t> costs_;
};

}  // namespace savina
