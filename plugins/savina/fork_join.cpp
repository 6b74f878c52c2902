// SPDX-License-Identifier: Apache-2.0
#include "fork_join.hpp"

namespace savina {

std::vector<actord::About> ForkJoinConfig::about() {
  using C = ForkJoinConfig;
  return {
      actord::about(&C::forks).between(1, 1'000'000).doc("Actors that are created."),
      actord::about(&C::tasks).at_most(100'000).doc("Messages to each of them before it is asked."),
      about_deadline(&C::deadline)};
}

void Fork::add(const Task& m) {
  ++joined_.tasks;
  joined_.sum += m.number;
}

std::int64_t Forker::expected(const Config& config) {
  const std::uint64_t n = std::uint64_t{config.forks} * config.tasks;
  return static_cast<std::int64_t>(n == 0 ? 0 : (n - 1) * n / 2);
}

void Forker::validate(const Config& config, actord::Findings& findings) {
  if (std::uint64_t{config.forks} * config.tasks > 10'000'000)
    findings.reject(&Config::tasks, "must be at most 10000000 for all forks together");
}

void Forker::pre_start(actord::Context& ctx) {
  std::uint64_t number = 0;
  for (std::uint32_t index = 0; index < config_.forks; ++index) {
    const actord::Ref fork = ctx.spawn<Fork>("fork-" + std::to_string(index));
    for (std::uint32_t task = 0; task < config_.tasks; ++task) ctx.tell(fork, Task{number++});
    ctx.ask<&Forker::joined>(fork, Join{}, config_.deadline);
  }
}

void Forker::joined(actord::Context& ctx, const actord::Reply<Joined>& reply) {
  if (!reply) throw WrongResult("an actor has not answered", {{"why", reply.failure().what()}});
  if (reply->tasks != config_.tasks)
    throw WrongResult("an actor has not got all its tasks", {{"tasks", reply->tasks}});
  sum_ += reply->sum;
  if (++joined_ != config_.forks) return;
  ctx.tell(ctx.parent(), Finished{static_cast<std::int64_t>(sum_),
                                  config_.forks * (std::uint64_t{config_.tasks} + 2) + 1});
}

}  // namespace savina
