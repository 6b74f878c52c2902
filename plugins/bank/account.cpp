// SPDX-License-Identifier: Apache-2.0
#include "account.hpp"

#include <algorithm>

namespace bank {

Account::Account(actord::Context& ctx, const AccountConfig& config) : config_(config) {
  persistence_id(ctx, "bank/" + config.name);
}

void Account::recovery_completed(actord::Context& ctx) {
  if (!state().is_open) persist(ctx, Opened{config_.opening});
}

bool Account::was_refused(std::uint64_t delivery) const {
  return std::ranges::find(state().refused, delivery) != state().refused.end();
}

void Account::withdraw(actord::Context& ctx, const Withdraw& wanted) {
  const std::uint64_t number = wanted.delivery.number;
  if (state().deliveries.has(wanted.delivery))
    return ctx.reply(WithdrawAnswer{number, wanted.transfer, !was_refused(number)});
  const std::int64_t paid = wanted.amount <= state().balance ? wanted.amount : 0;
  persist(ctx, Withdrawn{wanted.delivery, paid},
          [this, transfer = wanted.transfer](actord::Context& c, const Withdrawn& event) {
            throw_at_random(c, config_.throws);
            c.reply(WithdrawAnswer{event.delivery.number, transfer, event.amount != 0});
          });
  throw_at_random(ctx, config_.throws);
}

void Account::deposit(actord::Context& ctx, const Deposit& wanted) {
  const DepositAnswer answer{wanted.delivery.number, wanted.transfer};
  if (state().deliveries.has(wanted.delivery)) return ctx.reply(answer);
  persist(ctx, Deposited{wanted.delivery, wanted.amount}, [this, answer](actord::Context& c) {
    throw_at_random(c, config_.throws);
    c.reply(answer);
  });
  throw_at_random(ctx, config_.throws);
}

void Account::apply(AccountState& account, const Opened& event) {
  account.is_open = true;
  account.balance += event.amount;
}

void Account::apply(AccountState& account, const Withdrawn& event) {
  account.deliveries.add(event.delivery);
  account.balance -= event.amount;
  std::erase_if(account.refused,
                [&](std::uint64_t number) { return number < event.delivery.lowest; });
  if (event.amount == 0) account.refused.push_back(event.delivery.number);
}

void Account::apply(AccountState& account, const Deposited& event) {
  account.deliveries.add(event.delivery);
  account.balance += event.amount;
}

}  // namespace bank
