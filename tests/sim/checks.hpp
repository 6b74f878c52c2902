// SPDX-License-Identifier: Apache-2.0
//
// Checkers that receive every event as it happens. Each covers one subject and costs O(1) per
// event. The numbers are those of the rules in README.md beside this file; the lifecycle is checked
// by the model (model.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/model.hpp"
#include "sim/sim_findings.hpp"

namespace actord::sim {

/// 16, 17, 20, 33, 34: each message is handled once, in its sender's order, and none is lost
/// without a reason; unstashed messages come before all others; a bounded mailbox stays within its
/// bound.
class MailCheck {
 public:
  MailCheck(const Model& model, Findings& findings) : model_(model), findings_(findings) {
    letters_.reserve(512);
    letters_.emplace_back();
    boxes_.emplace_back();
  }

  void born(Id who, std::uint32_t capacity);
  /// Returns the message's number. `is_copy`: a forwarded copy; its order is not checked.
  std::uint32_t sent(Id from, Id to, bool is_copy = false);
  void begun(std::uint32_t letter, Id by);
  void stashed(std::uint32_t letter, Id by);
  /// The actor, or its restart, has put the whole stash in front of the mailbox.
  void unstashed(Id by);
  /// The actor begins to handle something from its mailbox that is not a letter.
  void other_begun(Id by);
  /// The payload of the letter was destroyed.
  void destroyed(std::uint32_t letter);

  /// Messages in the mailbox of `who` that have not begun. For the check at rest and for the scan.
  std::uint32_t waiting(Id who) const { return boxes_[who].waiting; }
  void check_bounds(Id who);
  void check_end();

 private:
  enum class Fate : std::uint8_t { waiting, handled, stashed };
  struct Letter {
    Id from = 0, to = 0;
    Fate fate = Fate::waiting;
    bool is_copy = false, was_begun = false, is_gone = false;
  };
  struct Box {
    std::uint32_t capacity = 0, waiting = 0;
    std::vector<std::uint32_t> stash;
    std::deque<std::uint32_t> front;  // unstashed: handled next, in this order
  };
  bool may_lose(const Box& box, Id who) const;

  const Model& model_;
  Findings& findings_;
  std::vector<Letter> letters_;
  std::vector<Box> boxes_;
  // by pair: the newest letter that has begun
  std::unordered_map<std::uint64_t, std::uint32_t> last_;
};

/// 22: one Terminated for each effective watch, and none otherwise.
class WatchCheck {
 public:
  WatchCheck(const Model& model, Findings& findings) : model_(model), findings_(findings) {
    watching_.emplace_back();
  }
  void born() { watching_.emplace_back(); }
  void watched(Id by, Id who);
  /// `who` is already watched, but in another way (supervision.md 124).
  void refused(Id by, Id who);
  void unwatched(Id by, Id who);
  void terminated(Id by, Id who);
  /// From now on `who` does not handle notices, so they may go unheard.
  void deaf(Id who) { watching_[who].is_deaf = true; }
  void check_settled(Id who);

 private:
  struct Watch {
    Id who;
    std::uint32_t most, heard;
  };
  struct Watching {
    bool is_deaf = false;
    std::vector<Watch> watches;
  };

  const Model& model_;
  Findings& findings_;
  std::vector<Watching> watching_;
};

/// 30, 31, 32 for one incarnation: its timers, answers and states are its own; the tick of a
/// replaced or cancelled timer is void; an ask is answered once; the receive timeout fires only
/// after silence. The checker is a member of the actor and is destroyed with it.
class IncarnationCheck {
 public:
  enum class Timer : std::uint8_t { once, often };
  /// The states that become() leads to; `initial` at birth and after a restart.
  enum class State : std::uint8_t { initial, busy, deaf };

  IncarnationCheck(Findings& findings, Id who, std::uint32_t incarnation)
      : findings_(findings), who_(who), incarnation_(incarnation) {}

  std::uint32_t incarnation() const noexcept { return incarnation_; }
  /// Returns the number that the timer's ticks must carry.
  std::uint32_t timer_started(Timer timer) { return timer_of(timer) = ++timers_; }
  void timer_cancelled(Timer timer) { timer_of(timer) = 0; }
  void ticked(std::uint32_t of_incarnation, Timer timer, std::uint32_t number);
  void became(State state) { state_ = state; }
  void became_on_top(State state) {
    below_.push_back(state_);
    state_ = state;
  }
  void unbecame();
  /// Checks a handler that only some states have.
  void handled(bool is_in_state, std::string_view what);
  State state() const noexcept { return state_; }
  /// Returns the number that the answer must carry.
  std::uint32_t asked() {
    ++open_asks_;
    return ++asks_;
  }
  /// An answer came: to which question of which incarnation of which actor.
  void answered(Id asker, std::uint32_t of_incarnation, std::uint32_t number);
  /// A failure came instead of an answer, or the end that a graceful stop waits for.
  void completed();
  std::uint32_t open_asks() const noexcept { return open_asks_; }
  void active(std::int64_t now_ns) { active_ns_ = now_ns; }
  void awaits_silence(std::int64_t silence_ns, std::int64_t now_ns) {
    silence_ns_ = silence_ns, active_ns_ = now_ns;
  }
  void silent(std::int64_t now_ns);

 private:
  std::uint32_t& timer_of(Timer timer) { return latest_[static_cast<std::size_t>(timer)]; }

  Findings& findings_;
  const Id who_;
  const std::uint32_t incarnation_;
  std::uint32_t timers_ = 0;
  std::array<std::uint32_t, 2> latest_{};  // by timer; 0: not running
  State state_ = State::initial;
  std::vector<State> below_;  // the states that unbecome() returns to
  std::uint32_t asks_ = 0, open_asks_ = 0;
  std::set<std::uint32_t> answered_;  // the numbers of the asks that were answered
  std::int64_t silence_ns_ = 0, active_ns_ = 0;
};

}  // namespace actord::sim
