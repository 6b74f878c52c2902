// SPDX-License-Identifier: Apache-2.0
//
// Messages that arrive at least once, through restarts of either side and of actord
// (supervision.md 184). Included by those who use it.
//
//   class Transfers : public actord::AtLeastOnce<Transfers, Book> {
//    public:
//     void begin(actord::Context& ctx, const Begin& wanted) {
//       persist(ctx, Begun{wanted.amount}, [](actord::Context& c) { c.reply(Ok{}); });
//     }
//     void apply(Book&, const Begun& event) {
//       deliver("/user/bank/savings", [event](const actord::DeliveryId& id) {
//         return Deposit{id, event.amount};
//       });
//     }
//     using Events = actord::Events<Begun>;
//     using Receive = Delivering<&Transfers::begin>;
//   };
//
// What is to be delivered is not stored itself: it follows from the events, and so it is there
// again after a recovery. The receiver confirms a message with confirm_delivery(), best when it has
// stored what it makes of it, and knows by DeliveryLog which ones it had already.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <actord/delay_math.hpp>
#include <actord/persistent.hpp>

namespace actord {

/// When an unconfirmed message is sent again.
struct Redelivery {
  std::chrono::nanoseconds first = std::chrono::seconds{5};  // doubled with each attempt
  std::chrono::nanoseconds longest = std::chrono::minutes{5};
  double random_factor = 0.2;             // largest random part, as a share of the delay
  std::uint32_t warn_after = 5;           // attempts, when delivery_unconfirmed() is called
  std::size_t unconfirmed_max = 100'000;  // when there are so many, persist() refuses more
};

/// So many deliveries are unconfirmed that an event which leads to a further one is not persisted.
/// Nothing was stored.
class TooManyUnconfirmed : public Error {
 public:
  using Error::Error;
};

/// A message that was sent so often and has not been confirmed.
struct UnconfirmedDelivery {
  std::uint64_t number = 0;
  std::string path;
  std::uint32_t attempts = 0;
};

/// Tells the sender of the message that is being handled that its delivery has arrived.
inline void confirm_delivery(Context& ctx, const DeliveryId& delivery) {
  ctx.reply(DeliveryConfirmed{delivery.number});
}

/// Which deliveries a receiver has had, as a part of its state:
///
///   void deposit(actord::Context& ctx, const Deposit& wanted) {
///     if (state().deliveries.has(wanted.delivery)) return confirm_delivery(ctx, wanted.delivery);
///     persist(ctx, Deposited{wanted.delivery, wanted.amount},
///             [](actord::Context& c, const Deposited& event) {
///               confirm_delivery(c, event.delivery);
///             });
///   }
///   void apply(Account& account, const Deposited& event) {
///     account.deliveries.add(event.delivery);
///     account.balance += event.amount;
///   }
struct DeliveryLog {
  /// The deliveries of one sender: all below `lowest`, and these.
  struct Sender {
    std::uint64_t lowest = 0;
    std::vector<std::uint64_t> numbers;  // ascending
  };
  std::map<std::string, Sender> senders;  // by DeliveryId::from

  bool has(const DeliveryId& delivery) const {
    const auto sender = senders.find(delivery.from);
    if (sender == senders.end()) return false;
    const Sender& known = sender->second;
    return delivery.number < known.lowest ||
           std::binary_search(known.numbers.begin(), known.numbers.end(), delivery.number);
  }
  /// Forgets those that the sender will not send again.
  void add(const DeliveryId& delivery) {
    Sender& known = senders[delivery.from];
    if (delivery.lowest > known.lowest) {
      known.lowest = delivery.lowest;
      known.numbers.erase(
          known.numbers.begin(),
          std::lower_bound(known.numbers.begin(), known.numbers.end(), known.lowest));
    }
    if (delivery.number < known.lowest) return;
    const auto at = std::lower_bound(known.numbers.begin(), known.numbers.end(), delivery.number);
    if (at == known.numbers.end() || *at != delivery.number)
      known.numbers.insert(at, delivery.number);
  }
};
ACTORD_FIELDS(DeliveryLog::Sender, lowest, numbers)
ACTORD_FIELDS(DeliveryLog, senders)

namespace detail {

/// What both kinds of senders share: the deliveries that are not confirmed, and when each is sent
/// again.
template <class Base>
class Deliveries : public Base {
 public:
  /// How this actor delivers.
  virtual Redelivery redelivery() const { return {}; }
  /// The receiver has confirmed the delivery, and that is stored.
  virtual void delivery_confirmed(Context& /*ctx*/, std::uint64_t /*number*/) {}
  /// The default writes a warning.
  virtual void delivery_unconfirmed(Context& ctx, const UnconfirmedDelivery& delivery) {
    ctx.event(Level::warning, "delivery.unconfirmed",
              "a message was sent again and again, and is not confirmed",
              {{"delivery.path", delivery.path},
               {"delivery.number", delivery.number},
               {"delivery.attempts", delivery.attempts}});
  }

  void redeliver(Context& ctx, const RedeliveryDue& /*tick*/) {
    is_timer_set_ = false;
    send_due(ctx);
  }

 protected:
  /// How many deliveries are not confirmed.
  std::size_t unconfirmed() const noexcept { return outbox_.size(); }

 private:
  template <class A, class State>
  friend class actord::AtLeastOnce;
  template <class A, class State>
  friend class actord::DurableAtLeastOnce;

  struct Delivery {
    std::string path;
    std::function<void(Context&, Ref, const DeliveryId&)> send;
    std::int64_t due_ns = 0;  // 0: at once
    std::uint32_t attempts = 0;
    bool is_confirmed = false;  // which is being stored
  };

  // The deliveries of event n have the numbers from n times this on. If it has more of them, those
  // of the next event begin behind them.
  static constexpr std::uint64_t numbers_per_event = 1000;
  static constexpr std::string_view timer_key = "actord.redelivery";

  std::uint64_t next_number(std::uint64_t sequence) const noexcept {
    return std::max(sequence * numbers_per_event, last_number_ + 1);
  }
  template <class Make>
  void add_delivery(std::uint64_t number, std::string path, Make make) {
    Delivery delivery;
    delivery.path = std::move(path);
    delivery.send = [make = std::move(make)](Context& ctx, Ref to, const DeliveryId& id) {
      ctx.tell(to, make(id));
    };
    due_.insert({delivery.due_ns, number});
    outbox_.insert_or_assign(number, std::move(delivery));
    last_number_ = std::max(last_number_, number);
  }
  void end_delivery(std::uint64_t number) {
    const auto found = outbox_.find(number);
    if (found == outbox_.end()) return;
    due_.erase({found->second.due_ns, number});
    outbox_.erase(found);
  }
  bool awaits_confirmation(std::uint64_t number) const {
    const auto found = outbox_.find(number);
    return found != outbox_.end() && !found->second.is_confirmed;
  }
  // The confirmation of that delivery is being stored.
  void note_confirmation(std::uint64_t number) {
    Delivery& confirmed = outbox_.find(number)->second;
    confirmed.is_confirmed = true;
    due_.erase({confirmed.due_ns, number});
  }

  template <class Recovered>
  void begin_deliveries(Context& ctx, Recovered&& call_recovered) {
    from_ = this->stored_id(ctx);
    call_recovered();
    send_due(ctx);
  }
  // Calls what follows the event, and sends what is new, also if that fails.
  template <class Follow>
  void follow_event(Context& ctx, Follow&& follow) {
    try {
      follow();
    } catch (...) {
      if (has_new()) set_timer(ctx, ctx.now().count());
      throw;
    }
    if (has_new()) send_due(ctx);
  }
  bool has_new() const noexcept { return !due_.empty() && due_.begin()->first == 0; }

  std::chrono::nanoseconds delay_after(Context& ctx, std::uint32_t attempts) const {
    const Redelivery settings = redelivery();
    std::chrono::nanoseconds delay = settings.first;
    for (std::uint32_t i = 1; i < attempts && delay < settings.longest; ++i) delay *= 2;
    delay = std::min(delay, settings.longest);
    const double random = random_unit(ctx) * settings.random_factor;
    delay += std::chrono::nanoseconds{
        static_cast<std::int64_t>(static_cast<double>(delay.count()) * random)};
    return std::max(delay, std::chrono::nanoseconds{1});
  }
  // What throws ends this, and the timer goes on with the others.
  void send_due(Context& ctx) {
    if (due_.empty()) return;
    const std::int64_t now = ctx.now().count();
    try {
      while (!due_.empty() && due_.begin()->first <= now) send(ctx, due_.begin()->second, now);
    } catch (...) {
      set_timer(ctx, now);
      throw;
    }
    set_timer(ctx, now);
  }
  void set_timer(Context& ctx, std::int64_t now) {
    if (due_.empty()) return;
    const std::int64_t next = due_.begin()->first;
    if (is_timer_set_ && timer_due_ns_ <= next) return;
    ctx.start_timer(timer_key, std::chrono::nanoseconds{std::max<std::int64_t>(next - now, 0)},
                    RedeliveryDue{});
    is_timer_set_ = true;
    timer_due_ns_ = next;
  }
  // An actor that is not there is tried again later, and so is one whose message cannot be made.
  void send(Context& ctx, std::uint64_t number, std::int64_t now) {
    Delivery& delivery = outbox_.find(number)->second;
    const std::chrono::nanoseconds delay = delay_after(ctx, delivery.attempts + 1);
    auto due = due_.extract({delivery.due_ns, number});
    delivery.due_ns = due.value().first = now + delay.count();
    due_.insert(std::move(due));
    ++delivery.attempts;
    const UnconfirmedDelivery sent{number, delivery.path, delivery.attempts};
    if (const Ref to = ctx.find(delivery.path))
      delivery.send(ctx, to, {from_, number, outbox_.begin()->first});
    if (sent.attempts % std::max(redelivery().warn_after, 1u) == 0) delivery_unconfirmed(ctx, sent);
  }

  std::map<std::uint64_t, Delivery> outbox_;              // by number
  std::set<std::pair<std::int64_t, std::uint64_t>> due_;  // their due_ns and numbers, but for
                                                          // those that are confirmed
  std::string from_;
  std::uint64_t last_number_ = 0;
  bool is_timer_set_ = false;
  std::int64_t timer_due_ns_ = 0;
};

}  // namespace detail

/// A persistent actor A that delivers messages at least once.
///
/// Its receive tables are `Delivering<…>` instead of `Handlers<…>`. A snapshot is taken when no
/// delivery is unconfirmed, since deliveries follow from events.
///
/// If Redelivery::unconfirmed_max are unconfirmed, persist() throws TooManyUnconfirmed for events
/// of the types that have made them more before; others, such as those that confirm(), are stored.
/// What is stored already is always delivered, and replayed.
template <class A, class State>
class AtLeastOnce : public detail::Deliveries<Persistent<A, State>> {
 public:
  void confirmed(Context& ctx, const DeliveryConfirmed& confirmation) {
    if (!this->awaits_confirmation(confirmation.number)) return;
    struct Stored final : detail::PersistentBase::Waiting {
      explicit Stored(std::uint64_t of) : number(of) {}
      void run(detail::PersistentBase& actor, Context& c) override {
        auto& self = static_cast<AtLeastOnce&>(actor);
        self.confirm(number);
        self.delivery_confirmed(c, number);
      }
      std::uint64_t number;
    };
    this->persist_for(ctx, confirmation, ACTORD_PERSIST_ASYNC,
                      std::make_unique<Stored>(confirmation.number));
    this->note_confirmation(confirmation.number);
  }

  template <auto... H>
  using Delivering = Handlers<&AtLeastOnce::redeliver, &AtLeastOnce::confirmed, H...>;

 protected:
  /// Called by apply(). Sends `make(DeliveryId)`, a message that has that id in it, to the actor at
  /// `path`, again and again until a DeliveryConfirmed has come back for it. Returns the number of
  /// the delivery.
  template <class Make>
  std::uint64_t deliver(std::string path, Make make) {
    if (sequence_ == 0) throw Error("deliver() is called by apply()");
    const std::uint64_t number = this->next_number(sequence_);
    this->add_delivery(number, std::move(path), std::move(make));
    return number;
  }
  /// Called by apply(): the event says that the delivery has arrived, as an answer of the receiver
  /// does which tells more than a DeliveryConfirmed.
  void confirm(std::uint64_t number) { this->end_delivery(number); }

 private:
  friend struct detail::PersistenceFunctions<A>;
  using Base = Persistent<A, State>;

  void begin_event(std::uint64_t sequence, actord_type_id type) override {
    adding_types_.reserve(adding_types_.size() + 1);  // end_event() cannot throw
    sequence_ = sequence;
    type_ = type;
    unconfirmed_before_ = this->outbox_.size();
  }
  void end_event() noexcept override {
    if (this->outbox_.size() > unconfirmed_before_ && !adds(type_)) adding_types_.push_back(type_);
    sequence_ = 0;
  }
  // Whether an event of that type has led to more unconfirmed deliveries than it has confirmed.
  bool adds(actord_type_id type) const noexcept {
    return std::find(adding_types_.begin(), adding_types_.end(), type) != adding_types_.end();
  }
  void admit(Context& ctx, actord_type_id type) override {
    const std::size_t max = this->redelivery().unconfirmed_max;
    if (this->outbox_.size() + this->waiting().size() < max || !adds(type)) return;
    this->drop_unstored(ctx);
    const auto coming = static_cast<std::size_t>(
        std::count_if(this->waiting().begin(), this->waiting().end(),
                      [this](const auto& each) { return adds(each->type); }));
    if (this->outbox_.size() + coming < max) return;
    throw TooManyUnconfirmed(
        "too many deliveries are unconfirmed",
        {{"unconfirmed", this->outbox_.size() + coming}, {"unconfirmed_max", max}});
  }
  // The numbers of a recovery that begins with the snapshot must not be those of former deliveries.
  bool is_whole() const noexcept override {
    return this->outbox_.empty() &&
           this->last_number_ < (last_sequence_ + 1) * this->numbers_per_event;
  }

  void replay_event(Context& ctx, const actord_stored& stored) {
    last_sequence_ = stored.sequence;
    if (ctx.c().message_type == detail::type_id<DeliveryConfirmed>)
      confirm(static_cast<const DeliveryConfirmed*>(stored.content)->number);
    else Base::replay_event(ctx, stored);
  }
  void recovery_ended(Context& ctx) {
    this->begin_deliveries(ctx, [&] { Base::recovery_ended(ctx); });
  }
  void event_stored(Context& ctx, std::uint64_t sequence, bool is_snapshot_due) {
    last_sequence_ = sequence;
    this->follow_event(ctx, [&] { Base::event_stored(ctx, sequence, is_snapshot_due); });
  }

  std::uint64_t sequence_ = 0;  // of the event that is being applied; 0: none is
  actord_type_id type_ = 0;     // of that event
  std::size_t unconfirmed_before_ = 0;
  std::vector<actord_type_id> adding_types_;
  std::uint64_t last_sequence_ = 0;  // of events
};

/// The same for an actor A that stores its State as a whole (DurableState): what is to be delivered
/// follows from the state.
///
///   class Desk : public actord::DurableAtLeastOnce<Desk, Orders> {
///     void order(actord::Context& ctx, const Order& wanted) {
///       Orders next = state();
///       next.open.push_back({new_delivery(ctx), wanted.sku});
///       store(ctx, std::move(next));
///     }
///     void deliveries(const Orders& now) {
///       for (const Open& each : now.open)
///         deliver(each.number, "/user/shipper", [each](const actord::DeliveryId& id) {
///           return Ship{id, each.sku};
///         });
///     }
///     void delivered(Orders& next, std::uint64_t number) {
///       std::erase_if(next.open, [number](const Open& each) { return each.number == number; });
///     }
///     using Receive = Delivering<&Desk::order>;
///   };
///
/// `deliveries` names all that is open, each time that a state is stored or recovered; what it does
/// not name is sent no more. `delivered` takes one off that is confirmed; the result is stored.
///
/// store() throws TooManyUnconfirmed if the next state has more open deliveries than the present
/// one, and more than Redelivery::unconfirmed_max.
template <class A, class State>
class DurableAtLeastOnce : public detail::Deliveries<DurableState<A, State>> {
 public:
  void confirmed(Context& ctx, const DeliveryConfirmed& confirmation) {
    const std::uint64_t number = confirmation.number;
    if (!this->awaits_confirmation(number)) return;
    State next = this->state();
    static_cast<A&>(*this).delivered(next, number);
    if (named_by(next).contains(number))
      throw Error("delivered() leaves the delivery in the state");
    Base::store(ctx, std::move(next), [this, number](Context& c, const State& now) {
      take_over(now);
      this->delivery_confirmed(c, number);
    });
    this->note_confirmation(number);
  }

  template <auto... H>
  using Delivering = Handlers<&DurableAtLeastOnce::redeliver, &DurableAtLeastOnce::confirmed, H...>;

 protected:
  /// The number of a delivery of the next state. No other one of this actor has had it or will.
  std::uint64_t new_delivery(Context& ctx) {
    return this->last_number_ = this->next_number(this->sequence(ctx) + 1);
  }
  /// Called by deliveries(). Sends `make(DeliveryId)`, a message that has that id in it, to the
  /// actor at `path`, again and again until a DeliveryConfirmed has come back for it.
  template <class Make>
  void deliver(std::uint64_t number, std::string path, Make make) {
    if (named_ == nullptr) throw Error("deliver() is called by deliveries()");
    named_->insert(number);
    if (is_taken_over_ && !this->outbox_.contains(number))
      this->add_delivery(number, std::move(path), std::move(make));
  }
  /// As DurableState::store().
  template <class Then>
  void store(Context& ctx, State next, Then then) {
    static_assert(
        requires(A& a, State& s) { a.deliveries(std::as_const(s)); },
        "actord: an actor with DurableAtLeastOnce says what it delivers: "
        "void deliveries(const State&), public");
    static_assert(
        requires(A& a, State& s) { a.delivered(s, std::uint64_t{}); },
        "actord: an actor with DurableAtLeastOnce takes off what has arrived: "
        "void delivered(State&, std::uint64_t number), public");
    const std::size_t open = named_by(next).size(), max = this->redelivery().unconfirmed_max;
    if (open > max && open > this->outbox_.size())
      throw TooManyUnconfirmed("too many deliveries are unconfirmed",
                               {{"unconfirmed", open}, {"unconfirmed_max", max}});
    Base::store(ctx, std::move(next),
                [this, then = std::move(then)](Context& c, const State& now) mutable {
                  take_over(now);
                  detail::call_then(then, c, now);
                });
  }
  void store(Context& ctx, State next) {
    store(ctx, std::move(next), [] {});
  }

 private:
  friend struct detail::PersistenceFunctions<A>;
  using Base = DurableState<A, State>;
  using Numbers = std::set<std::uint64_t>;

  // The deliveries that the state has open.
  Numbers named_by(const State& state) {
    struct End {
      ~End() { named = nullptr; }
      Numbers*& named;
    };
    Numbers named;
    named_ = &named;
    const End end{named_};
    static_cast<A&>(*this).deliveries(state);
    return named;
  }
  void take_over(const State& state) {
    is_taken_over_ = true;
    Numbers named;
    try {
      named = named_by(state);
    } catch (...) {
      is_taken_over_ = false;
      throw;
    }
    is_taken_over_ = false;
    std::vector<std::uint64_t> ended;
    for (const auto& [number, delivery] : this->outbox_)
      if (!named.contains(number)) ended.push_back(number);
    for (const std::uint64_t number : ended) this->end_delivery(number);
  }

  void recovery_ended(Context& ctx) {
    this->begin_deliveries(ctx, [&] {
      take_over(this->state());
      Base::recovery_ended(ctx);
    });
  }
  void event_stored(Context& ctx, std::uint64_t sequence, bool is_snapshot_due) {
    this->follow_event(ctx, [&] { Base::event_stored(ctx, sequence, is_snapshot_due); });
  }

  Numbers* named_ = nullptr;    // those that deliveries() names, while it runs
  bool is_taken_over_ = false;  // what it names that is new is sent from now on
};

}  // namespace actord
