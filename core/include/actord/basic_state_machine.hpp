// SPDX-License-Identifier: Apache-2.0
//
// What the state machines of state_machine.hpp and of persistent_state_machine.hpp share: the
// states with their handlers and timeouts, the subscribers, and the end. Included by those two.
//
// Not here: what a step changes, and when its transition is observed.
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

/// What a handler has chosen, of a machine of either kind.
template <Enumerated S>
struct MachineChoice {
  std::optional<S> to;  // empty: stays
  std::optional<std::chrono::nanoseconds> for_max;
  std::optional<StopReason> reason;  // it stops
  std::vector<std::unique_ptr<PendingReply>> replies;
};

/// What comes after a message; Self is the class that the authors of one kind of machine see.
template <class Self, Enumerated S>
class MachineNext {
 public:
  /// The state timeout until the next message, instead of that of the state. `forever`: none.
  Self for_max(std::chrono::nanoseconds limit) && {
    choice.for_max = limit;
    return std::move(static_cast<Self&>(*this));
  }
  /// Replies to the sender, before the transition is observed; may be called several times.
  template <Message M>
  Self replying(M message) && {
    choice.replies.push_back(std::make_unique<ReplyWith<M>>(std::move(message)));
    return std::move(static_cast<Self&>(*this));
  }

  // Written and read by the machine.
  MachineChoice<S> choice;
};

/// The base of the machines A. Base is the actor below it, and Next_ what a handler returns.
template <class A, Enumerated S, class Base, class Next_>
class BasicStateMachine : public Base {
 public:
  using Next = Next_;
  using Duration = std::chrono::nanoseconds;
  /// As a state timeout: none.
  static constexpr Duration forever = Duration::max();

  // ---- hooks ----

  /// Called once when the instance ends, and not if it is lost with its host process. Its timers
  /// and its children have ended. state() and data() are the last ones.
  virtual void on_termination(Context& /*ctx*/, const StopReason& /*reason*/) {}

  /// Calls on_termination(). An override calls this function, too.
  void post_stop(Context& ctx) override {
    if (std::exchange(has_terminated_, true)) return;
    on_termination(ctx, reason_ ? *reason_ : StopReason::shutdown());
  }

  // ---- what the states are made of: public, as handlers are ----

  template <auto H, class M>
  auto on_message(Context& ctx, const M& message) {
    using Form = MachineFormOf<H>;
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
    ctx.tell(who, CurrentState{ctx.self(), state_text(state_)});
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
    if constexpr (std::is_void_v<HandledBy<H>>) return &BasicStateMachine::template on_rest<H>;
    else return &BasicStateMachine::template on_message<H, HandledBy<H>>;
  }
  template <class Own, auto... H>
  static auto with_unhandled(Own, Handlers<H...>) {
    return typename Joined<
        Own, std::conditional_t<is_left_by<H>(Own{}), Handlers<H>, Handlers<>>...>::Type{};
  }
  template <auto... H>
  static auto wrap_all(Handlers<H...>) {
    return Handlers<wrap<H>()..., &BasicStateMachine::subscribe_transitions,
                    &BasicStateMachine::unsubscribe_transitions>{};
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
    static_assert(index_of(state) < enumerators<S>.size(), "the state is missing from ACTORD_ENUM");
    static constexpr std::string_view name = enumerators<S>[index_of(state)].name;
  };

  explicit BasicStateMachine(S initial) : state_(initial) { timeouts_.fill(forever); }

  S state() const noexcept { return state_; }
  /// Those who are told of transitions.
  const std::vector<Ref>& subscribers() const noexcept { return subscribers_; }

  /// Sends a StateTimeout when no message has been handled for that long in this state; `forever`:
  /// none, which is the default. For the current state it counts from the next message on.
  void state_timeout(S state, Duration limit) {
    const std::size_t index = index_of(state);
    if (index == timeouts_.size())
      throw Error("there is no state " + state_text(state) + " to have a timeout");
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
    next.choice.to = to;
    return next;
  }
  /// Ends the machine. A failure is logged as an error.
  Next stop(StopReason reason = StopReason::normal()) const {
    Next next;
    next.choice.reason = std::move(reason);
    return next;
  }

  // ---- for the two kinds ----

  /// Carries out what a handler has returned.
  virtual void carry_out(Context& ctx, Next next) = 0;

  static constexpr bool has_state(S wanted) {
    return visit_states([wanted]<class W>() { return W::state == wanted; });
  }
  bool has_ended() const noexcept { return reason_.has_value(); }
  Duration timeout_of(S state) const { return timeouts_[index_of(state)]; }
  /// Takes over a state without its receive table.
  void restore_state(S state) noexcept { state_ = state; }
  /// Switches to the receive table of the state.
  static void enter(Context& ctx, S to) {
    visit_states([&]<class W>() {
      if (W::state != to) return false;
      ctx.become<W, A>();
      return true;
    });
  }
  void move_to(Context& ctx, S to) {
    if (std::exchange(state_, to) != to) enter(ctx, to);
  }
  void tell_subscribers(Context& ctx, S from, S to) {
    for (const Ref subscriber : subscribers_)
      ctx.tell(subscriber, Transition{ctx.self(), state_text(from), state_text(to)});
  }
  void start_timeout(Context& ctx, Duration limit) {
    if (limit != forever) ctx.start_timer(state_timeout_key, limit, StateTimeout{});
    else if (has_timeout_) ctx.cancel_timer(state_timeout_key);
    has_timeout_ = limit != forever;
  }
  void end(Context& ctx, StopReason reason) {
    if (reason.kind == StopReason::Kind::failure)
      ctx.log(Level::error, "a state machine ends with a failure",
              {{"state", state_text(state_)}, {"cause", reason.cause}});
    reason_ = std::move(reason);
    ctx.stop_self();
  }
  /// It was to go to a state that it does not have.
  void end_before(Context& ctx, S unknown) {
    end(ctx, StopReason::failure("the next state " + state_text(unknown) + " does not exist"));
  }

 private:
  template <class Call>
  auto conclude(Context& ctx, Call&& call) {
    static_assert(std::convertible_to<A*, Actor*>,
                  "a state machine has no second base that is an actor: one that persists is a "
                  "PersistentStateMachine");
    using Result = std::remove_cvref_t<decltype(call())>;
    if constexpr (std::is_void_v<Result>) {
      call();
      carry_out(ctx, stay());
    } else if constexpr (std::is_same_v<Result, Next>) {
      carry_out(ctx, call());
    } else {
      static_assert(Message<Result>, "a handler returns Next, a message or nothing");
      Result answer = call();
      carry_out(ctx, stay());
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

  // The author may watch the subscriber for purposes of the machine. On a host before ABI 1.14 one
  // that stops stays a subscriber.
  void await_end(Context& ctx, Ref who) {
    const actord_host& host = *ctx.c().host;
    if (!ACTORD_HAS(actord_host, &host, await_end)) return;
    if (std::find(awaited_.begin(), awaited_.end(), who) != awaited_.end()) return;
    awaited_.push_back(who);
    host.await_end(&ctx.c(), who.value, &handle_reply<&BasicStateMachine::subscriber_ended>);
  }

  S state_;
  std::array<Duration, enumerators<S>.size()> timeouts_;  // of the states
  std::vector<Ref> subscribers_;
  std::vector<Ref> awaited_;          // of whose end the machine will be told
  std::optional<StopReason> reason_;  // of its end, once it has ended itself
  bool has_timeout_ = false;          // the timer of the state timeout may be running
  bool has_terminated_ = false;
};

}  // namespace detail
}  // namespace actord
