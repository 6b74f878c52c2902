// SPDX-License-Identifier: Apache-2.0
//
// Threads as fibers of one real thread: a seed says before which atomic operation which fiber goes
// on. This class defines what core/base/step_sync.hpp declares.
//
// Half of the seeds use priorities that change at a few points (PCT). The others switch at random,
// at a rate of their own; in some phases one fiber after another stands still for long, wherever it
// is, and may find everything changed when it goes on. Time is simulated: each look at the clock
// costs some time, and when no fiber can go on, time moves to the next deadline.
//
// Not here: what is run (step_profile.cpp).
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
    std::uint64_t steps_max = 4'000'000;      // beyond: a livelock
    std::uint64_t until = ~std::uint64_t{0};  // raises SIGTRAP at this step
  };

  explicit Fibers(const Options& options);
  ~Fibers();
  Fibers(const Fibers&) = delete;

  /// Runs `driver` as the first fiber until it returns. False if a rule was broken: then the fibers
  /// are left where they stood, and this object must be given to abandon().
  bool run(std::function<void()> driver);
  /// Keeps a broken run for ever: its fibers are in the middle of their work and hold resources.
  static void abandon(std::unique_ptr<Fibers> broken);
  const std::string& violation() const { return violation_; }

  // ---- called on a fiber ----
  /// Breaks the run off. Does not return.
  [[noreturn]] void fail(std::string what);
  /// Waits until all other fibers wait, and none of them for a deadline.
  void wait_for_quiet();
  /// Draws the random parameters anew. Fibers are switched from here on; before the first phase
  /// not.
  void begin_phase();
  /// The calling fiber stands still for long, after so many more steps.
  void nap_after(std::uint64_t steps);
  /// Adds `what` to the trace hash.
  void note(std::uint64_t what) { hash_ = (hash_ ^ what) * 0x100000001b3u; }

  bool is_on_fiber() const { return current_ != home_; }
  std::size_t current_id() const;
  std::uint64_t steps() const;
  std::uint64_t trace_hash() const { return hash_; }

  // ---- the functions behind base::step ----
  void decide();
  bool fails_spuriously();
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
  std::uint64_t rate_ = 1;  // mean steps between random switches
  bool has_naps_ = false;
  Fiber* napper_ = nullptr;                     // stands still unless no other fiber can go on,
  std::uint64_t nap_ends_ = 0;                  // until this step
  Fiber* tired_ = nullptr;                      // stands still next,
  std::uint64_t nap_begins_ = 0;                // from this step on
  std::vector<std::uint64_t> change_points_;    // of priorities; the last one is the next
  std::uint64_t lowest_ = 1'000'000;            // given to a demoted fiber, then lowered
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
