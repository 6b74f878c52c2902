// SPDX-License-Identifier: Apache-2.0
//
// Actors that an operator creates by hand, from a behaviour that is loaded and a config as JSON.
// They are in no configuration: no reload and no restart of actord brings them back. Or the
// operator gets the text that adds such an actor to the configuration.
//
// Not here: configured actors (actor_starts.hpp).
#pragma once

#include <string>

#include "actor/behaviour.hpp"
#include "app/actor_questions.hpp"
#include "base/result.hpp"
#include "os/event_loop.hpp"

namespace actord::config {
struct Configuration;
}  // namespace actord::config

namespace actord::system {
class ActorSystem;
}  // namespace actord::system

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
  ActorSpawns(os::EventLoop& loop, system::ActorSystem& actors) noexcept
      : loop_(loop), actors_(actors) {}

  /// Checks the config as that of a configured actor, and spawns it below /user. `done` is called
  /// once, when the guardian has created the actor or has refused it.
  void spawn(const Wish& wish, const Done& done);
  /// Checks the same, and tells `done` the "file" of the configuration that would have the actor,
  /// its "text", and the file "like" which it is to be owned. The client writes it.
  void prepare_file(const Wish& wish, const config::Configuration& running, const Done& done);

 private:
  /// Why there can be no actor of that name; empty: there can.
  std::string why_not(const Wish& wish) const;
  /// The props of such an actor. They keep what its config lies in.
  base::Result<actor::PropsPtr, ActorQuestions::Outcome> props_of(const Wish& wish);

  os::EventLoop& loop_;
  system::ActorSystem& actors_;
};

}  // namespace actord::app
