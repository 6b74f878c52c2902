// SPDX-License-Identifier: Apache-2.0
//
// Checkers that are fed as things happen: small, one subject each, O(1) per event. The numbers are
// those of the invariants in README.md beside this; the lifecycle is the model's (model.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/model.hpp"
#include "sim/sim_findings.hpp"

namespace actord::sim {

/// 16, 17, 20, 33, 34: every message once, in the order of its sender, none lost without a reason,
/// what was stashed before everything else, a bounded mailbox within its bound.
class MailCheck {
 public:
  MailCheck(const Model& model, Findings& findings) : model_(model), findings_(findings) {
    letters_.reserve(512);
    letters_.emplace_back();
    boxes_.emplace_back();
  }

  void born(Id who, std::uint32_t capacity);
  /// Answers the message's number. `is_copy`: sent by who forwards it, in an order of its own.
  std::uint32_t sent(Id from, Id to, bool is_copy = false);
  void begun(std::uint32_t letter, Id by);
  void stashed(std::uint32_t letter, Id by);
  /// All of the stash is before the mailbox now: by the actor, or by its restart.
  void unstashed(Id by);
  /// Something else than a letter is being handled, out of the mailbox.
  void other_begun(Id by);
  /// The payload is gone.
  void destroyed(std::uint32_t letter);

  /// At rest, and for the scan: messages not yet begun, in the mailbox of `who`.
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
    std::deque<std::uint32_t> front;  // unstashed: to be handled next, in this order
  };
  bool may_lose(const Box& box, Id who) const;

  const Model& model_;
  Findings& findings_;
  std::vector<Letter> letters_;
  std::vector<Box> boxes_;
  std::unordered_map<std::uint64_t, std::uint32_t> last_;  // by pair: the newest begun
};

/// 22: one Terminated for each effective watch, and none otherwise.
class WatchCheck {
 public:
  WatchCheck(const Model& model, Findings& findings) : model_(model), findings_(findings) {
    watching_.emplace_back();
  }
  void born() { watching_.emplace_back(); }
  void watched(Id by, Id who);
  /// It is watched already, and otherwise (supervision.md 124).
  void refused(Id by, Id who);
  void unwatched(Id by, Id who);
  void terminated(Id by, Id who);
  /// Notices may go unheard from here on: it does not handle them.
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

/// 30, 31, 32 of one incarnation: its timers, answers and states are its own, the tick of a timer
/// that was replaced or cancelled is void, an ask is answered once, the receive timeout comes after
/// silence alone. Lives in the actor, and dies with it.
class IncarnationCheck {
 public:
  enum class Timer : std::uint8_t { once, often };
  /// What become() leads to; initial at birth and after a restart.
  enum class State : std::uint8_t { initial, busy, deaf };

  IncarnationCheck(Findings& findings, Id who, std::uint32_t incarnation)
      : findings_(findings), who_(who), incarnation_(incarnation) {}

  std::uint32_t incarnation() const noexcept { return incarnation_; }
  /// Answers the number that its ticks have to bear.
  std::uint32_t timer_started(Timer timer) { return timer_of(timer) = ++timers_; }
  void timer_cancelled(Timer timer) { timer_of(timer) = 0; }
  void ticked(std::uint32_t of_incarnation, Timer timer, std::uint32_t number);
  void became(State state) { state_ = state; }
  void became_on_top(State state) {
    below_.push_back(state_);
    state_ = state;
  }
  void unbecame();
  /// A handler that only some states have.
  void handled(bool is_in_state, std::string_view what);
  State state() const noexcept { return state_; }
  void asked() { ++open_asks_; }
  /// `of_incarnation`: what the answer says; -1: a failure came instead.
  void answered(std::int64_t of_incarnation);
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
  std::array<std::uint32_t, 2> latest_{};  // by timer; 0: none runs
  State state_ = State::initial;
  std::vector<State> below_;  // what unbecome() returns to
  std::uint32_t open_asks_ = 0;
  std::int64_t silence_ns_ = 0, active_ns_ = 0;
};

}  // namespace actord::sim
