// SPDX-License-Identifier: Apache-2.0
//
// Bank transaction: accounts transfer money to each other.
#pragma once

#include "program.hpp"

namespace savina {

struct BankConfig {
  std::uint32_t accounts = 1'000;
  std::uint32_t transfers = 50'000;
  std::uint32_t balance = 200;
  std::uint32_t most = 100;
  std::uint64_t seed = 1;
  std::chrono::nanoseconds deadline = usual_deadline;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(BankConfig, accounts, transfers, balance, most, seed, deadline)

/// The teller to an account: transfer this amount to another one. Answered with a Receipt.
struct Transfer {
  std::uint32_t number = 0;
  std::uint32_t amount = 0;
  actord::Ref to;
};
ACTORD_MESSAGE(Transfer, "savina.Transfer/1", number, amount, to)
/// A transfer has ended. It is refused if the account has less than the amount.
struct Receipt {
  std::uint32_t number = 0;
  bool is_done = false;
};
ACTORD_MESSAGE(Receipt, "savina.Receipt/1", number, is_done)
/// An account to another one. Answered with Deposited.
struct Deposit {
  std::uint32_t amount = 0;
};
ACTORD_MESSAGE(Deposit, "savina.Deposit/1", amount)
struct Deposited {};
ACTORD_MESSAGE(Deposited, "savina.Deposited/1")
/// Answered with a Balance.
struct GetBalance {};
ACTORD_MESSAGE(GetBalance, "savina.GetBalance/1")
struct Balance {
  std::uint32_t index = 0;
  std::int64_t amount = 0;
};
ACTORD_MESSAGE(Balance, "savina.Balance/1", index, amount)

/// Makes one transfer at a time: until the other account has answered, further ones wait in its
/// stash. Deposits are taken at any time, so that two accounts never wait for each other.
class Account : public actord::Actor {
 public:
  Account(std::uint32_t index, std::int64_t balance, std::chrono::nanoseconds patience)
      : index_(index), patience_(patience), balance_(balance) {}

  void transfer(actord::Context& ctx, const Transfer& m);
  void wait(actord::Context& ctx, const Transfer&) { ctx.stash(); }
  Deposited deposit(const Deposit& m) { return balance_ += m.amount, Deposited{}; }
  void deposited(actord::Context& ctx, const actord::Reply<Deposited>& reply);
  Balance balance(const GetBalance&) const { return {index_, balance_}; }

  using Receive = actord::Handlers<&Account::transfer, &Account::deposit, &Account::balance>;
  struct Waiting : actord::Handlers<&Account::wait, &Account::deposit, &Account::balance> {
    static constexpr std::string_view name = "waiting";
  };
  using States = actord::States<Waiting>;

 private:
  const std::uint32_t index_;
  const std::chrono::nanoseconds patience_;
  std::int64_t balance_;
  std::uint32_t number_ = 0;  // of the transfer that waits for its deposit
};

/// Orders all transfers at once. From the receipts it computes the balance of each account.
class Teller : public Escalating {
 public:
  using Config = BankConfig;
  static constexpr std::string_view program = "BankTransaction";
  static constexpr std::string_view doc =
      "Transfers money between accounts: asks, states and stashes under a burst of orders.";
  /// The money in all accounts.
  static std::int64_t expected(const Config& config);

  explicit Teller(const Config& config) : config_(config) {}

  void ended(actord::Context& ctx, const Receipt& m);
  void counted(actord::Context& ctx, const Balance& m);
  using Receive = actord::Handlers<&Teller::ended, &Teller::counted>;

 private:
  struct Order {
    std::uint32_t from, to, amount;
    bool has_ended = false;
  };

  void pre_start(actord::Context& ctx) override;

  const Config config_;
  std::vector<actord::Ref> accounts_;
  std::vector<std::int64_t> ledger_;
  std::vector<Order> orders_;
  std::uint32_t ended_ = 0, done_ = 0, counted_ = 0;
  std::int64_t sum_ = 0;
};

using BankTransaction = Program<Teller>;

}  // namespace savina
