// SPDX-License-Identifier: Apache-2.0
#include "banking.hpp"

#include <actord/backoff_supervisor.hpp>

#include "account.hpp"
#include "transfers.hpp"

namespace bank {

using namespace std::chrono_literals;

namespace {

constexpr std::int64_t largest_transfer = 100;
constexpr std::chrono::seconds patience{5};

actord::BackoffOptions comes_back() { return actord::BackoffOptions::on_stop(100ms, 5s, 0.2); }

std::string name_of(std::uint64_t account) { return "account-" + std::to_string(account); }

}  // namespace

std::vector<actord::About> ChaosConfig::about() {
  return {actord::about(&ChaosConfig::throws)
              .between(0, 0.5)
              .doc("The share of messages over which accounts and transfers throw.")};
}

std::vector<actord::About> BankConfig::about() {
  using C = BankConfig;
  return {
      actord::about(&C::accounts).between(2, 100'000).doc("How many accounts there are."),
      actord::about(&C::opening).at_least(0).doc("What is in each when it is opened."),
      actord::about(&C::transfers).doc("How many random transfers are made after each start."),
      actord::about(&C::interval).at_least(10us).doc("The time between two of them."),
  };
}

void Bank::pre_start(actord::Context& ctx) {
  for (std::uint64_t i = 0; i < config_.accounts; ++i)
    accounts_.push_back(ctx.spawn<actord::BackoffSupervisor<Account>>(
        name_of(i), comes_back(), "account",
        AccountConfig{name_of(i), config_.opening, config_.chaos.throws}));
  transfers_ = ctx.spawn<actord::BackoffSupervisor<Transfers>>(
      "transfers", comes_back(), "saga",
      TransfersConfig{ctx.path(ctx.self()), config_.chaos.throws});
  if (config_.transfers != 0)
    ctx.start_timer("next", config_.interval, NextTransfer{}, config_.interval);
}

// ---- transfers ----------------------------------------------------------------------------------

std::string Bank::random_account(actord::Context& ctx) const {
  return name_of(ctx.random() % config_.accounts);
}

void Bank::next_transfer(actord::Context& ctx, const NextTransfer&) {
  if (++made_ >= config_.transfers) ctx.cancel_timer("next");
  const std::string from = random_account(ctx);
  std::string to = random_account(ctx);
  while (to == from) to = random_account(ctx);
  const auto amount = static_cast<std::int64_t>(ctx.random() % largest_transfer) + 1;
  ctx.tell(transfers_, Transfer{from, to, amount});
}

void Bank::accepted(actord::Context&, const TransferAccepted&) {}

void Bank::transfer(actord::Context& ctx, const Transfer&) { ctx.forward(transfers_); }

// ---- the audit ----------------------------------------------------------------------------------

void Bank::audit(actord::Context& ctx, const Audit&) {
  if (!audit_) {
    audit_.emplace();
    audit_->found.is_complete = true;
    audit_->awaited = accounts_.size() + 1;
    for (const actord::Ref account : accounts_)
      ctx.ask<&Bank::balance>(account, GetBalance{}, patience);
    ctx.ask<&Bank::totals>(transfers_, GetTransfers{}, patience);
  }
  audit_->askers.push_back(ctx.sender());
}

void Bank::balance(actord::Context& ctx, const actord::Reply<Balance>& reply) {
  if (audit_ && reply) audit_->found.in_accounts += reply->amount;
  answer_came(ctx, static_cast<bool>(reply));
}

void Bank::totals(actord::Context& ctx, const actord::Reply<TransferTotals>& reply) {
  if (audit_ && reply) {
    Audited& found = audit_->found;
    found.begun = reply->begun;
    found.done = reply->done;
    found.refused = reply->refused;
    found.open = reply->open;
    found.under_way = reply->under_way;
  }
  answer_came(ctx, static_cast<bool>(reply));
}

void Bank::answer_came(actord::Context& ctx, bool is_there) {
  if (!audit_) return;
  audit_->found.is_complete = audit_->found.is_complete && is_there;
  if (--audit_->awaited != 0) return;
  Audited& found = audit_->found;
  found.sum = found.in_accounts + found.under_way;
  for (const actord::Ref asker : audit_->askers) ctx.tell(asker, found);
  audit_.reset();
}

}  // namespace bank

ACTORD_PLUGIN(
    "bank", "1.0.0", actord::Behaviours<bank::Bank>,
    actord::Messages<bank::Transfer, bank::TransferAccepted, bank::Audit, bank::Audited,
                     bank::Withdraw, bank::WithdrawAnswer, bank::Deposit, bank::DepositAnswer,
                     bank::GetBalance, bank::Balance, bank::GetTransfers, bank::TransferTotals,
                     bank::Opened, bank::Withdrawn, bank::Deposited, bank::Begun, bank::Paid,
                     bank::Ended, bank::AccountState, bank::NextTransfer>,
    actord::Failures<bank::Chaos>)
