// SPDX-License-Identifier: Apache-2.0
//
// The operator's orders to one actor below /user: stop, kill, restart, suspend, resume, trace.
//
// Not here: how an actor obeys (actor/orders.hpp), questions to it (actor_questions.hpp), and
// configured actors that are not running (actor_starts.hpp).
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "actor/order.hpp"
#include "actor/ref.hpp"
#include "app/actor_questions.hpp"
#include "os/event_loop.hpp"

namespace actord::system {
class ActorSystem;
}  // namespace actord::system

namespace actord::app {

/// Threads: only the event loop's.
class ActorOrders {
 public:
  using Outcome = ActorQuestions::Outcome;
  using Done = ActorQuestions::Done;

  /// All of them outlive this object.
  ActorOrders(os::EventLoop& loop, system::ActorSystem& actors, ActorQuestions& questions) noexcept
      : loop_(loop), actors_(actors), questions_(questions) {}

  /// Stops the actor, and waits for its end.
  void stop(const std::string& path, std::chrono::nanoseconds timeout, const Done& done);
  /// Sends it a Kill, which waits for its turn among the messages.
  void kill(const std::string& path, const Done& done);
  /// Restarts the actor, and waits until it is up; ends its back-off, if it waits for that. `why`
  /// is the text of the cause that its hooks get.
  void restart(const std::string& path, const std::string& why, std::chrono::nanoseconds timeout,
               const Done& done);
  /// Suspends the actor with all below it, or ends that.
  void suspend(const std::string& path, std::chrono::nanoseconds timeout, const Done& done);
  void resume(const std::string& path, std::chrono::nanoseconds timeout, const Done& done);
  /// Lets the next `count` messages of the actor be logged (actor.traced); 0: no more of them.
  void trace(const std::string& path, std::uint64_t count, std::chrono::nanoseconds timeout,
             const Done& done);

 private:
  struct Pending;
  /// What the actor is to do; the members as in actor::Order.
  struct Demand {
    actor::Order::Kind kind;
    std::string why = {};
    std::uint64_t count = 0;
  };
  using Obeyed = std::function<void(actor::Order::Outcome)>;

  /// The actor at the path, unless it is actord's own. If there is none, tells `done` so and
  /// returns `nobody`.
  actor::Ref find(const std::string& path, std::string_view verb, const Done& done) const;
  /// Gives the order, and calls `then` if it is obeyed in time; else tells `done` so.
  void give(const std::string& path, actor::Ref whom, Demand demand,
            std::chrono::nanoseconds timeout, const Done& done, Obeyed then);
  void hold(const std::string& path, actor::Order::Kind kind, std::string_view outcome,
            std::chrono::nanoseconds timeout, const Done& done);
  /// Looks at the actor after its restart.
  void tell_restarted(const std::string& path, actor::Ref whom, const Done& done);

  os::EventLoop& loop_;
  system::ActorSystem& actors_;
  ActorQuestions& questions_;
};

}  // namespace actord::app
