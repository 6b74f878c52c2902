// SPDX-License-Identifier: Apache-2.0
//
// Dining philosophers: each needs two forks, which it shares with its neighbours.
#pragma once

#include "program.hpp"

namespace savina {

struct PhilosophersConfig {
  std::uint32_t philosophers = 20;
  std::uint32_t meals = 5'000;
  std::chrono::nanoseconds deadline = usual_deadline;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(PhilosophersConfig, philosophers, meals, deadline)

/// A philosopher to a fork. Answered with Taken when the fork is free.
struct Take {};
ACTORD_MESSAGE(Take, "savina.Take/1")
struct Taken {};
ACTORD_MESSAGE(Taken, "savina.Taken/1")
/// A philosopher to a fork that it has taken.
struct PutBack {};
ACTORD_MESSAGE(PutBack, "savina.PutBack/1")
/// A philosopher to the table: it has both forks and begins to eat. Answered with Eating.
struct BeginMeal {
  std::uint32_t philosopher = 0;
};
ACTORD_MESSAGE(BeginMeal, "savina.BeginMeal/1", philosopher)
struct Eating {};
ACTORD_MESSAGE(Eating, "savina.Eating/1")
/// A philosopher to the table: it has eaten, and still has both forks. Answered with Eaten.
struct EndMeal {
  std::uint32_t philosopher = 0;
};
ACTORD_MESSAGE(EndMeal, "savina.EndMeal/1", philosopher)
struct Eaten {};
ACTORD_MESSAGE(Eaten, "savina.Eaten/1")
/// The table to a fork, in the end. Answered with Free when the fork is with no philosopher.
struct AwaitFree {};
ACTORD_MESSAGE(AwaitFree, "savina.AwaitFree/1")
struct Free {};
ACTORD_MESSAGE(Free, "savina.Free/1")

/// A fork is with one philosopher at a time. If the other one wants it, its message is stashed.
class TableFork : public actord::Actor {
 public:
  void take(actord::Context& ctx, const Take&);
  void wait(actord::Context& ctx, const Take&) { ctx.stash(); }
  void put_back(actord::Context& ctx, const PutBack&);
  Free is_free(const AwaitFree&) { return {}; }
  void wait_for_end(actord::Context& ctx, const AwaitFree&) { ctx.stash(); }

  using Receive = actord::Handlers<&TableFork::take, &TableFork::is_free>;
  struct InUse
      : actord::Handlers<&TableFork::wait, &TableFork::put_back, &TableFork::wait_for_end> {
    static constexpr std::string_view name = "in-use";
  };
  using States = actord::States<InUse>;

 private:
  actord::Ref holder_;
};

/// Takes its forks in the order of their numbers: so there is always one that can eat.
class Philosopher : public actord::Actor {
 public:
  Philosopher(std::uint32_t index, std::uint32_t meals, actord::Ref first, actord::Ref second)
      : index_(index), left_(meals), first_(first), second_(second) {}

  void taken(actord::Context& ctx, const Taken&);
  void eating(actord::Context& ctx, const Eating&) { ctx.reply(EndMeal{index_}); }
  void eaten(actord::Context& ctx, const Eaten&);
  using Receive = actord::Handlers<&Philosopher::taken, &Philosopher::eating, &Philosopher::eaten>;

 private:
  void pre_start(actord::Context& ctx) override { ctx.tell(first_, Take{}); }

  const std::uint32_t index_;
  std::uint32_t left_;  // meals
  const actord::Ref first_, second_;
  bool has_first_ = false;
};

/// Sees who eats, and that no two neighbours do at once. It gives no permissions: the forks do.
class Table : public Escalating {
 public:
  using Config = PhilosophersConfig;
  static constexpr std::string_view program = "Philosophers";
  static constexpr std::string_view doc =
      "Lets neighbours share forks: small actors that wait for each other, without a deadlock.";
  /// The meals of all philosophers.
  static std::int64_t expected(const Config& config);

  explicit Table(const Config& config) : config_(config), seats_(config.philosophers) {}

  Eating begin_meal(const BeginMeal& m);
  void end_meal(actord::Context& ctx, const EndMeal& m);
  void freed(actord::Context& ctx, const Free&);
  using Receive = actord::Handlers<&Table::begin_meal, &Table::end_meal, &Table::freed>;

 private:
  struct Seat {
    bool is_eating = false;
    std::uint32_t meals = 0;
  };

  void pre_start(actord::Context& ctx) override;

  const Config config_;
  std::vector<Seat> seats_;
  std::vector<actord::Ref> forks_;
  std::uint32_t sated_ = 0;  // philosophers that have had all meals
  std::uint32_t freed_ = 0;
  std::uint64_t meals_ = 0;
};

using Philosophers = Program<Table>;

}  // namespace savina
