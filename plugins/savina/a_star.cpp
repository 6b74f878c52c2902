// SPDX-License-Identifier: Apache-2.0
#include "a_star.hpp"

#include <actord/router.hpp>

namespace savina {

std::vector<actord::About> AStarConfig::about() {
  using C = AStarConfig;
  return {actord::about(&C::side).between(2, 100).doc("Cells on each side of the cube."),
          actord::about(&C::walls).between(0, 1).doc("Share of cells that are walls."),
          actord::about(&C::seed).doc("Seed of the grid."),
          actord::about(&C::workers).between(1, 10'000).doc("Actors that expand cells."),
          about_deadline(&C::deadline)};
}

Steps PathWorker::expand(const Expand& m) const {
  Steps found{m.cell, {}};
  for (const Grid::Cell next : grid_->neighbours(m.cell)) {
    const std::uint32_t cost = m.cost + grid_->cost(next);
    found.steps.push_back({next, cost, cost + grid_->least_cost(next)});
  }
  return found;
}

std::int64_t PathMaster::expected(const Config& config) {
  const auto cheapest = Grid(config.side, config.walls, config.seed).cheapest();
  return cheapest ? std::int64_t{*cheapest} : -1;
}

PathMaster::PathMaster(const Config& config)
    : config_(config),
      grid_(std::make_shared<const Grid>(config.side, config.walls, config.seed)),
      reached_(grid_->size()) {}

void PathMaster::pre_start(actord::Context& ctx) {
  workers_ = ctx.spawn_router<PathWorker>("workers",
                                          actord::pool(config_.workers).smallest_mailbox(), grid_);
  reached_[grid_->start()] = {0, grid_->start()};
  open_.push({grid_->start(), 0, grid_->least_cost(grid_->start())});
  hand_out(ctx);
}

void PathMaster::relax(actord::Context& ctx, const Steps& m) {
  --expanding_;
  for (const Step& step : m.steps) {
    Reached& reached = reached_[step.cell];
    if (step.cost >= reached.cost) continue;
    reached = {step.cost, m.from};
    open_.push(step);
  }
  hand_out(ctx);
}

void PathMaster::hand_out(actord::Context& ctx) {
  const std::uint32_t& best = reached_[grid_->goal()].cost;
  while (expanding_ < config_.workers && !open_.empty() && open_.top().estimate < best) {
    const Step step = open_.top();
    open_.pop();
    if (step.cost != reached_[step.cell].cost) continue;  // reached at a lower cost since
    ctx.tell(workers_, Expand{step.cell, step.cost});
    ++expanding_;
    ++expanded_;
  }
  if (expanding_ == 0) ctx.tell(ctx.parent(), Finished{result(), 2 * expanded_ + 1});
}

// Goes the way back to the start, and adds up what it costs.
std::int64_t PathMaster::result() const {
  if (reached_[grid_->goal()].cost == unknown) return -1;
  std::int64_t cost = 0;
  for (Grid::Cell cell = grid_->goal(); cell != grid_->start(); cell = reached_[cell].from)
    cost += grid_->cost(cell);
  return cost;
}

}  // namespace savina
