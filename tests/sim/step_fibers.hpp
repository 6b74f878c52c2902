// SPDX-License-Identifier: Apache-2.0
//
// Threads as fibers of one real thread: a seed says before which atomic operation who goes on. It
// defines what core/base/step_sync.hpp asks for.
//
// Half of the seeds go by priorities that change at a few points (PCT), the others switch at random
// with a rate of their own, and in some phases with one after the other who stands still for long,
// wherever it is: the world may be another one when it goes on. Time is simulated: a look at the
// clock costs some, and when nobody can go on it leaps to the next that waits for it.
//
// Not here: what is played (step_scenario.cpp).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/random.hpp"

namespace actord::sim {

class Fibers {
 public:
  struct Options {
    std::uint64_t seed = 1;
    std::uint64_t steps_max = 4'000'000;      // beyond: nobody gets anywhere
    std::uint64_t until = ~std::uint64_t{0};  // raises SIGTRAP at this step
  };

  explicit Fibers(const Options& options);
  ~Fibers();
  Fibers(const Fibers&) = delete;

  /// Plays `driver` as the first fiber until it returns. False if a rule was broken: then fibers
  /// were left where they stood, and this object must be given to abandon().
  bool run(std::function<void()> driver);
  /// Keeps what must never be destroyed: fibers in the midst of their work, and all that they hold.
  static void abandon(std::unique_ptr<Fibers> broken);
  const std::string& violation() const { return violation_; }

  // ---- called on a fiber ----
  /// Breaks off. Does not return.
  [[noreturn]] void fail(std::string what);
  /// Waits until all others wait, and none of them for time.
  void wait_for_quiet();
  /// Chance begins anew: from here fibers are switched, which before the first phase are not.
  void begin_phase();
  /// The fiber that calls stands still for long, once it has done so many more steps.
  void nap_after(std::uint64_t steps);
  /// Goes into the trace.
  void note(std::uint64_t what) { hash_ = (hash_ ^ what) * 0x100000001b3u; }

  bool is_on_fiber() const { return current_ != home_; }
  std::size_t current_id() const;
  std::uint64_t steps() const;
  std::uint64_t trace_hash() const { return hash_; }

  // ---- what base::step asks for ----
  void decide();
  bool fails_for_no_reason();
  void relax();
  bool wait(const void* what, std::int64_t until_ns);
  void wake(const void* what, bool all);
  std::int64_t now_ns();
  std::uint64_t spawn(std::function<void()> body);
  void join(std::uint64_t fiber);

 private:
  struct Fiber;

  void settle();  // counts the steps since the last grant
  void grant();
  std::uint64_t any_priority() { return (std::uint64_t{1} << 32) + random_.below(1 << 20); }
  void demote(Fiber& fiber);
  void make_runnable(Fiber& fiber, bool is_notified);
  void expire();
  bool leap();
  void nap();
  Fiber* choose();
  Fiber* choose_or_end();
  void switch_to(Fiber& next);
  void arrive();
  void enter(Fiber& fiber);

  const Options options_;
  base::Random random_;
  bool by_priority_;
  bool is_calm_ = true;
  std::uint64_t rate_ = 1;  // mean steps between switches, at random
  bool has_naps_ = false;
  Fiber* napper_ = nullptr;                     // chosen only where nobody else can go on,
  std::uint64_t nap_ends_ = 0;                  // until this step
  Fiber* tired_ = nullptr;                      // takes a nap
  std::uint64_t nap_begins_ = 0;                // from this step on
  std::vector<std::uint64_t> change_points_;    // by priority; the last one is the next
  std::uint64_t lowest_ = 1'000'000;            // given to who is demoted, then lowered
  std::vector<std::unique_ptr<Fiber>> fibers_;  // [0] is the stack that calls run()
  Fiber* home_;
  Fiber* current_;
  Fiber* previous_ = nullptr;
  std::int64_t now_ns_ = 1'000'000'000;
  std::int64_t granted_ = 0;
  std::uint64_t steps_ = 0, relaxed_ = 0, since_switch_ = 0;
  std::uint64_t hash_ = 0xcbf29ce484222325u;
  std::string violation_;
};

}  // namespace actord::sim
