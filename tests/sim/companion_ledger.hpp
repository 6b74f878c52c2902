// SPDX-License-Identifier: Apache-2.0
//
// The persistent actor of the profile `companions`: it persists, defers, delivers to the others of
// its kind, and fails in each of its callbacks.
#pragma once

#include <actord/at_least_once.hpp>

#include <map>
#include <set>

#include "sim/companion_actors.hpp"

namespace actord::sim::companions {

struct Parcel {
  DeliveryId delivery;
  std::uint32_t mark = 0;
};
// The events. A mark is the number of an event among all of a run.
struct Entered {
  std::uint32_t mark = 0;
};
struct Sent {
  std::uint32_t mark = 0;
  std::string to;
  std::uint32_t count = 1;  // how many parcels
};
struct Received {
  std::uint32_t mark = 0;
  DeliveryId delivery;
};
struct Loan {  // cannot be stored
  Ref who;
};
struct Marks {
  std::vector<std::uint32_t> all;
  DeliveryLog deliveries;
};
ACTORD_MESSAGE(Parcel, "companions.Parcel/1", delivery, mark)
ACTORD_MESSAGE(Entered, "companions.Entered/1", mark)
ACTORD_MESSAGE(Sent, "companions.Sent/1", mark, to, count)
ACTORD_MESSAGE(Received, "companions.Received/1", mark, delivery)
ACTORD_MESSAGE(Loan, "companions.Loan/1", who)
ACTORD_MESSAGE(Marks, "companions.Marks/1", all, deliveries)

class Ledger : public AtLeastOnce<Ledger, Marks>, public Inhabitant {
 public:
  Ledger(Context& ctx, std::uint32_t member_);

  void pre_start(Context&) override { witness->fail_at(Spot::pre_start); }
  void post_stop(Context&) override { witness->fail_at(Spot::post_stop); }
  void recovery_completed(Context& ctx) override;
  void persist_rejected(Context&, const PersistRejection&) override {
    witness->fail_at(Spot::rejected);
  }
  Redelivery redelivery() const override;
  void delivery_unconfirmed(Context&, const UnconfirmedDelivery&) override {
    witness->fail_at(Spot::unconfirmed);
  }
  void delivery_confirmed(Context&, std::uint64_t) override { witness->fail_at(Spot::confirmed); }

  void apply(Marks& marks, const Entered& event);
  void apply(Marks& marks, const Sent& event);
  void apply(Marks& marks, const Received& event);
  void apply(Marks&, const Loan&) {}

  void work(Context& ctx, const Work& order);
  void question(Context& ctx, const Question& question);
  void parcel(Context& ctx, const Parcel& parcel);
  void unstash(Context& ctx, const Unstash&) { ctx.unstash_all(); }
  void audit(Context& ctx, const Audit& audit);
  void terminated(Context& ctx, const Terminated& notice) { check_watched(ctx, notice.who); }
  void stray(const Answer&) { witness->findings.add(50, name() + " gets an answer as a message"); }
  void shutdown_task(Context& ctx, const ShutdownTask& task) { run_shutdown_task(ctx, task); }
  void answered(Context&, const Reply<Answer>& reply) { end_ask(*this, reply); }

  using Events = actord::Events<Entered, Sent, Received, Loan>;
  using Receive =
      Delivering<&Ledger::work, &Ledger::question, &Ledger::parcel, &Ledger::unstash,
                 &Ledger::audit, &Ledger::terminated, &Ledger::stray, &Ledger::shutdown_task>;

  void check_rest() override;
  const std::string& id() const noexcept { return id_; }
  /// A failure of apply() has left the state behind what is stored; a recovery mends that.
  bool is_torn() const noexcept { return is_torn_; }

 private:
  using Then = std::function<void(Context&)>;

  void perform_own(Context& ctx, const Work& order, Handling& handling);
  void enter(Context& ctx, Then then = {}, bool is_async = false);
  void send(Context& ctx, std::uint32_t detail, std::uint32_t count);
  void put_off(Context& ctx);
  // In what follows an event, where the message of the handler is there again.
  void send_on(Context& ctx, std::uint32_t number, std::size_t to);
  void put_aside(Context& ctx, std::uint32_t number);
  template <class E>
  void store(Context& ctx, E event, Then then, bool is_async = false);
  void follow(Context& ctx, std::uint32_t mark, const Then& then);
  template <class Change>
  void change(std::uint32_t mark, Change change, bool may_tear = true);
  bool has_stored(std::uint32_t mark) const { return witness->store->has(id_, mark); }

  const std::string id_;
  bool is_torn_ = false, has_recovered_ = false;
  std::vector<std::uint32_t> of_handler_;  // persisted by the running one
  std::set<std::uint32_t> unfollowed_;     // persisted, and what follows has not run
  std::set<std::uint32_t> awaited_;        // of these, before which no message is handled
  std::map<std::uint32_t, std::set<std::uint32_t>> deferred_;  // and behind which events
  std::set<std::uint32_t> too_late_;  // what was deferred behind them has run
  std::uint32_t last_deferred_ = 0;
};

}  // namespace actord::sim::companions
