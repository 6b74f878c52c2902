// SPDX-License-Identifier: Apache-2.0
#include "bank.hpp"

#include <random>

namespace savina {

std::vector<actord::About> BankConfig::about() {
  using C = BankConfig;
  return {actord::about(&C::accounts).between(2, 1'000'000).doc("Accounts."),
          actord::about(&C::transfers).between(1, 1'000'000).doc("Transfers between them."),
          actord::about(&C::balance).doc("What each account has at the start."),
          actord::about(&C::most).between(1, 1'000'000).doc("The largest amount of a transfer."),
          actord::about(&C::seed).doc("Seed of the accounts and amounts of the transfers."),
          about_deadline(&C::deadline)};
}

// A transfer that is refused takes one more out of the stash; a deposit does it for the others.
void Account::transfer(actord::Context& ctx, const Transfer& m) {
  if (m.amount > balance_) {
    ctx.reply(Receipt{m.number, false});
    return ctx.unstash(1);
  }
  balance_ -= m.amount;
  number_ = m.number;
  ctx.ask<&Account::deposited>(m.to, Deposit{m.amount}, patience_);
  ctx.become<Waiting>();
}

void Account::deposited(actord::Context& ctx, const actord::Reply<Deposited>& reply) {
  if (!reply) throw WrongResult("a deposit has failed", {{"why", reply.failure().what()}});
  ctx.tell(ctx.parent(), Receipt{number_, true});
  ctx.become<Receive>();
  ctx.unstash(1);
}

std::int64_t Teller::expected(const Config& config) {
  return std::int64_t{config.accounts} * config.balance;
}

void Teller::pre_start(actord::Context& ctx) {
  for (std::uint32_t index = 0; index < config_.accounts; ++index) {
    accounts_.push_back(ctx.spawn<Account>("account-" + std::to_string(index), index,
                                           std::int64_t{config_.balance}, config_.deadline));
    ledger_.push_back(config_.balance);
  }
  std::mt19937_64 generator(config_.seed);
  for (std::uint32_t number = 0; number < config_.transfers; ++number) {
    const auto from = static_cast<std::uint32_t>(generator() % config_.accounts);
    const auto distance = static_cast<std::uint32_t>(1 + generator() % (config_.accounts - 1));
    const auto amount = static_cast<std::uint32_t>(1 + generator() % config_.most);
    const std::uint32_t to = (from + distance) % config_.accounts;
    orders_.push_back({from, to, amount});
    ctx.tell(accounts_[from], Transfer{number, amount, accounts_[to]});
  }
}

void Teller::ended(actord::Context& ctx, const Receipt& m) {
  Order& order = orders_.at(m.number);
  if (std::exchange(order.has_ended, true))
    throw WrongResult("a transfer has ended twice", {{"number", m.number}});
  if (m.is_done) {
    ++done_;
    ledger_[order.from] -= order.amount;
    ledger_[order.to] += order.amount;
  }
  if (++ended_ != config_.transfers) return;
  for (const actord::Ref account : accounts_) ctx.tell(account, GetBalance{});
}

void Teller::counted(actord::Context& ctx, const Balance& m) {
  if (m.amount != ledger_.at(m.index) || m.amount < 0)
    throw WrongResult("an account has another balance than the teller's ledger",
                      {{"index", m.index}, {"balance", m.amount}, {"ledger", ledger_[m.index]}});
  sum_ += m.amount;
  if (++counted_ != config_.accounts) return;
  ctx.tell(ctx.parent(), Finished{sum_, 2 * (std::uint64_t{config_.transfers} + done_) +
                                            2 * std::uint64_t{config_.accounts} + 1});
}

}  // namespace savina
