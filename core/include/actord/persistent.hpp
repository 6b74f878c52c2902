// SPDX-License-Identifier: Apache-2.0
//
// Actors whose state outlives them: kept as the events that have led to it, in the journal of
// actord (supervision.md 180n, 183). Included by those who use it.
//
//   struct Count { std::int64_t n = 0; };
//   ACTORD_MESSAGE(Count, "shop.Count/1", n)
//
//   class Counter : public actord::Persistent<Counter, Count> {
//    public:
//     void add(actord::Context& ctx, const Add& wanted) {
//       persist(ctx, Added{wanted.by}, [this](actord::Context& c) { c.reply(state()); });
//     }
//     void apply(Count& count, const Added& event) { count.n += event.by; }
//
//     using Events = actord::Events<Added>;
//     using Receive = actord::Handlers<&Counter::add>;
//   };
//
// When an incarnation begins, its events are replayed, and it gets no message before that. What
// kills the process, or cuts the power, loses no event for which the function after persist() has
// run.
//
// If the journal fails, the actor is stopped, whatever its supervisor would decide: put a back-off
// supervisor in front of it, which creates it again.
#pragma once

#include <deque>
#include <functional>
#include <iterator>
#include <memory>
#include <string>

#include <actord/actor.hpp>
#include <actord/message_table.hpp>
#include <actord/trampolines.hpp>

namespace actord {

/// All types of events of a persistent actor, also those that it does not persist any more and that
/// may still be in the journal.
template <class... E>
struct Events {};

/// Why a message cannot be stored. The log has said so.
struct PersistRejection {
  std::string type;
  std::string reason;
};

template <class A, class State>
class AtLeastOnce;
template <class A, class State>
class DurableAtLeastOnce;

namespace detail {

/// Throws Error on a host before ABI 1.12.
inline const actord_host& since_1_12(const actord_host& host) {
  if (ACTORD_HAS(actord_host, &host, persistence_state)) [[likely]]
    return host;
  throw Error("persistent actors need an actord that offers ABI 1.12");
}

/// Calls what follows an event: it takes the context, the event, both or nothing.
template <class Then, class E>
void call_then(Then& then, Context& ctx, const E& event) {
  if constexpr (std::is_invocable_v<Then&, Context&, const E&>) then(ctx, event);
  else if constexpr (std::is_invocable_v<Then&, Context&>) then(ctx);
  else if constexpr (std::is_invocable_v<Then&, const E&>) then(event);
  else then();
}

/// What Persistent and DurableState share: the events that the actor waits for.
class PersistentBase : public Actor {
  template <class A>
  friend struct PersistenceFunctions;

 public:
  /// Everything that is stored was replayed; messages come next. Events may be persisted here. What
  /// it throws stops the actor, as a failed recovery does.
  virtual void recovery_completed(Context& /*ctx*/) {}
  /// An event or a snapshot cannot be stored as it is, for example because it has a Ref or is too
  /// large: it was dropped, and what should follow it does not run.
  virtual void persist_rejected(Context& /*ctx*/, const PersistRejection& /*rejection*/) {}

 protected:
  /// Under which name the events are stored, if that is not to be the path; from the constructor or
  /// pre_start. No two living actors have the same. Throws Error if it is empty or longer than
  /// 1 000 bytes.
  static void persistence_id(Context& ctx, std::string_view id) {
    HostErrors errors;
    const actord_host& host = since_1_12(*ctx.c().host);
    if (host.persistence_id(&ctx.c(), to_c(id), &errors) != ACTORD_OK)
      errors.raise("persistence_id()");
  }
  /// The number of the last event that is in the state; 0: there is none.
  static std::uint64_t sequence(Context& ctx) { return look(ctx).sequence; }
  /// Whether events are being replayed: what is sent now was sent before.
  static bool is_recovering(Context& ctx) { return look(ctx).is_recovering != 0; }
  /// The persistence id, once the recovery has begun.
  static std::string stored_id(Context& ctx) { return std::string{view(look(ctx).id)}; }
  /// Calls `then` when all events are stored that were persisted before; at once if they are.
  template <class Then>
  void defer(Context& ctx, Then then) {
    drop_unstored(ctx);
    if (waiting_.empty()) return call_then(then, ctx, 0);
    struct Deferred final : Waiting {
      explicit Deferred(Then wanted) : then(std::move(wanted)) {}
      void run(PersistentBase&, Context& c) override { call_then(then, c, 0); }
      Then then;
    };
    auto deferred = std::make_unique<Deferred>(std::move(then));
    deferred->sequence = waiting_.back()->sequence;
    waiting_.push_back(std::move(deferred));
  }

  /// What is done when an event is stored.
  struct Waiting {
    virtual ~Waiting() = default;
    virtual void run(PersistentBase& actor, Context& ctx) = 0;
    std::uint64_t sequence = 0;
    actord_type_id type = 0;  // of the event
  };
  template <Message E>
  void persist_for(Context& ctx, const E& event, std::uint32_t flags,
                   std::unique_ptr<Waiting> waiting) {
    HostErrors errors;
    const actord_host& host = since_1_12(*ctx.c().host);
    Waiting& added = *waiting;
    added.type = listed_type_id<E>();
    // First, so that there is no want of memory any more when the host has the event.
    waiting_.push_back(std::move(waiting));
    const std::int32_t status =
        host.persist(&ctx.c(), added.type, &event, flags, &added.sequence, &errors);
    if (status != ACTORD_OK) waiting_.pop_back();
    if (status == ACTORD_REJECTED) return reject<E>(ctx, errors);
    if (status != ACTORD_OK) errors.raise("persist()");
    // A handler that failed has persisted nothing; its numbers are given again.
    const auto last = std::prev(waiting_.end());
    auto first = last;
    while (first != waiting_.begin() && (*std::prev(first))->sequence >= added.sequence) --first;
    waiting_.erase(first, last);
  }
  template <Message State>
  void save_state(Context& ctx, const State& state) {
    HostErrors errors;
    const actord_host& host = since_1_12(*ctx.c().host);
    const std::int32_t status =
        host.save_snapshot(&ctx.c(), listed_type_id<State>(), &state, &errors);
    if (status == ACTORD_REJECTED) return reject<State>(ctx, errors);
    if (status != ACTORD_OK) errors.raise("save_snapshot()");
  }
  /// If one of them fails, the host calls again for those behind it.
  void run_waiting(Context& ctx, std::uint64_t sequence) {
    while (!ctx.has_failed() && !waiting_.empty() && waiting_.front()->sequence <= sequence) {
      const std::unique_ptr<Waiting> next = std::move(waiting_.front());
      waiting_.pop_front();
      next->run(*this, ctx);
    }
  }
  /// Forgets what a handler that failed has persisted: the host has taken its numbers back.
  void drop_unstored(Context& ctx) {
    if (waiting_.empty()) return;
    const actord_persistence_state now = look(ctx);
    while (!waiting_.empty() && waiting_.back()->sequence > now.sequence + now.unconfirmed)
      waiting_.pop_back();
  }
  /// What waits for its event to be stored, in the order of the events.
  const std::deque<std::unique_ptr<Waiting>>& waiting() const noexcept { return waiting_; }

  /// An event is stored that has not been applied: this instance has not the state that is stored.
  bool is_behind_ = false;

  /// An event is being applied, live or again: as long as one of these lives.
  class Applying {
   public:
    Applying(PersistentBase& actor, std::uint64_t sequence, actord_type_id type) : actor_(actor) {
      actor_.begin_event(sequence, type);
    }
    ~Applying() { actor_.end_event(); }
    Applying(const Applying&) = delete;

   private:
    PersistentBase& actor_;
  };

 private:
  virtual void begin_event(std::uint64_t /*sequence*/, actord_type_id /*type*/) {}
  virtual void end_event() noexcept {}
  static actord_persistence_state look(Context& ctx) {
    actord_persistence_state now{};
    since_1_12(*ctx.c().host).persistence_state(&ctx.c(), &now);
    return now;
  }
  template <Message M>
  void reject(Context& ctx, HostErrors& errors) {
    persist_rejected(ctx, {std::string{message_name<M>}, errors.text()});
  }

  std::deque<std::unique_ptr<Waiting>> waiting_;
};

template <class E, class List>
inline constexpr bool is_event_of = false;
template <class E, class... Listed>
inline constexpr bool is_event_of<E, Events<Listed...>> = (std::is_same_v<E, Listed> || ...);

/// The functions of actord_persistence for the class A.
template <class A>
struct PersistenceFunctions {
  static actord_status restore(void* self, actord_context* c, const actord_stored* stored,
                               actord_errors* errors) {
    return run(c, errors, [&](Context& ctx) { as<A>(self).restore_from(ctx, *stored); });
  }
  static actord_status replay(void* self, actord_context* c, const actord_stored* stored,
                              actord_errors* errors) {
    return run(c, errors, [&](Context& ctx) { as<A>(self).replay_event(ctx, *stored); });
  }
  static actord_status recovered(void* self, actord_context* c, actord_errors* errors) {
    return run(c, errors, [&](Context& ctx) { as<A>(self).recovery_ended(ctx); });
  }
  static actord_status persisted(void* self, actord_context* c, std::uint64_t sequence,
                                 std::int32_t is_snapshot_due, actord_errors* errors) {
    const actord_status status = run(c, errors, [&](Context& ctx) {
      as<A>(self).event_stored(ctx, sequence, is_snapshot_due != 0);
    });
    const PersistentBase& base = as<A>(self);
    return base.is_behind_ ? static_cast<actord_status>(ACTORD_UNAPPLIED) : status;
  }
  static constexpr actord_persistence table{sizeof(actord_persistence),
                                            A::persistence_flags,
                                            A::takes_snapshots ? &restore : nullptr,
                                            &replay,
                                            &recovered,
                                            &persisted};
};

}  // namespace detail

/// The base of an actor A whose State is what its events have made of `State{}`.
///
/// A declares `using Events = actord::Events<…>` and a function `apply(State&, const E&)` for each
/// of them, which changes the state and does nothing else: it runs when the event is stored, and
/// again at each recovery. If it throws when the event is stored, the state is not that of the
/// events any more: where the supervisor decides Resume, the actor is restarted (183j).
///
/// For an event of an earlier version of the plugin, A may declare `static New adapt(const Old&)`
/// instead; the result is applied.
///
/// If State is a message, snapshots of it are stored as the operator has configured
/// (actord.persistence.snapshots), and a recovery begins with the newest one.
template <class A, class State>
class Persistent : public detail::PersistentBase {
 public:
  static constexpr std::uint32_t persistence_flags = ACTORD_REPEATS_PERSISTED;
  static constexpr bool takes_snapshots = Message<State>;
  using PersistedState = State;

 protected:
  const State& state() const noexcept { return state_; }

  /// Stores the event, applies it, then calls `then`, which takes the Context, the event, both or
  /// nothing, and may be left out. Until then the actor handles no other message. In `then` the
  /// message that is being handled now is still the current one: a reply goes to its sender, and it
  /// can be forwarded and stashed.
  ///
  /// Nothing is stored if the handler fails. Several events of one handler are stored together or
  /// not at all.
  template <Message E, class Then>
  void persist(Context& ctx, E event, Then then) {
    store(ctx, std::move(event), 0, std::move(then));
  }
  template <Message E>
  void persist(Context& ctx, E event) {
    store(ctx, std::move(event), 0, [] {});
  }
  /// The same, but the actor goes on with its mailbox. Handlers see a state without the event until
  /// it is stored.
  template <Message E, class Then>
  void persist_async(Context& ctx, E event, Then then) {
    store(ctx, std::move(event), ACTORD_PERSIST_ASYNC, std::move(then));
  }
  template <Message E>
  void persist_async(Context& ctx, E event) {
    store(ctx, std::move(event), ACTORD_PERSIST_ASYNC, [] {});
  }
  /// Stores the state as it is now, so that the next recovery begins there.
  void save_snapshot(Context& ctx)
    requires Message<State>
  {
    is_snapshot_wanted_ = !is_whole();
    if (!is_snapshot_wanted_) this->save_state(ctx, state_);
  }
  /// Deletes the events up to that number, as far as a snapshot that is stored has them.
  static void delete_events(Context& ctx, std::uint64_t to) {
    detail::since_1_12(*ctx.c().host).delete_events(&ctx.c(), to);
  }

 private:
  friend struct detail::PersistenceFunctions<A>;
  friend class AtLeastOnce<A, State>;

  /// Throws if no event of that type can be persisted now.
  virtual void admit(Context& /*ctx*/, actord_type_id /*type*/) {}
  /// Whether the state alone is all that a recovery needs.
  virtual bool is_whole() const noexcept { return true; }

  template <class E>
  void apply_event(const E& event) {
    if constexpr (requires { A::adapt(event); }) apply_event(A::adapt(event));
    else static_cast<A&>(*this).apply(state_, event);
  }
  template <Message E, class Then>
  void store(Context& ctx, E event, std::uint32_t flags, Then then) {
    static_assert(detail::is_event_of<E, typename A::Events>,
                  "actord: a persistent actor lists each type of its events in Events<...>");
    admit(ctx, detail::listed_type_id<E>());
    struct Stored final : Waiting {
      Stored(E wanted, Then next) : event(std::move(wanted)), then(std::move(next)) {}
      void run(detail::PersistentBase& actor, Context& c) override {
        auto& self = static_cast<Persistent&>(actor);
        {
          const Applying applying(self, this->sequence, this->type);
          self.is_behind_ = true;
          self.apply_event(event);
          self.is_behind_ = false;
        }
        detail::call_then(then, c, event);
      }
      E event;
      Then then;
    };
    auto waiting = std::make_unique<Stored>(std::move(event), std::move(then));
    const E& kept = waiting->event;
    this->persist_for(ctx, kept, flags, std::move(waiting));
  }

  void restore_from(Context& ctx, const actord_stored& stored) {
    if constexpr (Message<State>) {
      if (ctx.c().message_type == detail::type_id<State>) {
        state_ = *static_cast<const State*>(stored.content);
        return;
      }
    }
    throw Error("a snapshot is of another type than the state");
  }
  void replay_event(Context& ctx, const actord_stored& stored) {
    const Applying applying(*this, stored.sequence, ctx.c().message_type);
    if (!replay_one_of(ctx, stored, static_cast<const typename A::Events*>(nullptr)))
      throw Error("an event is of a type that Events<...> does not list");
  }
  template <class... E>
  bool replay_one_of(Context& ctx, const actord_stored& stored, const Events<E...>*) {
    return ((ctx.c().message_type == detail::type_id<E> &&
             (apply_event(*static_cast<const E*>(stored.content)), true)) ||
            ...);
  }
  void recovery_ended(Context& ctx) { this->recovery_completed(ctx); }
  void event_stored(Context& ctx, std::uint64_t sequence, bool is_snapshot_due) {
    is_snapshot_wanted_ |= is_snapshot_due;
    this->run_waiting(ctx, sequence);
    if constexpr (Message<State>) {
      if (is_snapshot_wanted_ && !ctx.has_failed()) save_snapshot(ctx);
    }
  }

  State state_{};
  bool is_snapshot_wanted_ = false;
};

/// The base of an actor A that stores its State as a whole: the newest one counts.
template <class A, Message State>
class DurableState : public detail::PersistentBase {
 public:
  static constexpr std::uint32_t persistence_flags = ACTORD_NEWEST_ONLY | ACTORD_REPEATS_PERSISTED;
  static constexpr bool takes_snapshots = false;
  using PersistedState = State;
  using Events = actord::Events<State>;

 protected:
  const State& state() const noexcept { return state_; }

  /// Stores the state, takes it over, then calls `then`, as Persistent::persist() does.
  template <class Then>
  void store(Context& ctx, State next, Then then) {
    struct Stored final : Waiting {
      Stored(State wanted, Then after) : state(std::move(wanted)), then(std::move(after)) {}
      void run(detail::PersistentBase& actor, Context& c) override {
        State& now = static_cast<DurableState&>(actor).state_;
        now = std::move(state);
        detail::call_then(then, c, now);
      }
      State state;
      Then then;
    };
    auto waiting = std::make_unique<Stored>(std::move(next), std::move(then));
    const State& kept = waiting->state;
    this->persist_for(ctx, kept, 0, std::move(waiting));
  }
  void store(Context& ctx, State next) {
    store(ctx, std::move(next), [] {});
  }

 private:
  friend struct detail::PersistenceFunctions<A>;
  friend class DurableAtLeastOnce<A, State>;

  void restore_from(Context& /*ctx*/, const actord_stored& /*stored*/) {}
  void replay_event(Context& ctx, const actord_stored& stored) {
    if (ctx.c().message_type != detail::type_id<State>)
      throw Error("what is stored is of another type than the state");
    state_ = *static_cast<const State*>(stored.content);
  }
  void recovery_ended(Context& ctx) { this->recovery_completed(ctx); }
  void event_stored(Context& ctx, std::uint64_t sequence, bool /*is_snapshot_due*/) {
    this->run_waiting(ctx, sequence);
  }

  State state_{};
};

}  // namespace actord
