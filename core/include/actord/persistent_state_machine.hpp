// SPDX-License-Identifier: Apache-2.0
//
// The persistent state machines of Akka: the state, the data and the state timeout outlive the
// machine, as the events of its steps are stored (supervision.md 187). Included by those who use
// it.
//
//   class Door : public actord::PersistentStateMachine<Door, DoorState, Entered> {
//    public:
//     Door() : PersistentStateMachine(DoorState::locked) {
//       state_timeout(DoorState::open, 5s);
//     }
//     Next press(const Key& key) {
//       if (key.digit != '7') return stay().persisting(Pressed{key.digit});
//       return go_to<DoorState::open>().persisting(Pressed{key.digit}).replying(Opened{});
//     }
//     Next relock(const actord::StateTimeout&) { return go_to<DoorState::locked>(); }
//     void apply(Entered& entered, const Pressed& event) { entered.digits += event.digit; }
//
//     static constexpr std::string_view stored_as = "shop.Door/1";
//     using Events = actord::Events<Pressed>;
//     using Receive = When<DoorState::locked, &Door::press>;
//     using States = actord::States<When<DoorState::open, &Door::relock>>;
//   };
//
//   ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Door>,
//                 actord::Messages<Key, Pressed, Opened, Door::Stored>)
//
// What a handler returns is a step. Its events and its transition are stored together or not at
// all, and then carried out; until then the machine takes no further message. A recovery leads to
// the state and the data after the last step that was stored.
//
// Not here: the states themselves (basic_state_machine.hpp), and what is stored for other actors
// (persistent.hpp).
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <actord/basic_state_machine.hpp>
#include <actord/persistent.hpp>

namespace actord {

ACTORD_FIELDS(NoData)

/// An event of a step, or its transition, cannot be stored as it is. The step has not been made.
class StepRejected : public Error {
 public:
  using Error::Error;
};

/// Where a persistent state machine is: as an event, without data, for a step that leads there, and
/// as a snapshot, with them. `A::stored_as` is the name of this message type.
template <class A, Enumerated S, class Data>
struct StoredMachine {
  S state{};
  std::optional<std::chrono::nanoseconds> for_max = {};  // instead of the state's own timeout
  std::optional<Data> data = {};
};

// As in fields.hpp, offsetof is asked of structs that C does not have, and each compiler answers.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
template <class A, Enumerated S, class Data>
constexpr detail::MemberArray<3> actord_members(const StoredMachine<A, S, Data>*) {
  using Self = StoredMachine<A, S, Data>;
  return {{ACTORD_EACH_(ACTORD_MEMBER_, state, for_max, data)}};
}
#pragma GCC diagnostic pop
template <class A, Enumerated S, class Data>
constexpr std::string_view actord_message_name(const StoredMachine<A, S, Data>*) {
  if constexpr (requires { std::string_view{A::stored_as}; }) {
    return A::stored_as;
  } else {
    static_assert(!detail::is_unsupported<A>,
                  "a persistent state machine names what it stores: "
                  "static constexpr std::string_view stored_as = \"plugin.Machine/1\"");
    return {};
  }
}

template <class A, Enumerated S, class Data>
class PersistentStateMachine;

namespace detail {

/// An event of a step.
template <class Machine, class Data>
struct StepEvent {
  virtual ~StepEvent() = default;
  virtual void apply(Machine& machine, Data& data) const = 0;
  virtual void store(Machine& machine, Context& ctx) const = 0;
};
template <class Machine, class Data, Message E>
struct StepEventOf final : StepEvent<Machine, Data> {
  explicit StepEventOf(E wanted) : event(std::move(wanted)) {}
  void apply(Machine& machine, Data& data) const override { machine.apply_event(data, event); }
  void store(Machine& machine, Context& ctx) const override { machine.store_event(ctx, event); }
  E event;
};

/// What the author wants to be done when a step is stored.
struct StepEnd {
  virtual ~StepEnd() = default;
  virtual void run(Context& ctx) = 0;
};
template <class Then>
struct StepEndOf final : StepEnd {
  explicit StepEndOf(Then wanted) : then(std::move(wanted)) {}
  void run(Context& ctx) override { call_then(then, ctx, 0); }
  Then then;
};

/// What comes after a message of a persistent machine: go_to(), stay() or stop(), with options:
///   return go_to<DoorState::open>().persisting(Pressed{'7'}).for_max(5s).replying(Opened{});
template <class A, Enumerated S, class Data>
class [[nodiscard]] PersistentNext : public MachineNext<PersistentNext<A, S, Data>, S> {
 public:
  using Machine = PersistentStateMachine<A, S, Data>;

  /// Stores the event with this step, and applies it to the data; may be called several times.
  template <Message E>
  PersistentNext persisting(E event) && {
    static_assert(is_event_of<E, typename A::Events>,
                  "actord: a persistent actor lists each type of its events in Events<...>");
    constexpr bool is_adapted = requires { A::adapt(event); };
    static_assert(
        !is_adapted,
        "an event of an earlier version, which has an adapt(), is not persisted any more");
    events.push_back(std::make_unique<StepEventOf<Machine, Data, E>>(std::move(event)));
    return std::move(*this);
  }
  /// Calls `what`, which takes the Context or nothing, when all of the step is stored, and its
  /// transition has been observed. The message that is being handled now is the current one then.
  template <class Then>
  PersistentNext then(Then what) && {
    static_assert(std::is_invocable_v<Then&, Context&> || std::is_invocable_v<Then&>,
                  "what is done after a step takes (Context&) or nothing");
    ends.push_back(std::make_unique<StepEndOf<Then>>(std::move(what)));
    return std::move(*this);
  }
  template <class Other>
  PersistentNext using_data(Other&&) && {
    static_assert(!is_unsupported<Other>,
                  "the data of a persistent state machine change by events alone: "
                  "stay().persisting(event)");
    return std::move(*this);
  }

  // Written and read by the machine.
  std::vector<std::unique_ptr<StepEvent<Machine, Data>>> events;
  std::vector<std::unique_ptr<StepEnd>> ends;
};

}  // namespace detail

/// The base of a persistent state machine A, with the states S and some data, as of StateMachine.
///
/// For each event E of a step A has a function `apply(Data&, const E&)`, which changes the data and
/// does nothing else: it runs on a copy of the data before the event is stored, and again at each
/// recovery. What it throws fails the handler, and nothing of the step is stored. `adapt` is for
/// events of earlier versions of the plugin, as in Persistent.
///
/// Each go_to() is stored, also one without events, and with it the time of for_max(). A stop is
/// not. The state timeout begins anew when a recovery has ended.
template <class A, Enumerated S, class Data = NoData>
class PersistentStateMachine
    : public detail::BasicStateMachine<A, S, detail::PersistentBase,
                                       detail::PersistentNext<A, S, Data>> {
  static_assert(std::copyable<Data> && std::is_nothrow_move_assignable_v<Data>,
                "the data of a persistent state machine can be copied, and moved without failure");
  static_assert(detail::is_portable<Data>(),
                "the data of a persistent state machine are stored in snapshots: a struct with "
                "ACTORD_FIELDS, or what else a field of a message may be");

 public:
  using Stored = StoredMachine<A, S, Data>;
  using PersistedState = Stored;
  using Events = actord::Events<>;
  using Next = detail::PersistentNext<A, S, Data>;
  static constexpr std::uint32_t persistence_flags = ACTORD_REPEATS_PERSISTED;
  static constexpr bool takes_snapshots = true;

  /// Called for each go_to(), also for one to the same state, when it is stored: state() and data()
  /// are those after it. It is called neither at the start nor at a recovery: what belongs to a
  /// state of an incarnation, such as a timer, begins in recovery_completed().
  virtual void on_transition(Context& /*ctx*/, S /*from*/, S /*to*/) {}

 protected:
  explicit PersistentStateMachine(S initial, Data data = {})
      : Basic(initial), data_(std::move(data)) {}

  const Data& data() const noexcept { return data_; }

  /// Carries out what comes next where a handler cannot return it, as in that of an answer. While
  /// a step is being stored, the next one waits until that is made.
  void carry_out(Context& ctx, Next next) final {
    if (ctx.has_failed() || this->has_ended()) return;
    auto& choice = next.choice;
    if (choice.to && !this->has_state(*choice.to)) return this->end_before(ctx, *choice.to);
    this->drop_unstored(ctx);
    if (is_storing(ctx)) {
      if (is_plain_stay(next)) return;
      return later(ctx, [this, next = std::move(next)](Context& c) mutable {
        carry_out(c, std::move(next));
      });
    }
    Change change = store(ctx, next);
    carry_out_in_parts(ctx, std::move(next), std::move(change));
  }

  /// Stores state and data as they are now, so that the next recovery begins there.
  void save_snapshot(Context& ctx) {
    this->save_state(ctx, Stored{this->state(), for_max_, data_});
  }
  /// Deletes the events up to that number, as far as a snapshot that is stored has them.
  static void delete_events(Context& ctx, std::uint64_t to) {
    detail::since_1_12(*ctx.c().host).delete_events(&ctx.c(), to);
  }

  template <Message E, class... Then>
  static void persist(Context& /*ctx*/, E /*event*/, Then... /*then*/) {
    static_assert(!detail::is_unsupported<E>,
                  "a state machine stores an event with the step that it makes: "
                  "stay().persisting(event)");
  }
  template <Message E, class... Then>
  static void persist_async(Context& /*ctx*/, E /*event*/, Then... /*then*/) {
    static_assert(!detail::is_unsupported<E>,
                  "a state machine takes no message while a step is being stored: "
                  "stay().persisting(event)");
  }
  template <class D = Data>
  const D& next_data() const {
    static_assert(!detail::is_unsupported<D>,
                  "a persistent state machine is told of a transition that has happened: data()");
    return data_;
  }

 private:
  friend struct detail::PersistenceFunctions<A>;
  template <class, class, Message>
  friend struct detail::StepEventOf;
  using Basic =
      detail::BasicStateMachine<A, S, detail::PersistentBase, detail::PersistentNext<A, S, Data>>;
  using Waiting = typename Basic::Waiting;

  /// What a step changes.
  struct Change {
    S from, to;
    bool is_transition = false;
    bool is_place_stored = false;                     // the state and for_max
    std::optional<std::chrono::nanoseconds> for_max;  // of this step
    std::optional<Data> data;                         // empty: no event has changed it
  };
  /// An event of a step is stored. The parts of the step wait behind the last one.
  struct EventStored final : Waiting {
    void run(detail::PersistentBase& /*actor*/, Context& /*ctx*/) override {}
  };

  static bool is_plain_stay(const Next& next) noexcept {
    const auto& choice = next.choice;
    return !choice.to && !choice.for_max && !choice.reason && choice.replies.empty() &&
           next.events.empty() && next.ends.empty();
  }
  bool is_storing(Context& ctx) const {
    return !this->waiting().empty() && this->waiting().back()->sequence > this->sequence(ctx);
  }

  // Applies the events to a copy, before any of them is stored: one that cannot be applied would
  // fail each recovery.
  Change store(Context& ctx, const Next& next) {
    const auto& choice = next.choice;
    Change change{this->state(),         choice.to.value_or(this->state()),
                  choice.to.has_value(), false,
                  choice.for_max,        {}};
    if (!next.events.empty()) change.data = data_;
    for (const auto& event : next.events) event->apply(*this, *change.data);
    for (const auto& event : next.events) event->store(*this, ctx);
    change.is_place_stored = choice.to || choice.for_max || (for_max_ && !next.events.empty());
    if (change.is_place_stored) store_event(ctx, Stored{change.to, choice.for_max, {}});
    return change;
  }
  template <Message E>
  void store_event(Context& ctx, const E& event) {
    const std::size_t before = this->waiting().size();
    this->persist_for(ctx, event, 0, std::make_unique<EventStored>());
    if (this->waiting().size() == before)
      throw StepRejected("a step cannot be stored", {{"type", message_name<E>}});
  }

  // Each part is deferred by itself: when one fails, those behind it run if the machine is resumed.
  void carry_out_in_parts(Context& ctx, Next next, Change change) {
    auto& choice = next.choice;
    const bool is_transition = change.is_transition;
    const S from = change.from, to = change.to;
    later(ctx, [this, change = std::move(change), is_end = choice.reason.has_value()](
                   Context& c) mutable { make(c, change, is_end); });
    for (auto& reply : choice.replies)
      later(ctx, [reply = std::move(reply)](Context& c) { reply->send(c); });
    if (is_transition) later(ctx, [this, from, to](Context& c) { on_transition(c, from, to); });
    for (auto& end : next.ends) later(ctx, [end = std::move(end)](Context& c) { end->run(c); });
    if (choice.reason)
      later(ctx, [this, reason = std::move(*choice.reason)](Context& c) mutable {
        this->end(c, std::move(reason));
      });
  }
  // Runs `part` when what was stored before is, at once if nothing is being stored. What has failed
  // by Context::fail() ends the call as what throws does.
  template <class Part>
  void later(Context& ctx, Part part) {
    this->defer(ctx, [part = std::move(part)](Context& c) mutable {
      part(c);
      if (c.has_failed()) throw Error("a part of a step has failed");
    });
  }
  // Calls nothing of the author, so that nothing fails between the parts of a change.
  void make(Context& ctx, Change& change, bool is_end) {
    if (change.data) data_ = std::move(*change.data);
    if (change.is_place_stored) for_max_ = change.for_max;
    this->move_to(ctx, change.to);
    if (!is_end) this->start_timeout(ctx, change.for_max.value_or(this->timeout_of(change.to)));
    if (change.is_transition) this->tell_subscribers(ctx, change.from, change.to);
  }

  // ---- what is stored ----

  template <class E>
  void apply_event(Data& data, const E& event) {
    if constexpr (requires { A::adapt(event); }) {
      apply_event(data, A::adapt(event));
    } else if constexpr (std::is_same_v<E, Stored>) {
      take(event);
    } else {
      constexpr bool is_applied = requires(A& machine) { machine.apply(data, event); };
      static_assert(is_applied,
                    "a persistent state machine has a public apply(Data&, const E&) for each E of "
                    "Events<...>");
      if constexpr (is_applied) static_cast<A&>(*this).apply(data, event);
    }
  }
  void take(const Stored& stored) {
    if (!this->has_state(stored.state))
      throw Error("the stored state " + detail::state_text(stored.state) +
                  " has no When<...> any more");
    this->restore_state(stored.state);
    for_max_ = stored.for_max;
    if (stored.data) data_ = *stored.data;
  }
  void restore_from(Context& ctx, const actord_stored& stored) { replay_event(ctx, stored); }
  void replay_event(Context& ctx, const actord_stored& stored) {
    if (!take_if<Stored>(ctx, stored) &&
        !replay_one_of(ctx, stored, static_cast<const typename A::Events*>(nullptr)))
      throw Error("what is stored is of a type that Events<...> does not list");
  }
  template <class E>
  bool take_if(Context& ctx, const actord_stored& stored) {
    if (ctx.c().message_type != detail::type_id<E>) return false;
    apply_event(data_, *static_cast<const E*>(stored.content));
    return true;
  }
  template <class... E>
  bool replay_one_of(Context& ctx, const actord_stored& stored, const actord::Events<E...>*) {
    return (take_if<E>(ctx, stored) || ...);
  }
  void recovery_ended(Context& ctx) {
    this->enter(ctx, this->state());
    this->start_timeout(ctx, for_max_.value_or(this->timeout_of(this->state())));
    this->recovery_completed(ctx);
  }
  // A snapshot is due at the last event of a step only, since a call stores one step at most.
  void event_stored(Context& ctx, std::uint64_t sequence, bool is_snapshot_due) {
    is_snapshot_wanted_ |= is_snapshot_due;
    this->run_waiting(ctx, sequence);
    if (std::exchange(is_snapshot_wanted_, false)) save_snapshot(ctx);
  }

  Data data_;
  std::optional<std::chrono::nanoseconds> for_max_;  // of the last step that has stored its place
  bool is_snapshot_wanted_ = false;
};

}  // namespace actord
