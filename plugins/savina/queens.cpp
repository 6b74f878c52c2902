// SPDX-License-Identifier: Apache-2.0
#include "queens.hpp"

#include <actord/router.hpp>

namespace savina {

namespace {

// The known numbers of solutions, from one queen on.
constexpr std::int64_t known[] = {1,   0,   0,    2,     10,    4,      40,     92,
                                  352, 724, 2680, 14200, 73712, 365596, 2279184};

// The lowest of the columns.
std::uint32_t first_of(std::uint32_t columns) { return columns & ~(columns - 1); }

Board with_queen(const Board& board, std::uint32_t column) {
  return {board.row + 1, board.columns | column, (board.left | column) << 1,
          (board.right | column) >> 1};
}

}  // namespace

std::vector<actord::About> QueensConfig::about() {
  using C = QueensConfig;
  return {
      actord::about(&C::queens).between(1, std::size(known)).doc("Queens, and rows of the board."),
      actord::about(&C::split_rows)
          .between(2, std::size(known))
          .doc("Rows up to which each way to place a queen is a task of its own."),
      actord::about(&C::workers).between(1, 10'000).doc("Actors that share the tasks."),
      about_deadline(&C::deadline)};
}

void QueensWorker::place(actord::Context& ctx, const Board& m) {
  if (m.row >= split_rows_ || m.row == queens_) return ctx.reply(Solutions{solutions_of(m)});
  Boards next;
  for (std::uint32_t free = free_columns(m); free != 0; free &= free - 1)
    next.boards.push_back(with_queen(m, first_of(free)));
  ctx.reply(std::move(next));
}

std::uint32_t QueensWorker::free_columns(const Board& board) const {
  return ((1U << queens_) - 1) & ~(board.columns | board.left | board.right);
}

std::uint64_t QueensWorker::solutions_of(const Board& board) const {
  if (board.row == queens_) return 1;
  std::uint64_t sum = 0;
  for (std::uint32_t free = free_columns(board); free != 0; free &= free - 1)
    sum += solutions_of(with_queen(board, first_of(free)));
  return sum;
}

std::int64_t QueensMaster::expected(const Config& config) { return known[config.queens - 1]; }

void QueensMaster::pre_start(actord::Context& ctx) {
  workers_ =
      ctx.spawn_router<QueensWorker>("workers", actord::pool(config_.workers).smallest_mailbox(),
                                     config_.queens, config_.split_rows);
  ctx.tell(workers_, Board{});
  open_ = boards_ = 1;
}

void QueensMaster::split(actord::Context& ctx, const Boards& m) {
  for (const Board& board : m.boards) ctx.tell(workers_, Board{board});
  boards_ += m.boards.size();
  open_ += m.boards.size();
  --open_;
  finish_if_complete(ctx);
}

void QueensMaster::solved(actord::Context& ctx, const Solutions& m) {
  solutions_ += m.count;
  --open_;
  finish_if_complete(ctx);
}

void QueensMaster::finish_if_complete(actord::Context& ctx) {
  if (open_ != 0) return;
  ctx.tell(ctx.parent(), Finished{static_cast<std::int64_t>(solutions_), 2 * boards_ + 1});
}

}  // namespace savina
