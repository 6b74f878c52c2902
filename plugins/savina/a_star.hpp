// SPDX-License-Identifier: Apache-2.0
//
// A*: finds the cheapest way through a grid with a pool of workers.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <queue>

#include "grid.hpp"
#include "program.hpp"

namespace savina {

struct AStarConfig {
  std::uint32_t side = 30;
  double walls = 0.2;
  std::uint64_t seed = 1;
  std::uint32_t workers = 20;
  std::chrono::nanoseconds deadline = usual_deadline;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(AStarConfig, side, walls, seed, workers, deadline)

/// To a worker: which cells are next to this one, which was reached at that cost? Answered with
/// Steps.
struct Expand {
  std::uint32_t cell = 0;
  std::uint32_t cost = 0;
};
ACTORD_MESSAGE(Expand, "savina.Expand/1", cell, cost)
/// A way to a cell. `estimate` is what the whole way over it costs at least.
struct Step {
  std::uint32_t cell = 0;
  std::uint32_t cost = 0;
  std::uint32_t estimate = 0;
};
ACTORD_FIELDS(Step, cell, cost, estimate)
struct Steps {
  std::uint32_t from = 0;
  std::vector<Step> steps;
};
ACTORD_MESSAGE(Steps, "savina.Steps/1", from, steps)

/// All workers of a run share one grid, which does not change.
class PathWorker : public actord::Actor {
 public:
  explicit PathWorker(std::shared_ptr<const Grid> grid) : grid_(std::move(grid)) {}

  Steps expand(const Expand& m) const;
  using Receive = actord::Handlers<&PathWorker::expand>;

 private:
  const std::shared_ptr<const Grid> grid_;
};

/// Gives the workers the most promising cells, and relaxes what they find. The best way is known
/// when neither an open cell nor one with a worker promises a cheaper one.
class PathMaster : public Escalating {
 public:
  using Config = AStarConfig;
  static constexpr std::string_view program = "AStar";
  static constexpr std::string_view doc =
      "Searches a grid by A* with workers: a queue of work whose order changes with each answer.";
  /// The cost of the cheapest way; -1 if there is none.
  static std::int64_t expected(const Config& config);

  explicit PathMaster(const Config& config);

  void relax(actord::Context& ctx, const Steps& m);
  using Receive = actord::Handlers<&PathMaster::relax>;

 private:
  static constexpr std::uint32_t unknown = std::numeric_limits<std::uint32_t>::max();
  struct Reached {
    std::uint32_t cost = unknown, from = 0;
  };
  struct IsLater {
    bool operator()(const Step& a, const Step& b) const { return a.estimate > b.estimate; }
  };

  void pre_start(actord::Context& ctx) override;
  void hand_out(actord::Context& ctx);
  std::int64_t result() const;

  const Config config_;
  const std::shared_ptr<const Grid> grid_;
  std::vector<Reached> reached_;
  std::priority_queue<Step, std::vector<Step>, IsLater> open_;
  actord::Ref workers_;
  std::uint32_t expanding_ = 0;  // cells that are with a worker
  std::uint64_t expanded_ = 0;
};

using AStar = Program<PathMaster>;

}  // namespace savina
