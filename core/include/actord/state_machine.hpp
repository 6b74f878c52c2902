// SPDX-License-Identifier: Apache-2.0
//
// The state machines of Akka: behaviours with named states, data, state timeouts, observers of
// their transitions, and a reason for their end (supervision.md 180m).
//
// Each state is a receive table, and a transition is a become(): `actorctl inspect` shows the state
// and what it takes. The state timeout is a timer of the actor.
//
// Not here: what a machine has in common with one that outlives its process
// (basic_state_machine.hpp, persistent_state_machine.hpp); the messages to and from a state machine
// (builtin_messages.hpp); the states of an actor that needs neither data nor timeouts for them
// (States in handlers.hpp).
#pragma once

#include <concepts>
#include <optional>

#include <actord/basic_state_machine.hpp>

namespace actord {

namespace detail {

/// What comes after a message: go_to(), stay() or stop(), with options:
///   return go_to<DoorState::open>().using_data({}).for_max(5s).replying(Opened{});
template <Enumerated S, std::movable Data>
class [[nodiscard]] PlainNext : public MachineNext<PlainNext<S, Data>, S> {
 public:
  /// Replaces the data.
  PlainNext using_data(Data wanted) && {
    data = std::move(wanted);
    return std::move(*this);
  }

  // Written and read by the machine.
  std::optional<Data> data;
};

}  // namespace detail

/// The base of a state machine A with the states S, an enum with ACTORD_ENUM, and some data:
///
///   class Door : public actord::StateMachine<Door, DoorState, Entered> {
///    public:
///     Door() : StateMachine(DoorState::locked) {}
///     Next digit(const Digit& digit);
///     Next relock(const actord::StateTimeout&) { return go_to<DoorState::locked>(); }
///
///     using Receive = When<DoorState::locked, &Door::digit>;
///     using States = actord::States<When<DoorState::open, &Door::relock>>;
///   };
///
/// Receive is one of the states, States lists the others, in any order. A handler takes what other
/// handlers take. It returns what comes next, as Next; nothing, which means stay(); or a message,
/// which means stay() and is the reply.
///
/// `using WhenUnhandled = actord::Handlers<…>` are the handlers of all states that have none of
/// their own for a type. What they do not handle either is an unhandled message.
///
/// The state timeout begins anew with each message that is handled, and ends with its state.
template <class A, Enumerated S, std::movable Data = NoData>
class StateMachine : public detail::BasicStateMachine<A, S, Actor, detail::PlainNext<S, Data>> {
 public:
  using Next = detail::PlainNext<S, Data>;

  /// Called for each go_to(), also for one to the same state, before the state changes. When the
  /// actor starts, it is called with the initial state as both. data() is the data before the
  /// transition, and next_data() that after it.
  virtual void on_transition(Context& /*ctx*/, S /*from*/, S /*to*/) {}

  /// Calls initialize(). An override calls it, too.
  void pre_start(Context& ctx) override { initialize(ctx); }

 protected:
  explicit StateMachine(S initial, Data data = {}) : Basic(initial), data_(std::move(data)) {}

  const Data& data() const noexcept { return data_; }
  /// The data after the transition. Throws Error outside of on_transition().
  const Data& next_data() const {
    if (next_data_ == nullptr) throw Error("there is no next data outside of on_transition()");
    return *next_data_;
  }

  /// Observes the initial state, and starts its timeout.
  void initialize(Context& ctx) {
    this->enter(ctx, this->state());
    apply(ctx, this->go_to(this->state()));
  }
  /// Carries out what comes next where a handler cannot return it, as in that of an answer:
  ///   void priced(Context& ctx, const Reply<Price>& price) { apply(ctx, go_to<Shop::open>()); }
  void apply(Context& ctx, Next next) {
    if (ctx.has_failed() || this->has_ended()) return;
    auto& choice = next.choice;
    const S to = choice.to.value_or(this->state());
    if (!this->has_state(to)) return this->end_before(ctx, to);
    for (const auto& reply : choice.replies) reply->send(ctx);
    if (choice.to && !observe(ctx, to, next.data ? *next.data : data_)) return;
    if (next.data) data_ = std::move(*next.data);
    if (choice.reason) return this->end(ctx, std::move(*choice.reason));
    this->move_to(ctx, to);
    this->start_timeout(ctx, choice.for_max.value_or(this->timeout_of(to)));
  }

 private:
  using Basic = detail::BasicStateMachine<A, S, Actor, detail::PlainNext<S, Data>>;

  void carry_out(Context& ctx, Next next) final { apply(ctx, std::move(next)); }

  // False if the observation has failed.
  bool observe(Context& ctx, S to, const Data& next_data) {
    struct Observation {
      ~Observation() { next_data = nullptr; }
      const Data*& next_data;
    };
    next_data_ = &next_data;
    const Observation observation{next_data_};
    on_transition(ctx, this->state(), to);
    if (ctx.has_failed()) return false;
    this->tell_subscribers(ctx, this->state(), to);
    return true;
  }

  Data data_;
  const Data* next_data_ = nullptr;  // during a transition
};

}  // namespace actord
