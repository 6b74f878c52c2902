// SPDX-License-Identifier: Apache-2.0
//
// Fork-join: actors are created, get work, and are asked for what they have.
#pragma once

#include "program.hpp"

namespace savina {

struct ForkJoinConfig {
  std::uint32_t forks = 1'000;
  std::uint32_t tasks = 60;
  std::chrono::nanoseconds deadline = usual_deadline;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(ForkJoinConfig, forks, tasks, deadline)

/// A task of an actor: add this number.
struct Task {
  std::uint64_t number = 0;
};
ACTORD_MESSAGE(Task, "savina.Task/1", number)
/// Answered with Joined, after all tasks.
struct Join {};
ACTORD_MESSAGE(Join, "savina.Join/1")
struct Joined {
  std::uint32_t tasks = 0;
  std::uint64_t sum = 0;
};
ACTORD_MESSAGE(Joined, "savina.Joined/1", tasks, sum)

class Fork : public actord::Actor {
 public:
  void add(const Task& m);
  Joined join(const Join&) const { return joined_; }
  using Receive = actord::Handlers<&Fork::add, &Fork::join>;

 private:
  Joined joined_;
};

class Forker : public Escalating {
 public:
  using Config = ForkJoinConfig;
  static constexpr std::string_view program = "ForkJoin";
  static constexpr std::string_view doc =
      "Creates actors, sends each its tasks and asks it for the sum: creation, bursts and asks.";
  /// The sum of all numbers.
  static std::int64_t expected(const Config& config);
  /// All tasks are sent by one handler.
  static void validate(const Config& config, actord::Findings& findings);

  explicit Forker(const Config& config) : config_(config) {}

  void joined(actord::Context& ctx, const actord::Reply<Joined>& reply);
  using Receive = actord::Handlers<>;

 private:
  void pre_start(actord::Context& ctx) override;

  const Config config_;
  std::uint32_t joined_ = 0;
  std::uint64_t sum_ = 0;
};

using ForkJoin = Program<Forker>;

}  // namespace savina
