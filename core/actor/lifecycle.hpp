// SPDX-License-Identifier: Apache-2.0
//
// The life of a cell as a table: the stages, which stage may follow which, and the counts that go
// with them. Every change of a stage, of the suspensions or of the fail state is a call of
// Lifecycle, which asserts its rule; nothing else writes them.
//
// An actor that goes on is suspended for two reasons only, its own failure and its parent's
// suspension (an all-for-one restart and a reload suspend as a parent does). Suspensions are
// counted, and each has exactly one release (supervision.md 14-16, 58). An actor that waits for its
// children's end counts one more, which is never released.
//
// Not here: what happens at a transition. Recovery and Termination act; Turn::transition_to() tells
// the log.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"

namespace actord::actor {

/// Where an actor is in its life, as the worker that runs it sees it.
enum class Stage : std::uint8_t {
  fresh,        // scheduled for the first time; nothing has been constructed yet
  running,      // has an instance, or has failed and waits for the verdict
  recreating,   // waits for stopped children before the next incarnation
  creating,     // the same after a creation that failed
  backing_off,  // waits for the delay before the next incarnation
  terminating,  // waits for its children before the end
  terminated
};
inline constexpr std::size_t stage_count = 7;
std::string_view name_of(Stage stage) noexcept;

/// A legal transition, and what the debug line `actor.lifecycle` says of it. Empty where a line of
/// its own stands beside the transition: "started", "restarting", "restarted", "stopped".
struct Transition {
  Stage from, to;
  std::string_view told;
};
inline constexpr std::array<Transition, 14> transitions{{
    {Stage::fresh, Stage::running, ""},
    {Stage::running, Stage::recreating, ""},
    {Stage::running, Stage::creating, "to be created anew"},
    {Stage::running, Stage::terminating, "stopping"},
    {Stage::recreating, Stage::running, ""},
    {Stage::recreating, Stage::backing_off, "backing off"},
    {Stage::recreating, Stage::terminating, "stopping"},
    {Stage::creating, Stage::running, ""},
    {Stage::creating, Stage::backing_off, "backing off"},
    {Stage::creating, Stage::terminating, "stopping"},
    {Stage::backing_off, Stage::recreating, "backed off"},
    {Stage::backing_off, Stage::creating, "backed off"},
    {Stage::backing_off, Stage::terminating, "stopping"},
    {Stage::terminating, Stage::terminated, ""},
}};

namespace detail {

struct TransitionBits {
  std::array<std::uint8_t, stage_count> predecessors{};  // of each stage, one bit a stage
  std::uint8_t told = 0;  // the stages that some transition with a text leads to
};
inline constexpr TransitionBits transition_bits = [] {
  TransitionBits bits;
  for (const Transition& each : transitions) {
    const auto to = static_cast<std::size_t>(each.to);
    bits.predecessors[to] |= static_cast<std::uint8_t>(1u << static_cast<unsigned>(each.from));
    if (!each.told.empty()) bits.told |= static_cast<std::uint8_t>(1u << to);
  }
  return bits;
}();

}  // namespace detail

/// True if `to` may follow `from`: the table once more. Where `to` is a constant, the test of one
/// bit.
constexpr bool may_follow(Stage from, Stage to) noexcept {
  const unsigned predecessors = detail::transition_bits.predecessors[static_cast<std::size_t>(to)];
  return (predecessors >> static_cast<unsigned>(from) & 1) != 0;
}

/// True if some transition to `to` has a text.
constexpr bool is_told(Stage to) noexcept {
  return (detail::transition_bits.told >> static_cast<unsigned>(to) & 1) != 0;
}

/// What the log says of a transition that the table has.
std::string_view told_of(Stage from, Stage to) noexcept;

/// The owner's half of a cell that says where the actor is in its life. Only the worker that runs
/// the cell calls it; the parent calls begin(), before the cell is scheduled.
class Lifecycle {
 public:
  enum class FailState : std::uint8_t {
    healthy,
    failed,          // waits for its supervisor's verdict, or for its end: no failure is judged
    failed_fatally,  // the same after a re-creation that failed (supervision.md 53)
    doomed           // handling a failure failed itself: nothing is carried out but the end (63)
  };

  Stage stage() const noexcept { return stage_; }
  std::uint32_t incarnation() const noexcept { return incarnation_; }
  std::uint32_t suspensions() const noexcept { return suspensions_; }
  bool is_suspended() const noexcept { return suspensions_ != 0; }
  bool is_failed() const noexcept { return fail_state_ != FailState::healthy; }
  bool is_failed_fatally() const noexcept { return fail_state_ == FailState::failed_fatally; }
  bool is_doomed() const noexcept { return fail_state_ == FailState::doomed; }
  /// True if it waits for something before its next incarnation.
  bool is_waiting_to_restart() const noexcept {
    return stage_ == Stage::recreating || stage_ == Stage::creating || stage_ == Stage::backing_off;
  }
  /// True if it is on its way to the end, or there.
  bool is_ending() const noexcept { return stage_ >= Stage::terminating; }

  /// A new tenant of the cell. It begins as often suspended as its parent is (supervision.md 66).
  void begin(std::uint32_t suspensions) noexcept {
    ACTORD_ASSERT(stage_ == Stage::fresh || stage_ == Stage::terminated);
    stage_ = Stage::fresh;
    fail_state_ = FailState::healthy;
    incarnation_ = 0;
    suspensions_ = suspensions;
  }
  void transition_to(Stage next) noexcept {
    ACTORD_ASSERT(may_follow(stage_, next));
    stage_ = next;
  }
  void begin_next_incarnation() noexcept {
    ACTORD_ASSERT(stage_ == Stage::running);
    ++incarnation_;
  }
  void suspend() noexcept {
    ++suspensions_;
    ACTORD_ASSERT(suspensions_ != 0);
  }
  /// Takes one suspension back; each was counted before.
  void resume() noexcept {
    ACTORD_ASSERT(suspensions_ != 0);
    --suspensions_;
  }
  /// A failure begins an episode; a second one during the same episode is not reported.
  void fail(bool is_fatal) noexcept {
    ACTORD_ASSERT(!is_failed());
    fail_state_ = is_fatal ? FailState::failed_fatally : FailState::failed;
  }
  /// An emergency stop is on its way. Until then the actor handles no user mail: it is suspended,
  /// and that is never released.
  void doom() noexcept {
    if (is_doomed()) return;
    fail_state_ = FailState::doomed;
    suspend();
  }
  /// The end of the episode.
  void heal() noexcept { fail_state_ = FailState::healthy; }

 private:
  std::uint32_t suspensions_ = 0;
  std::uint32_t incarnation_ = 0;
  Stage stage_ = Stage::fresh;
  FailState fail_state_ = FailState::healthy;
};

}  // namespace actord::actor
