// SPDX-License-Identifier: Apache-2.0
#include "sim/companion_ledger.hpp"

#include <algorithm>

namespace actord::sim::companions {

Ledger::Ledger(Context& ctx, std::uint32_t member_)
    : Inhabitant(ctx, member_), id_(witness->path_of_ledger(member_)) {
  witness->snapshots.may_come(id_);
  witness->fail_at(Spot::constructor);
}

Redelivery Ledger::redelivery() const {
  Redelivery settings{.first = milliseconds{2}, .longest = milliseconds{16}, .warn_after = 2};
  if (plan().unconfirmed_max != 0) settings.unconfirmed_max = plan().unconfirmed_max;
  return settings;
}

void Ledger::recovery_completed(Context& /*ctx*/) {
  has_recovered_ = true;
  witness->saw("recovered", member, state().all.size());
  if (state().all != witness->store->marks(id_))
    witness->findings.add(44, id_ + " has recovered other events than are stored");
  witness->fail_at(Spot::recovered);
}

// ---- the events ---------------------------------------------------------------------------------

// A failure while it recovers is a failed recovery.
template <class Change>
void Ledger::change(std::uint32_t mark, Change change, bool may_tear) {
  if (!has_recovered_) witness->fail_at(Spot::replay);
  try {
    if (has_recovered_ && may_tear) witness->fail_at(Spot::apply_first);
  } catch (...) {
    is_torn_ = true;
    unfollowed_.erase(mark);
    awaited_.erase(mark);
    throw;
  }
  change();
  if (has_recovered_ && witness->fails(Spot::apply_last)) {
    unfollowed_.erase(mark);
    awaited_.erase(mark);
    throw Broken("when it was applied");
  }
}

void Ledger::apply(Marks& marks, const Entered& event) {
  change(event.mark, [&] { marks.all.push_back(event.mark); });
}

void Ledger::apply(Marks& marks, const Sent& event) {
  change(event.mark, [&] {
    marks.all.push_back(event.mark);
    for (std::uint32_t i = 0; i < event.count; ++i)
      // The parcels of one event have marks of their own.
      deliver(event.to, [mark = event.mark + i](const DeliveryId& id) {
        witness->numbers.made(id.from, id.number, mark);
        witness->fail_at(Spot::make);
        return Parcel{id, mark};
      });
  });
}

void Ledger::apply(Marks& marks, const Received& event) {
  // One that it does not know of is taken again.
  change(
      event.mark,
      [&] {
        marks.all.push_back(event.mark);
        marks.deliveries.add(event.delivery);
      },
      false);
}

template <class E>
void Ledger::store(Context& ctx, E event, Then then, bool is_async) {
  const std::uint32_t mark = event.mark;
  auto follows = [this, mark, then = std::move(then)](Context& c) { follow(c, mark, then); };
  if (is_async) persist_async(ctx, std::move(event), std::move(follows));
  else persist(ctx, std::move(event), std::move(follows));
  of_handler_.push_back(mark);
  unfollowed_.insert(mark);
  if (!is_async) awaited_.insert(mark);
}

void Ledger::follow(Context& ctx, std::uint32_t mark, const Then& then) {
  witness->saw("stored", member, mark);
  awaited_.erase(mark);
  if (!has_stored(mark))
    witness->findings.add(45, "what follows an event of " + id_ + " runs, and it is not stored");
  if (unfollowed_.erase(mark) == 0)
    witness->findings.add(45, "what follows an event of " + id_ + " runs twice");
  if (too_late_.contains(mark))
    witness->findings.add(45, "what follows an event of " + id_ + " runs behind deferred work");
  if (then) then(ctx);
  witness->fail_at(Spot::continuation);
}

void Ledger::enter(Context& ctx, Then then, bool is_async) {
  store(ctx, Entered{++witness->marks}, std::move(then), is_async);
}

void Ledger::send(Context& ctx, std::uint32_t detail, std::uint32_t count) {
  const std::size_t to = witness->another(Role::ledger, member, detail);
  if (to == member) return;
  const Sent event{witness->marks + 1, witness->path_of_ledger(to), count};
  witness->marks += count;
  witness->parcels.push_back({event.mark, count, id_, event.to});
  store(ctx, event, {});
}

void Ledger::put_off(Context& ctx) {
  const std::uint32_t number = ++last_deferred_;
  std::ranges::set_difference(unfollowed_, witness->taken_back,
                              std::inserter(deferred_[number], deferred_[number].end()));
  defer(ctx, [this, number] {
    const auto found = deferred_.find(number);
    if (found == deferred_.end())
      return witness->findings.add(45, "deferred work of " + id_ + " runs twice");
    std::ranges::set_intersection(found->second, unfollowed_,
                                  std::inserter(too_late_, too_late_.end()));
    deferred_.erase(found);
    witness->fail_at(Spot::deferred);
  });
}

void Ledger::send_on(Context& ctx, std::uint32_t number, std::size_t to) {
  if (!ctx.has_message()) return witness->findings.add(49, id_ + " has lost the message");
  if (witness->is_calm || witness->fates.moves(number) >= moves_max || !witness->ref_of(to)) return;
  ctx.forward(witness->ref_of(to));
  witness->fates.moved(number);
  if (witness->scenario.multiplies(to)) witness->fates.multiplied(number);
}

void Ledger::put_aside(Context& ctx, std::uint32_t number) {
  if (witness->is_calm || witness->fates.moves(number) >= moves_max) return;
  ctx.stash();
  witness->fates.moved(number);
}

// ---- messages -----------------------------------------------------------------------------------

namespace {

/// A handler that fails has persisted nothing.
struct TakenBack {
  ~TakenBack() {
    if (handling.has_failed()) witness->taken_back.insert(marks.begin(), marks.end());
    marks.clear();
  }
  const Handling& handling;
  std::vector<std::uint32_t>& marks;
};

}  // namespace

void Ledger::work(Context& ctx, const Work& order) {
  Handling handling(ctx, *this, order.number, name_of(order.task));
  of_handler_.clear();
  const TakenBack taken_back{handling, of_handler_};
  for (const std::uint32_t mark : awaited_)
    if (has_stored(mark))
      witness->findings.add(46, id_ + " handles a message before what follows its event has run");
  witness->fail_at(Spot::handler);
  if (!perform(*this, ctx, order, handling)) perform_own(ctx, order, handling);
  witness->fail_at(Spot::handler_end);
}

void Ledger::perform_own(Context& ctx, const Work& order, Handling& handling) {
  const std::size_t other = witness->chosen(mixed(order.detail, 7));
  const std::uint32_t number = handling.number();
  switch (order.task) {
    case Task::enter: return enter(ctx);
    case Task::enter_async:
      enter(ctx, {}, true);
      if (order.fuel == 0) return;
      // Several writes are under way at once.
      return ctx.tell(ctx.self(), Work{witness->fates.sent(false), Task::enter_async, order.detail,
                                       order.fuel - 1});
    case Task::enter_several:
      enter(ctx);
      enter(ctx, {}, true);
      return enter(ctx);
    case Task::enter_and_fail: enter(ctx); throw Broken("with an event");
    case Task::enter_and_forward:
      return enter(ctx, [this, number, other](Context& c) { send_on(c, number, other); });
    case Task::enter_and_stash:
      return enter(ctx, [this, number](Context& c) { put_aside(c, number); });
    case Task::enter_and_ask:
      return enter(ctx, [this, other](Context& c) {
        const Question question = question_for(other, 0);
        c.ask<&Ledger::answered>(witness->ref_of(other), question, milliseconds{4});
        asks.begun(question.ask);
      });
    case Task::enter_in_turn: return enter(ctx, [this](Context& c) { enter(c); });
    case Task::defer: return put_off(ctx);
    case Task::enter_and_defer:
      enter(
          ctx, [this](Context& c) { put_off(c); }, order.detail % 2 == 0);
      return put_off(ctx);
    case Task::reject: return persist(ctx, Loan{ctx.self()});
    case Task::snapshot: witness->snapshots.may_come(id_); return save_snapshot(ctx);
    case Task::remove: return delete_events(ctx, sequence(ctx));
    case Task::send: return send(ctx, order.detail, 1);
    case Task::send_several:
      send(ctx, order.detail, 1 + order.detail % 3);
      return send(ctx, order.detail / 16, 1);
    default: return;
  }
}

void Ledger::question(Context& ctx, const Question& question) {
  Handling handling(ctx, *this, question.number, "question");
  witness->fail_at(Spot::handler);
  if (witness->is_calm) return ctx.reply(Answer{question.ask});
  enter(ctx, [ask = question.ask](Context& c) { c.reply(Answer{ask}); });
}

void Ledger::parcel(Context& ctx, const Parcel& parcel) {
  witness->fail_at(Spot::handler);
  if (state().deliveries.has(parcel.delivery)) return confirm_delivery(ctx, parcel.delivery);
  store(ctx, Received{parcel.mark, parcel.delivery}, [parcel](Context& c) {
    if (!witness->fails(Spot::handler_end)) confirm_delivery(c, parcel.delivery);
  });
}

void Ledger::audit(Context& /*ctx*/, const Audit& audit) {
  if (!is_torn_ && state().all != witness->store->marks(id_))
    witness->findings.add(44, id_ + " has other events than are stored");
  audited(*this, audit);
}

// What has not been stored was of a handler, or of what follows an event, that has failed.
void Ledger::check_rest() {
  Inhabitant::check_rest();
  if (!has_recovered_) return;
  for (const std::uint32_t mark : unfollowed_)
    if (has_stored(mark))
      witness->findings.add(45, "what follows an event of " + id_ + " has not run");
  for (const auto& [number, behind] : deferred_)
    if (std::ranges::all_of(behind, [this](std::uint32_t mark) { return has_stored(mark); }))
      witness->findings.add(45, "deferred work of " + id_ + " has not run");
  for (const Witness::Sending& each : witness->parcels) {
    if (each.from != id_ || each.is_void || !has_stored(each.mark)) continue;
    if (witness->world->system().find(each.to) == actor::nobody) continue;
    for (std::uint32_t i = 0; i < each.count; ++i)
      if (std::ranges::count(witness->store->marks(each.to), each.mark + i) != 1)
        witness->findings.add(
            48, "parcel " + std::to_string(each.mark + i) + " was not received once by " + each.to);
    if (unconfirmed() != 0 && !witness->has_lost_receivers())
      witness->findings.add(48, id_ + " has parcels that nobody has confirmed");
  }
}

}  // namespace actord::sim::companions
