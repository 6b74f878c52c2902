// SPDX-License-Identifier: Apache-2.0
//
// The life cycle of an actor as a table: its stages, which stage may follow which, and the counts
// that belong to them. Only Lifecycle writes the stage, the suspensions and the fail state, and it
// asserts the rules for them.
//
// An actor is suspended by its own failure and by a suspension of its parent. An all-for-one
// restart and a reload suspend it in the same way as its parent would. Suspensions are counted, and
// each is released exactly once (supervision.md 14-16, 58). Two suspensions are never
// released: that of an actor that waits for its children to terminate before it terminates itself,
// and that of a doomed one.
//
// Not here: what happens at a transition. Recovery and Termination act, and Turn::transition_to()
// writes the log line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"

namespace actord::actor {

/// The stage of an actor's life cycle, as the worker that runs the actor sees it.
enum class Stage : std::uint8_t {
  fresh,        // scheduled for the first time; nothing has been constructed yet
  running,      // has an instance, or its creation has failed and it waits for the verdict
  recreating,   // waits for stopped children before it is constructed again
  creating,     // the same, after a first creation that failed
  backing_off,  // waits for the back-off delay before the next incarnation
  terminating,  // waits for its children to terminate
  terminated
};
inline constexpr std::size_t stage_count = 7;
std::string_view name_of(Stage stage) noexcept;

/// A legal transition and its text in the debug line `actor.lifecycle`. The text is empty where the
/// code at the transition writes the line: "started", "restarting", "restarted", "stopped".
struct Transition {
  Stage from, to;
  std::string_view log_text;
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
  // of each stage: one bit for each predecessor
  std::array<std::uint8_t, stage_count> predecessors{};
  std::uint8_t logged = 0;  // one bit for each stage that a transition with a log_text leads to
};
inline constexpr TransitionBits transition_bits = [] {
  TransitionBits bits;
  for (const Transition& each : transitions) {
    const auto to = static_cast<std::size_t>(each.to);
    bits.predecessors[to] |= static_cast<std::uint8_t>(1u << static_cast<unsigned>(each.from));
    if (!each.log_text.empty()) bits.logged |= static_cast<std::uint8_t>(1u << to);
  }
  return bits;
}();

}  // namespace detail

/// True if the table has a transition from `from` to `to`. If `to` is a constant, this tests one
/// bit.
constexpr bool may_follow(Stage from, Stage to) noexcept {
  const unsigned predecessors = detail::transition_bits.predecessors[static_cast<std::size_t>(to)];
  return (predecessors >> static_cast<unsigned>(from) & 1) != 0;
}

/// True if a transition to `to` has a text.
constexpr bool is_logged(Stage to) noexcept {
  return (detail::transition_bits.logged >> static_cast<unsigned>(to) & 1) != 0;
}

/// The text of a transition, which must be in the table.
std::string_view log_text_of(Stage from, Stage to) noexcept;

/// The part of a cell that holds the actor's stage, suspensions, fail state and incarnation. Only
/// the worker that runs the cell calls it, except begin(), which the parent calls before the cell
/// is scheduled.
class Lifecycle {
 public:
  enum class FailState : std::uint8_t {
    healthy,
    failed,          // waits for the verdict, or terminates: a further failure is not reported
    failed_fatally,  // the same after a re-creation that failed (supervision.md 53)
    doomed           // handling a failure has failed: the actor can only terminate (63)
  };

  Stage stage() const noexcept { return stage_; }
  std::uint32_t incarnation() const noexcept { return incarnation_; }
  std::uint32_t suspensions() const noexcept { return suspensions_ & ~all_waits; }
  bool is_suspended() const noexcept { return suspensions() != 0; }
  /// True if the actor handles no user messages: it is suspended, or waits for room or for
  /// the journal.
  bool is_paused() const noexcept { return suspensions_ != 0; }
  /// True if the actor waits until another one's mailbox has room (mailbox_room.hpp).
  bool is_waiting_for_room() const noexcept { return (suspensions_ & waits_for_room) != 0; }
  /// True if the actor recovers, or waits until its events are stored (persistence.hpp).
  bool is_waiting_for_journal() const noexcept { return (suspensions_ & waits_for_journal) != 0; }
  bool is_failed() const noexcept { return fail_state_ != FailState::healthy; }
  bool is_failed_fatally() const noexcept { return fail_state_ == FailState::failed_fatally; }
  bool is_doomed() const noexcept { return fail_state_ == FailState::doomed; }
  /// True if the actor waits for something before its next incarnation.
  bool is_waiting_to_restart() const noexcept {
    return stage_ == Stage::recreating || stage_ == Stage::creating || stage_ == Stage::backing_off;
  }
  /// True if the actor is terminating or has terminated.
  bool is_ending() const noexcept { return stage_ >= Stage::terminating; }

  /// A new actor gets this cell. It begins with the suspensions of its parent (supervision.md 66).
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
    ACTORD_ASSERT(suspensions() != 0);
  }
  /// Releases one suspension.
  void resume() noexcept {
    ACTORD_ASSERT(suspensions() != 0);
    --suspensions_;
  }
  /// It is no suspension: children do not take part in it, and failures are judged meanwhile.
  void wait_for_room() noexcept { suspensions_ |= waits_for_room; }
  void end_wait_for_room() noexcept { suspensions_ &= ~waits_for_room; }
  /// The same for an actor that recovers, or waits until its events are stored.
  void wait_for_journal() noexcept { suspensions_ |= waits_for_journal; }
  void end_wait_for_journal() noexcept { suspensions_ &= ~waits_for_journal; }
  /// The actor has failed, and an episode begins.
  void fail(bool is_fatal) noexcept {
    ACTORD_ASSERT(!is_failed());
    fail_state_ = is_fatal ? FailState::failed_fatally : FailState::failed;
  }
  /// An emergency stop has been sent. The actor handles no more user messages: this suspends it,
  /// and the suspension is never released.
  void doom() noexcept {
    if (is_doomed()) return;
    fail_state_ = FailState::doomed;
    suspend();
  }
  /// The episode has ended.
  void heal() noexcept { fail_state_ = FailState::healthy; }

 private:
  // In the word of the suspensions, so that a turn asks for both at once.
  static constexpr std::uint32_t waits_for_room = std::uint32_t{1} << 31;
  static constexpr std::uint32_t waits_for_journal = std::uint32_t{1} << 30;
  static constexpr std::uint32_t all_waits = waits_for_room | waits_for_journal;

  std::uint32_t suspensions_ = 0;  // and the bits of `all_waits`
  std::uint32_t incarnation_ = 0;
  Stage stage_ = Stage::fresh;
  FailState fail_state_ = FailState::healthy;
};

}  // namespace actord::actor
