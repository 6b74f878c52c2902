// SPDX-License-Identifier: Apache-2.0
//
// One account: a persistent actor, whose balance never falls below zero.
#pragma once

#include <string>
#include <vector>

#include "bank_messages.hpp"

namespace bank {

struct AccountState {
  std::int64_t balance = 0;
  bool is_open = false;
  actord::DeliveryLog deliveries;
  std::vector<std::uint64_t> refused;  // withdrawals that may come again
};
ACTORD_MESSAGE(AccountState, "bank.AccountState/1", balance, is_open, deliveries, refused)

struct AccountConfig {
  std::string name;
  std::int64_t opening = 0;  // what is in it when it is opened
  double throws = 0;         // share of messages over which it throws
};
ACTORD_FIELDS(AccountConfig, name, opening, throws)

class Account : public actord::Persistent<Account, AccountState> {
 public:
  static constexpr std::string_view doc = "An account whose balance outlives the process.";

  Account(actord::Context& ctx, const AccountConfig& config);

  void recovery_completed(actord::Context& ctx) override;
  void withdraw(actord::Context& ctx, const Withdraw& wanted);
  void deposit(actord::Context& ctx, const Deposit& wanted);
  Balance balance(const GetBalance&) const { return {state().balance}; }

  void apply(AccountState& account, const Opened& event);
  void apply(AccountState& account, const Withdrawn& event);
  void apply(AccountState& account, const Deposited& event);

  using Events = actord::Events<Opened, Withdrawn, Deposited>;
  using Receive = actord::Handlers<&Account::withdraw, &Account::deposit, &Account::balance>;

 private:
  bool was_refused(std::uint64_t delivery) const;

  const AccountConfig config_;
};

}  // namespace bank
