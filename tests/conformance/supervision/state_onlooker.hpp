// SPDX-License-Identifier: Apache-2.0
//
// An actor that keeps what others tell it, as texts.
#pragma once

#include <actord/state_machine.hpp>

#include "seeded_test.hpp"

namespace actord::conformance {

using Seen = std::vector<std::string>;

/// The subscriber of a machine: keeps what it is told.
class Onlooker : public Actor {
 public:
  explicit Onlooker(Seen* seen) : seen_(*seen) {}
  void current(const CurrentState& now) { seen_.push_back("is " + now.state); }
  void transition(const Transition& change) { seen_.push_back(change.from + " -> " + change.to); }
  void answer(const Answer& answer) { seen_.push_back("answer " + std::to_string(answer.n)); }
  void note(const Note& note) { seen_.push_back("note " + std::to_string(note.n)); }
  using Receive =
      Handlers<&Onlooker::current, &Onlooker::transition, &Onlooker::answer, &Onlooker::note>;

 private:
  Seen& seen_;
};

}  // namespace actord::conformance
