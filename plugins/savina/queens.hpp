// SPDX-License-Identifier: Apache-2.0
//
// N queens: counts the ways to place queens on a board so that none attacks another.
#pragma once

#include "program.hpp"

namespace savina {

struct QueensConfig {
  std::uint32_t queens = 12;
  std::uint32_t split_rows = 4;
  std::uint32_t workers = 20;
  std::chrono::nanoseconds deadline = usual_deadline;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(QueensConfig, queens, split_rows, workers, deadline)

/// A board with queens in its first rows: a bit for each column of the next row in which a queen
/// would be attacked, from above and along both diagonals.
struct Board {
  std::uint32_t row = 0;
  std::uint32_t columns = 0;
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};
ACTORD_MESSAGE(Board, "savina.Board/1", row, columns, left, right)
/// The answer to a Board whose next row is one of the first `split-rows`: all boards with one queen
/// more.
struct Boards {
  std::vector<Board> boards;
};
ACTORD_MESSAGE(Boards, "savina.Boards/1", boards)
/// The answer to other Boards: in how many ways it can be completed.
struct Solutions {
  std::uint64_t count = 0;
};
ACTORD_MESSAGE(Solutions, "savina.Solutions/1", count)

class QueensWorker : public actord::Actor {
 public:
  QueensWorker(std::uint32_t queens, std::uint32_t split_rows)
      : queens_(queens), split_rows_(split_rows) {}

  void place(actord::Context& ctx, const Board& m);
  using Receive = actord::Handlers<&QueensWorker::place>;

 private:
  std::uint64_t solutions_of(const Board& board) const;
  std::uint32_t free_columns(const Board& board) const;

  const std::uint32_t queens_, split_rows_;
};

/// Gives boards to the workers behind a router, and counts those that are not answered yet.
class QueensMaster : public Escalating {
 public:
  using Config = QueensConfig;
  static constexpr std::string_view program = "NQueens";
  static constexpr std::string_view doc =
      "Counts the solutions of N queens: tasks of unlike size for a pool of workers.";
  /// The number of solutions.
  static std::int64_t expected(const Config& config);

  explicit QueensMaster(const Config& config) : config_(config) {}

  void split(actord::Context& ctx, const Boards& m);
  void solved(actord::Context& ctx, const Solutions& m);
  using Receive = actord::Handlers<&QueensMaster::split, &QueensMaster::solved>;

 private:
  void pre_start(actord::Context& ctx) override;
  void finish_if_complete(actord::Context& ctx);

  const Config config_;
  actord::Ref workers_;
  std::uint64_t open_ = 0, boards_ = 0, solutions_ = 0;
};

using NQueens = Program<QueensMaster>;

}  // namespace savina
