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

/// A persistent actor A that delivers messages at least once.
///
/// Its receive tables are `Delivering<…>` instead of `Handlers<…>`. A snapshot is taken when no
/// delivery is unconfirmed, since deliveries follow from events.
///
/// If Redelivery::unconfirmed_max are unconfirmed, persist() throws TooManyUnconfirmed for events
/// of the types that have made them more before; others, such as those that confirm(), are stored.
/// What is stored already is always delivered, and replayed.
template <class A, class State>
class AtLeastOnce : public Persistent<A, State> {
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

  void redeliver(Context& ctx, const detail::RedeliveryDue& /*tick*/) {
    is_timer_set_ = false;
    send_due(ctx);
  }
  void confirmed(Context& ctx, const DeliveryConfirmed& confirmation) {
    const auto found = outbox_.find(confirmation.number);
    if (found == outbox_.end() || found->second.is_confirmed) return;
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
    found->second.is_confirmed = true;
    due_.erase({found->second.due_ns, confirmation.number});
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
    const std::uint64_t number = std::max(sequence_ * numbers_per_event, last_number_ + 1);
    Delivery delivery;
    delivery.path = std::move(path);
    delivery.send = [make = std::move(make)](Context& ctx, Ref to, const DeliveryId& id) {
      ctx.tell(to, make(id));
    };
    due_.insert({delivery.due_ns, number});
    outbox_.insert_or_assign(number, std::move(delivery));
    return last_number_ = number;
  }
  /// Called by apply(): the event says that the delivery has arrived, as an answer of the receiver
  /// does which tells more than a DeliveryConfirmed.
  void confirm(std::uint64_t number) {
    const auto found = outbox_.find(number);
    if (found == outbox_.end()) return;
    due_.erase({found->second.due_ns, number});
    outbox_.erase(found);
  }
  /// How many deliveries are not confirmed.
  std::size_t unconfirmed() const noexcept { return outbox_.size(); }

 private:
  friend struct detail::PersistenceFunctions<A>;
  using Base = Persistent<A, State>;

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

  void begin_event(std::uint64_t sequence, actord_type_id type) override {
    adding_types_.reserve(adding_types_.size() + 1);  // end_event() cannot throw
    sequence_ = sequence;
    type_ = type;
    unconfirmed_before_ = outbox_.size();
  }
  void end_event() noexcept override {
    if (outbox_.size() > unconfirmed_before_ && !adds(type_)) adding_types_.push_back(type_);
    sequence_ = 0;
  }
  // Whether an event of that type has led to more unconfirmed deliveries than it has confirmed.
  bool adds(actord_type_id type) const noexcept {
    return std::find(adding_types_.begin(), adding_types_.end(), type) != adding_types_.end();
  }
  void admit(Context& ctx, actord_type_id type) override {
    const std::size_t max = redelivery().unconfirmed_max;
    if (outbox_.size() + this->waiting().size() < max || !adds(type)) return;
    this->drop_unstored(ctx);
    const auto coming = static_cast<std::size_t>(
        std::count_if(this->waiting().begin(), this->waiting().end(),
                      [this](const auto& each) { return adds(each->type); }));
    if (outbox_.size() + coming < max) return;
    throw TooManyUnconfirmed("too many deliveries are unconfirmed",
                             {{"unconfirmed", outbox_.size() + coming}, {"unconfirmed_max", max}});
  }
  // The numbers of a recovery that begins with the snapshot must not be those of former deliveries.
  bool is_whole() const noexcept override {
    return outbox_.empty() && last_number_ < (last_sequence_ + 1) * numbers_per_event;
  }

  void replay_event(Context& ctx, const actord_stored& stored) {
    last_sequence_ = stored.sequence;
    if (ctx.c().message_type == detail::type_id<DeliveryConfirmed>)
      confirm(static_cast<const DeliveryConfirmed*>(stored.content)->number);
    else Base::replay_event(ctx, stored);
  }
  void recovery_ended(Context& ctx) {
    from_ = this->stored_id(ctx);
    Base::recovery_ended(ctx);
    send_due(ctx);
  }
  void event_stored(Context& ctx, std::uint64_t sequence, bool is_snapshot_due) {
    last_sequence_ = sequence;
    try {
      Base::event_stored(ctx, sequence, is_snapshot_due);
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
    const double random = detail::random_unit(ctx) * settings.random_factor;
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
                    detail::RedeliveryDue{});
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
  std::uint64_t sequence_ = 0;  // of the event that is being applied; 0: none is
  actord_type_id type_ = 0;     // of that event
  std::size_t unconfirmed_before_ = 0;
  std::vector<actord_type_id> adding_types_;
  std::uint64_t last_sequence_ = 0, last_number_ = 0;  // of events, and of deliveries
  bool is_timer_set_ = false;
  std::int64_t timer_due_ns_ = 0;
};

}  // namespace actord
