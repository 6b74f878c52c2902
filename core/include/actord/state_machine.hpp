// SPDX-License-Identifier: Apache-2.0
//
// The state machines of Akka: behaviours with named states, data, state timeouts, observers of
// their transitions, and a reason for their end (supervision.md 180m).
//
// Each state is a receive table, and a transition is a become(): `actorctl inspect` shows the state
// and what it takes. The state timeout is a timer of the actor.
//
// Not here: the messages to and from a state machine (builtin_messages.hpp); the states of an actor
// that needs neither data nor timeouts for them (States in handlers.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <actord/actor.hpp>
#include <actord/builtin_messages.hpp>

namespace actord {

/// Why a state machine has ended.
struct StopReason {
  enum class Kind {
    normal,    // it has stopped itself: stop()
    shutdown,  // it was stopped or restarted, or has said so itself
    failure    // it has stopped itself, and `cause` says why
  };

  static StopReason normal() { return {}; }
  static StopReason shutdown() { return {Kind::shutdown, {}}; }
  static StopReason failure(std::string cause) { return {Kind::failure, std::move(cause)}; }

  Kind kind = Kind::normal;
  std::string cause = {};
};

/// The data of a state machine without data.
struct NoData {};

namespace detail {

/// The key of the timer of the state timeout.
inline constexpr std::string_view state_timeout_key = "actord.state-timeout";

template <Enumerated S>
constexpr std::size_t index_of(S state) {
  std::size_t index = 0;
  for (const auto& known : enumerators<S>) {
    if (known.value == state) break;
    ++index;
  }
  return index;
}
/// The name of the state; its number if the enum has no such enumerator.
template <Enumerated S>
std::string state_text(S state) {
  const std::size_t index = index_of(state);
  if (index < enumerators<S>.size()) return std::string{enumerators<S>[index].name};
  return std::to_string(static_cast<std::underlying_type_t<S>>(state));
}

// Unlike that of an ordinary actor, a handler for all other messages may return something.
template <class A, class R>
Form<A, R, void, true> rest_form(R (A::*)(Context&));
template <class A, class R>
Form<A, R, void, true> rest_form(R (A::*)(Context&) const);

template <auto H>
constexpr auto find_machine_form() {
  if constexpr (requires { rest_form(H); }) return static_cast<decltype(rest_form(H))*>(nullptr);
  else return static_cast<FormOf<H>*>(nullptr);
}
template <auto H>
using MachineFormOf = std::remove_pointer_t<decltype(find_machine_form<H>())>;
template <auto H>
using HandledBy = typename MachineFormOf<H>::Message;

/// The handlers of several lists as one list.
template <class... List>
struct Joined {
  using Type = Handlers<>;
};
template <auto... H>
struct Joined<Handlers<H...>> {
  using Type = Handlers<H...>;
};
template <auto... H, auto... More, class... Rest>
struct Joined<Handlers<H...>, Handlers<More...>, Rest...>
    : Joined<Handlers<H..., More...>, Rest...> {};

/// Whether a state with these handlers leaves the messages of H to WhenUnhandled.
template <auto H, auto... Own>
constexpr bool is_left_by(Handlers<Own...>) {
  return !((std::is_void_v<HandledBy<Own>> || std::is_same_v<HandledBy<Own>, HandledBy<H>>) || ...);
}

/// One reply that is sent when the handler has returned.
struct PendingReply {
  virtual ~PendingReply() = default;
  virtual void send(Context& ctx) = 0;
};
template <Message M>
struct ReplyWith final : PendingReply {
  explicit ReplyWith(M reply) : message(std::move(reply)) {}
  void send(Context& ctx) override { ctx.reply(std::move(message)); }
  M message;
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
class StateMachine : public Actor {
 public:
  using Duration = std::chrono::nanoseconds;
  /// As a state timeout: none.
  static constexpr Duration forever = Duration::max();

  /// What comes after a message: go_to(), stay() or stop(), with options:
  ///   return go_to<DoorState::open>().using_data({}).for_max(5s).replying(Opened{});
  class [[nodiscard]] Next {
   public:
    /// Replaces the data.
    Next using_data(Data data) && {
      data_ = std::move(data);
      return std::move(*this);
    }
    /// The state timeout until the next message, instead of that of the state. `forever`: none.
    Next for_max(Duration limit) && {
      for_max_ = limit;
      return std::move(*this);
    }
    /// Replies to the sender, before the transition is observed; may be called several times.
    template <Message M>
    Next replying(M message) && {
      replies_.push_back(std::make_unique<detail::ReplyWith<M>>(std::move(message)));
      return std::move(*this);
    }

   private:
    friend class StateMachine;
    Next() = default;

    std::optional<S> to_;  // empty: stays
    std::optional<Data> data_;
    std::optional<Duration> for_max_;
    std::optional<StopReason> reason_;  // it stops
    std::vector<std::unique_ptr<detail::PendingReply>> replies_;
  };

  // ---- hooks ----

  /// Called for each go_to(), also for one to the same state, before the state changes. When the
  /// actor starts, it is called with the initial state as both. data() is the data before the
  /// transition, and next_data() that after it.
  virtual void on_transition(Context& /*ctx*/, S /*from*/, S /*to*/) {}
  /// Called once when the instance ends, and not if it is lost with its host process. Its timers
  /// and its children have ended. state() and data() are the last ones.
  virtual void on_termination(Context& /*ctx*/, const StopReason& /*reason*/) {}

  /// Calls initialize(). An override calls it, too.
  void pre_start(Context& ctx) override { initialize(ctx); }
  /// Calls on_termination(). An override calls this function, too.
  void post_stop(Context& ctx) override {
    if (std::exchange(has_terminated_, true)) return;
    on_termination(ctx, reason_ ? *reason_ : StopReason::shutdown());
  }

  // ---- what the states are made of: public, as handlers are ----

  template <auto H, class M>
  auto on_message(Context& ctx, const M& message) {
    using Form = detail::MachineFormOf<H>;
    return conclude(ctx, [&]() -> typename Form::Result {
      A& self = static_cast<A&>(*this);
      if constexpr (Form::takes_context) return (self.*H)(ctx, message);
      else return (self.*H)(message);
    });
  }
  template <auto H>
  void on_rest(Context& ctx) {
    const auto call = [&]() -> decltype(auto) { return (static_cast<A&>(*this).*H)(ctx); };
    if constexpr (std::is_void_v<decltype(conclude(ctx, call))>) conclude(ctx, call);
    else if (auto answer = conclude(ctx, call); !ctx.has_failed()) ctx.reply(std::move(answer));
  }
  // An ask without a subscriber is answered by the CurrentState, and no subscription follows: its
  // sender has ended then.
  void subscribe_transitions(Context& ctx, const SubscribeTransitions& order) {
    const Ref who = order.subscriber ? order.subscriber : ctx.sender();
    if (!who) return;
    if (!std::erase(subscribers_, who)) await_end(ctx, who);
    subscribers_.push_back(who);
    ctx.tell(who, CurrentState{ctx.self(), detail::state_text(state_)});
  }
  void unsubscribe_transitions(Context& ctx, const UnsubscribeTransitions& order) {
    std::erase(subscribers_, order.subscriber ? order.subscriber : ctx.sender());
  }
  void subscriber_ended(const Reply<Terminated>& notice) {
    if (!notice) return;
    std::erase(subscribers_, notice->who);
    std::erase(awaited_, notice->who);
  }

 private:
  template <auto H>
  static constexpr auto wrap() {
    if constexpr (std::is_void_v<detail::HandledBy<H>>) return &StateMachine::on_rest<H>;
    else return &StateMachine::on_message<H, detail::HandledBy<H>>;
  }
  template <class Own, auto... H>
  static auto with_unhandled(Own, Handlers<H...>) {
    return typename detail::Joined<
        Own, std::conditional_t<detail::is_left_by<H>(Own{}), Handlers<H>, Handlers<>>...>::Type{};
  }
  template <auto... H>
  static auto wrap_all(Handlers<H...>) {
    return Handlers<wrap<H>()..., &StateMachine::subscribe_transitions,
                    &StateMachine::unsubscribe_transitions>{};
  }
  template <auto... H>
  static auto table_of() {
    static_assert(
        requires { sizeof(A); },
        "name the states in the class by `using`, not by a struct that derives from When");
    if constexpr (requires { typename A::WhenUnhandled; })
      return wrap_all(with_unhandled(Handlers<H...>{}, typename A::WhenUnhandled{}));
    else return wrap_all(Handlers<H...>{});
  }

 protected:
  /// The handlers of one state. A state has one When, and its name is that of its receive table.
  template <S value, auto... H>
  struct When : decltype(table_of<H...>()) {
    static constexpr S state = value;
    static_assert(detail::index_of(state) < detail::enumerators<S>.size(),
                  "the state is missing from ACTORD_ENUM");
    static constexpr std::string_view name = detail::enumerators<S>[detail::index_of(state)].name;
  };

  explicit StateMachine(S initial, Data data = {}) : state_(initial), data_(std::move(data)) {
    timeouts_.fill(forever);
  }

  S state() const noexcept { return state_; }
  const Data& data() const noexcept { return data_; }
  /// The data after the transition. Throws Error outside of on_transition().
  const Data& next_data() const {
    if (next_data_ == nullptr) throw Error("there is no next data outside of on_transition()");
    return *next_data_;
  }
  /// Those who are told of transitions.
  const std::vector<Ref>& subscribers() const noexcept { return subscribers_; }

  /// Sends a StateTimeout when no message has been handled for that long in this state; `forever`:
  /// none, which is the default. For the current state it counts from the next message on.
  void state_timeout(S state, Duration limit) {
    const std::size_t index = detail::index_of(state);
    if (index == timeouts_.size())
      throw Error("there is no state " + detail::state_text(state) + " to have a timeout");
    timeouts_[index] = limit;
  }

  /// Stays in the state: no transition is observed.
  Next stay() const { return {}; }
  /// Changes to a state. A state that the machine does not have does not compile.
  template <S to>
  Next go_to() const {
    static_assert(has_state(to), "this state has no When<...> in Receive or States");
    return go_to(to);
  }
  /// Changes to a state that is known at run time only. A state that the machine does not have ends
  /// it with a failure.
  Next go_to(S to) const {
    Next next;
    next.to_ = to;
    return next;
  }
  /// Ends the machine. A failure is logged as an error.
  Next stop(StopReason reason = StopReason::normal()) const {
    Next next;
    next.reason_ = std::move(reason);
    return next;
  }

  /// Observes the initial state, and starts its timeout.
  void initialize(Context& ctx) {
    enter(ctx, state_);
    apply(ctx, go_to(state_));
  }
  /// Carries out what comes next where a handler cannot return it, as in that of an answer:
  ///   void priced(Context& ctx, const Reply<Price>& price) { apply(ctx, go_to<Shop::open>()); }
  void apply(Context& ctx, Next next) {
    if (ctx.has_failed() || reason_) return;
    const S to = next.to_.value_or(state_);
    if (!has_state(to))
      return end(
          ctx, StopReason::failure("the next state " + detail::state_text(to) + " does not exist"));
    for (const auto& reply : next.replies_) reply->send(ctx);
    if (next.to_ && !observe(ctx, to, next.data_ ? *next.data_ : data_)) return;
    if (next.data_) data_ = std::move(*next.data_);
    if (next.reason_) return end(ctx, std::move(*next.reason_));
    if (std::exchange(state_, to) != to) enter(ctx, to);
    start_timeout(ctx, next.for_max_.value_or(timeouts_[detail::index_of(to)]));
  }

 private:
  template <class Call>
  auto conclude(Context& ctx, Call&& call) {
    using Result = std::remove_cvref_t<decltype(call())>;
    if constexpr (std::is_void_v<Result>) {
      call();
      apply(ctx, stay());
    } else if constexpr (std::is_same_v<Result, Next>) {
      apply(ctx, call());
    } else {
      static_assert(Message<Result>, "a handler returns Next, a message or nothing");
      Result answer = call();
      apply(ctx, stay());
      return answer;
    }
  }

  // Calls `visit` for each state until one call returns true.
  template <class... W, class Visit>
  static constexpr bool visit_states(const States<W...>*, Visit&& visit) {
    return (visit.template operator()<W>() || ...);
  }
  template <class Visit>
  static constexpr bool visit_states(Visit&& visit) {
    if (visit.template operator()<typename A::Receive>()) return true;
    if constexpr (requires { typename A::States; })
      return visit_states(static_cast<const typename A::States*>(nullptr), visit);
    else return false;
  }
  static constexpr bool has_state(S wanted) {
    return visit_states([wanted]<class W>() { return W::state == wanted; });
  }

  static void enter(Context& ctx, S to) {
    visit_states([&]<class W>() {
      if (W::state != to) return false;
      ctx.become<W, A>();
      return true;
    });
  }

  // False if the observation has failed.
  bool observe(Context& ctx, S to, const Data& next_data) {
    struct Observation {
      ~Observation() { next_data = nullptr; }
      const Data*& next_data;
    };
    next_data_ = &next_data;
    const Observation observation{next_data_};
    on_transition(ctx, state_, to);
    if (ctx.has_failed()) return false;
    for (const Ref subscriber : subscribers_)
      ctx.tell(subscriber,
               Transition{ctx.self(), detail::state_text(state_), detail::state_text(to)});
    return true;
  }

  void start_timeout(Context& ctx, Duration limit) {
    if (limit != forever) ctx.start_timer(detail::state_timeout_key, limit, StateTimeout{});
    else if (has_timeout_) ctx.cancel_timer(detail::state_timeout_key);
    has_timeout_ = limit != forever;
  }

  void end(Context& ctx, StopReason reason) {
    if (reason.kind == StopReason::Kind::failure)
      ctx.log(Level::error, "a state machine ends with a failure",
              {{"state", detail::state_text(state_)}, {"cause", reason.cause}});
    reason_ = std::move(reason);
    ctx.stop_self();
  }

  // The author may watch the subscriber for purposes of the machine. On a host before ABI 1.14 one
  // that stops stays a subscriber.
  void await_end(Context& ctx, Ref who) {
    const actord_host& host = *ctx.c().host;
    if (!ACTORD_HAS(actord_host, &host, await_end)) return;
    if (std::find(awaited_.begin(), awaited_.end(), who) != awaited_.end()) return;
    awaited_.push_back(who);
    host.await_end(&ctx.c(), who.value, &detail::handle_reply<&StateMachine::subscriber_ended>);
  }

  S state_;
  Data data_;
  const Data* next_data_ = nullptr;                               // during a transition
  std::array<Duration, detail::enumerators<S>.size()> timeouts_;  // of the states
  std::vector<Ref> subscribers_;
  std::vector<Ref> awaited_;          // of whose end the machine will be told
  std::optional<StopReason> reason_;  // of its end, once it has ended itself
  bool has_timeout_ = false;          // the timer of the state timeout may be running
  bool has_terminated_ = false;
};

}  // namespace actord
