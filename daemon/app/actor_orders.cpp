// SPDX-License-Identifier: Apache-2.0
#include "app/actor_orders.hpp"

#include <utility>

#include "base/duration_text.hpp"
#include "system/outside_ask.hpp"

namespace actord::app {

using actor::Inspection;
using actor::Order;
using actor::Ref;
using Outcome = ActorQuestions::Outcome;

namespace {

Outcome obeyed(const std::string& path, std::string_view outcome) {
  return {0, {}, {{"path", path}, {"outcome", outcome}}};
}

Outcome not_yet(std::string reason, const std::string& help) {
  return {ActorQuestions::busy, std::move(reason), {{"help", help}}};
}

std::string within(std::chrono::nanoseconds timeout) {
  return " within " + base::duration_text(timeout.count());
}

}  // namespace

/// What an order and its time limit share; the first of them ends it.
struct ActorOrders::Pending {
  Pending(os::EventLoop& loop, Obeyed then_) : deadline(loop), then(std::move(then_)) {}

  os::Timer deadline;
  Obeyed then;  // empty: it has ended
};

Ref ActorOrders::find(const std::string& path, std::string_view verb, const Done& done) const {
  const Ref whom = questions_.find(path, done);
  if (whom == actor::nobody || path.starts_with("/user/")) return whom;
  done(ActorQuestions::refused(
      path + " belongs to actord itself: there is no way to " + std::string{verb} + " it",
      "to stop actord: systemctl stop actord"));
  return actor::nobody;
}

void ActorOrders::give(const std::string& path, Ref whom, Demand demand,
                       std::chrono::nanoseconds timeout, const Done& done, Obeyed then) {
  const auto pending = std::make_shared<Pending>(loop_, std::move(then));
  const base::IntrusivePtr<Order> order(new Order(
      demand.kind, std::move(demand.why),
      [&loop = loop_, pending, path, done](Order::Outcome outcome) {
        os::post(loop, [pending, path, done, outcome] {
          const Obeyed told = std::exchange(pending->then, nullptr);
          if (!told) return;
          pending->deadline.cancel();
          if (outcome == Order::Outcome::gone)
            return done(ActorQuestions::refused(path + " has just stopped"));
          if (outcome == Order::Outcome::no_memory)
            return done({ActorQuestions::busy, "there is no memory for an order to " + path});
          told(outcome);
        });
      }));
  order->count = demand.count;
  pending->deadline.start(timeout, [pending, path, done, timeout] {
    if (!std::exchange(pending->then, nullptr)) return;
    done(not_yet(path + " has not obeyed" + within(timeout),
                 "its handler has not returned, or it waits for its own restart, or for children "
                 "that stop; the order stays, and is obeyed then"));
  });
  actors_.order(whom, order);
}

// ---- suspend, resume ----------------------------------------------------------------------------

void ActorOrders::suspend(const std::string& path, std::chrono::nanoseconds timeout,
                          const Done& done) {
  hold(path, Order::Kind::suspend, "suspended", timeout, done);
}

void ActorOrders::resume(const std::string& path, std::chrono::nanoseconds timeout,
                         const Done& done) {
  hold(path, Order::Kind::resume, "resumed", timeout, done);
}

void ActorOrders::hold(const std::string& path, Order::Kind kind, std::string_view outcome,
                       std::chrono::nanoseconds timeout, const Done& done) {
  const Ref whom = find(path, kind == Order::Kind::suspend ? "suspend" : "resume", done);
  if (whom == actor::nobody) return;
  give(path, whom, {kind}, timeout, done, [path, outcome, done](Order::Outcome of) {
    Outcome told = obeyed(path, outcome);
    if (of == Order::Outcome::needless) told.result["already"] = true;
    done(told);
  });
  // One that backs off obeys when that ends; and to go on means now.
  if (kind == Order::Kind::resume) actors_.end_backoff(whom);
}

// ---- restart ------------------------------------------------------------------------------------

void ActorOrders::restart(const std::string& path, const std::string& why,
                          std::chrono::nanoseconds timeout, const Done& done) {
  const Ref whom = find(path, "restart", done);
  if (whom == actor::nobody) return;
  give(path, whom, {Order::Kind::restart, why}, timeout, done,
       [this, path, whom, done](Order::Outcome) { tell_restarted(path, whom, done); });
  // One that backs off obeys when that ends, and is restarted by it.
  actors_.end_backoff(whom);
}

void ActorOrders::tell_restarted(const std::string& path, Ref whom, const Done& done) {
  questions_.look_at(
      whom, ActorQuestions::patience,
      [path, done](Inspection::Outcome outcome, bool is_in_time, const Inspection& of) {
        if (is_in_time && outcome == Inspection::Outcome::gone)
          return done(not_yet(path + " was restarted, and has stopped",
                              "actorctl failures " + path + " lists why"));
        if (!is_in_time || outcome != Inspection::Outcome::answered)
          return done(obeyed(path, "restarted"));
        Outcome told = obeyed(path, "restarted");
        told.result["state"] = of.state;
        told.result["restarts"] = of.incarnation;
        // It may have persisted something since it has recovered.
        const bool is_up = of.state == "running" || of.state == "waiting for the journal";
        if (is_up || of.is_held) return done(told);
        told.status = ActorQuestions::busy;
        told.reason = path + " was restarted, and is not up: it is " + std::string{of.state};
        told.result["help"] = "actorctl failures " + path + " lists why";
        done(told);
      });
}

// ---- trace --------------------------------------------------------------------------------------

void ActorOrders::trace(const std::string& path, std::uint64_t count,
                        std::chrono::nanoseconds timeout, const Done& done) {
  const Ref whom = find(path, "trace", done);
  if (whom == actor::nobody) return;
  give(path, whom, {Order::Kind::trace, {}, count}, timeout, done,
       [path, count, done](Order::Outcome) {
         done(obeyed(path, count == 0 ? "not traced" : "traced"));
       });
}

// ---- kill, stop ---------------------------------------------------------------------------------

void ActorOrders::kill(const std::string& path, const Done& done) {
  const Ref whom = find(path, "kill", done);
  if (whom == actor::nobody) return;
  Kill message;
  if (actors_.try_tell(whom, actors_.builtin.kill, &message)) return done(obeyed(path, "sent"));
  if (actors_.refuses(whom))
    return done(not_yet("the mailbox of " + path + " is full, and fails its senders",
                        "actorctl stop needs no room in a mailbox"));
  done(not_yet("messages take up all of actord.actor.message-memory-max: none is accepted",
               "actorctl stop needs no memory for a message"));
}

void ActorOrders::stop(const std::string& path, std::chrono::nanoseconds timeout,
                       const Done& done) {
  const Ref whom = find(path, "stop", done);
  if (whom == actor::nobody) return;
  auto on_end = [this, path, timeout, done](const system::OutsideAsk::Answer& answer) {
    Outcome outcome = obeyed(path, "stopped");
    if (answer.failure != nullptr) {
      outcome = not_yet(path + " has not stopped" + within(timeout),
                        "its stop goes on; an actor waits for the ends of all its children");
    } else if (answer.message == nullptr) {
      outcome = {ActorQuestions::busy, "actord is stopping"};
    }
    os::post(loop_, [done, outcome] { done(outcome); });
  };
  actors_.ask(std::make_shared<system::OutsideAsk>(actord::Ref{whom}, timeout, std::move(on_end)));
}

}  // namespace actord::app
