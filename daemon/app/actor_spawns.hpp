// SPDX-License-Identifier: Apache-2.0
//
// Actors that an operator creates by hand, from a behaviour that is loaded and a config as JSON.
// They are in no configuration: no reload and no restart of actord brings them back.
//
// Not here: configured actors (actor_starts.hpp).
#pragma once

#include <boost/asio/io_context.hpp>
#include <string>

#include "app/actor_questions.hpp"
#include "system/actor_system.hpp"

namespace actord::app {

/// Threads: only the event loop's.
class ActorSpawns {
 public:
  using Done = ActorQuestions::Done;

  struct Wish {
    std::string behaviour;  // "echo/Echo"
    std::string name;       // of the child of /user
    std::string config;     // the text of a JSON object
  };

  /// Both outlive this object.
  ActorSpawns(boost::asio::io_context& loop, system::ActorSystem& actors) noexcept
      : loop_(loop), actors_(actors) {}

  /// Checks the config as that of a configured actor, and spawns it below /user. `done` is called
  /// once, when the guardian has created the actor or has refused it.
  void spawn(const Wish& wish, const Done& done);

 private:
  /// The props of such an actor. They keep what its config lies in.
  base::Result<actor::PropsPtr, ActorQuestions::Outcome> props_of(const Wish& wish);

  boost::asio::io_context& loop_;
  system::ActorSystem& actors_;
};

}  // namespace actord::app
