// SPDX-License-Identifier: Apache-2.0
#include "transfers.hpp"

namespace bank {

using namespace std::chrono_literals;

Transfers::Transfers(actord::Context& ctx, const TransfersConfig& config) : config_(config) {
  persistence_id(ctx, "bank/transfers");
}

actord::Redelivery Transfers::redelivery() const {
  return {.first = 500ms, .longest = 10s, .warn_after = 8};
}

std::string Transfers::path_of(const std::string& account) const {
  return config_.accounts + "/" + account + "/account";
}

void Transfers::begin(actord::Context& ctx, const Transfer& wanted) {
  if (wanted.amount <= 0) return ctx.reply_failure("a transfer moves more than 0");
  if (wanted.from == wanted.to) return ctx.reply_failure("a transfer has two accounts");
  persist(ctx, Begun{state().begun + 1, wanted.from, wanted.to, wanted.amount},
          [](actord::Context& c, const Begun& event) { c.reply(TransferAccepted{event.number}); });
  throw_at_random(ctx, config_.throws);
}

// An answer that comes again finds the transfer further on.
void Transfers::withdrawn(actord::Context& ctx, const WithdrawAnswer& answer) {
  const auto found = state().open.find(answer.transfer);
  if (found == state().open.end() || found->second.is_paid) return;
  persist(ctx, Paid{answer.transfer, answer.delivery, answer.is_paid});
  throw_at_random(ctx, config_.throws);
}

void Transfers::deposited(actord::Context& ctx, const DepositAnswer& answer) {
  if (!state().open.contains(answer.transfer)) return;
  persist(ctx, Ended{answer.transfer, answer.delivery});
  throw_at_random(ctx, config_.throws);
}

TransferTotals Transfers::totals(const GetTransfers&) const {
  TransferTotals totals{state().begun, state().done, state().refused, state().open.size(), 0};
  for (const auto& [number, transfer] : state().open)
    if (transfer.is_paid) totals.under_way += transfer.amount;
  return totals;
}

void Transfers::apply(Book& book, const Begun& event) {
  book.begun = event.number;
  book.open[event.number] = {event.to, event.amount, false};
  deliver(path_of(event.from),
          [number = event.number, amount = event.amount](const actord::DeliveryId& id) {
            return Withdraw{id, number, amount};
          });
}

void Transfers::apply(Book& book, const Paid& event) {
  confirm(event.delivery);
  const auto found = book.open.find(event.number);
  if (found == book.open.end()) return;
  if (!event.is_paid) {
    ++book.refused;
    book.open.erase(found);
    return;
  }
  found->second.is_paid = true;
  deliver(path_of(found->second.to),
          [number = event.number, amount = found->second.amount](const actord::DeliveryId& id) {
            return Deposit{id, number, amount};
          });
}

void Transfers::apply(Book& book, const Ended& event) {
  confirm(event.delivery);
  if (book.open.erase(event.number) != 0) ++book.done;
}

}  // namespace bank
