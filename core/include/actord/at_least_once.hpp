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

#include <map>

#include <actord/delay_math.hpp>
#include <actord/persistent.hpp>

namespace actord {

/// When an unconfirmed message is sent again.
struct Redelivery {
  std::chrono::nanoseconds first = std::chrono::seconds{5};  // doubled with each attempt
  std::chrono::nanoseconds longest = std::chrono::minutes{5};
  double random_factor = 0.2;             // largest random part, as a share of the delay
  std::uint32_t warn_after = 5;           // attempts, when delivery_unconfirmed() is called
  std::size_t unconfirmed_max = 100'000;  // deliver() fails when there are so many
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
    known.lowest = std::max(known.lowest, delivery.lowest);
    std::erase_if(known.numbers, [&](std::uint64_t number) { return number < known.lowest; });
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
    if (found == outbox_.end() || std::exchange(found->second.is_confirmed, true)) return;
    struct Stored final : detail::PersistentBase::Waiting {
      explicit Stored(std::uint64_t of) : number(of) {}
      void run(detail::PersistentBase& actor, Context& c) override {
        static_cast<AtLeastOnce&>(actor).outbox_.erase(number);
        static_cast<AtLeastOnce&>(actor).delivery_confirmed(c, number);
      }
      std::uint64_t number;
    };
    this->persist_for(ctx, confirmation, ACTORD_PERSIST_ASYNC,
                      std::make_unique<Stored>(confirmation.number));
  }

  template <auto... H>
  using Delivering = Handlers<&AtLeastOnce::redeliver, &AtLeastOnce::confirmed, H...>;

 protected:
  /// Called by apply(). Sends `make(DeliveryId)`, a message that has that id in it, to the actor at
  /// `path`, again and again until a DeliveryConfirmed has come back for it. Returns the number of
  /// the delivery. Throws Error if too many are unconfirmed, or for more than 1 000 of one event.
  template <class Make>
  std::uint64_t deliver(std::string path, Make make) {
    if (sequence_ == 0) throw Error("deliver() is called by apply()");
    if (outbox_.size() >= redelivery().unconfirmed_max)
      throw Error("too many deliveries are unconfirmed");
    if (index_ == per_event_max) throw Error("an event leads to too many deliveries");
    const std::uint64_t number = sequence_ * per_event_max + index_++;
    Delivery& delivery = outbox_[number];
    delivery.path = std::move(path);
    delivery.send = [make = std::move(make)](Context& ctx, Ref to, const DeliveryId& id) {
      ctx.tell(to, make(id));
    };
    return number;
  }
  /// Called by apply(): the event says that the delivery has arrived, as an answer of the receiver
  /// does which tells more than a DeliveryConfirmed.
  void confirm(std::uint64_t number) { outbox_.erase(number); }
  /// As Persistent::save_snapshot(), once all deliveries are confirmed.
  void save_snapshot(Context& ctx)
    requires Message<State>
  {
    is_snapshot_wanted_ = !outbox_.empty();
    if (!is_snapshot_wanted_) Base::save_snapshot(ctx);
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

  static constexpr std::uint64_t per_event_max = 1000;
  static constexpr std::string_view timer_key = "actord.redelivery";

  void replay_event(Context& ctx, const actord_stored& stored) {
    if (ctx.c().message_type == detail::type_id<DeliveryConfirmed>) {
      outbox_.erase(static_cast<const DeliveryConfirmed*>(stored.content)->number);
      return;
    }
    begin_event(stored.sequence);
    Base::replay_event(ctx, stored);
    sequence_ = 0;
  }
  void recovery_ended(Context& ctx) {
    from_ = this->stored_id(ctx);
    Base::recovery_ended(ctx);
    send_due(ctx);
  }
  void event_stored(Context& ctx, std::uint64_t sequence, bool is_snapshot_due) {
    begin_event(sequence);
    this->run_waiting(ctx, sequence);
    sequence_ = 0;
    if constexpr (Message<State>) {
      if (is_snapshot_due || is_snapshot_wanted_) save_snapshot(ctx);
    }
    if (index_ != 0) send_due(ctx);
  }
  void begin_event(std::uint64_t sequence) {
    sequence_ = sequence;
    index_ = 0;
  }

  std::chrono::nanoseconds delay_after(Context& ctx, std::uint32_t attempts) const {
    const Redelivery settings = redelivery();
    std::chrono::nanoseconds delay = settings.first;
    for (std::uint32_t i = 1; i < attempts && delay < settings.longest; ++i) delay *= 2;
    delay = std::min(delay, settings.longest);
    const double random = detail::random_unit(ctx) * settings.random_factor;
    return delay + std::chrono::nanoseconds{
                       static_cast<std::int64_t>(static_cast<double>(delay.count()) * random)};
  }
  void send_due(Context& ctx) {
    if (outbox_.empty()) return;
    const std::int64_t now = ctx.now().count();
    std::int64_t next = INT64_MAX;
    for (auto& [number, delivery] : outbox_) {
      if (delivery.is_confirmed) continue;
      if (delivery.due_ns <= now) send(ctx, number, delivery, now);
      next = std::min(next, delivery.due_ns);
    }
    if (next == INT64_MAX || (is_timer_set_ && timer_due_ns_ <= next)) return;
    is_timer_set_ = true;
    timer_due_ns_ = next;
    ctx.start_timer(timer_key, std::chrono::nanoseconds{next - now}, detail::RedeliveryDue{});
  }
  // An actor that is not there is tried again later.
  void send(Context& ctx, std::uint64_t number, Delivery& delivery, std::int64_t now) {
    if (const Ref to = ctx.find(delivery.path))
      delivery.send(ctx, to, {from_, number, outbox_.begin()->first});
    delivery.due_ns = now + delay_after(ctx, ++delivery.attempts).count();
    if (delivery.attempts % std::max(redelivery().warn_after, 1u) == 0)
      delivery_unconfirmed(ctx, {number, delivery.path, delivery.attempts});
  }

  std::map<std::uint64_t, Delivery> outbox_;  // by number
  std::string from_;
  std::uint64_t sequence_ = 0;  // of the event that is being applied; 0: none is
  std::uint64_t index_ = 0;     // of the next delivery of that event
  bool is_timer_set_ = false, is_snapshot_wanted_ = false;
  std::int64_t timer_due_ns_ = 0;
};

}  // namespace actord
