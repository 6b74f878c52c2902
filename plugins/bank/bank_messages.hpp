// SPDX-License-Identifier: Apache-2.0
//
// The messages between the actors of the bank, and the events that are stored.
#pragma once

#include <actord/actord.hpp>

#include <actord/at_least_once.hpp>

#include <cstdint>
#include <string>

namespace bank {

// ---- what clients ask for -----------------------------------------------------------------------

/// To the transfers: move money from one account to another. Answered with a TransferAccepted when
/// it is stored; then it will end, whatever happens.
struct Transfer {
  std::string from, to;  // names of accounts
  std::int64_t amount = 0;
};
ACTORD_MESSAGE(Transfer, "bank.Transfer/1", from, to, amount)
struct TransferAccepted {
  std::uint64_t number = 0;
};
ACTORD_MESSAGE(TransferAccepted, "bank.TransferAccepted/1", number)

/// To the bank: add up all accounts and all transfers.
struct Audit {};
ACTORD_MESSAGE(Audit, "bank.Audit/1")
/// The answer to Audit. `sum` is constant: what no account has is under way.
struct Audited {
  std::int64_t sum = 0;
  std::int64_t in_accounts = 0;
  std::int64_t under_way = 0;
  std::uint64_t begun = 0;  // transfers
  std::uint64_t done = 0;
  std::uint64_t refused = 0;
  std::uint64_t open = 0;
  bool is_complete = false;  // false: an account or the transfers have not answered
};
ACTORD_MESSAGE(Audited, "bank.Audited/1", sum, in_accounts, under_way, begun, done, refused, open,
               is_complete)

// ---- between transfers and accounts -------------------------------------------------------------

struct Withdraw {
  actord::DeliveryId delivery;
  std::uint64_t transfer = 0;
  std::int64_t amount = 0;
};
ACTORD_MESSAGE(Withdraw, "bank.Withdraw/1", delivery, transfer, amount)
/// The answer to Withdraw.
struct WithdrawAnswer {
  std::uint64_t delivery = 0;
  std::uint64_t transfer = 0;
  bool is_paid = false;  // false: there is not so much in the account
};
ACTORD_MESSAGE(WithdrawAnswer, "bank.WithdrawAnswer/1", delivery, transfer, is_paid)

struct Deposit {
  actord::DeliveryId delivery;
  std::uint64_t transfer = 0;
  std::int64_t amount = 0;
};
ACTORD_MESSAGE(Deposit, "bank.Deposit/1", delivery, transfer, amount)
/// The answer to Deposit.
struct DepositAnswer {
  std::uint64_t delivery = 0;
  std::uint64_t transfer = 0;
};
ACTORD_MESSAGE(DepositAnswer, "bank.DepositAnswer/1", delivery, transfer)

struct GetBalance {};
ACTORD_MESSAGE(GetBalance, "bank.GetBalance/1")
struct Balance {
  std::int64_t amount = 0;
};
ACTORD_MESSAGE(Balance, "bank.Balance/1", amount)

struct GetTransfers {};
ACTORD_MESSAGE(GetTransfers, "bank.GetTransfers/1")
struct TransferTotals {
  std::uint64_t begun = 0, done = 0, refused = 0, open = 0;
  std::int64_t under_way = 0;
};
ACTORD_MESSAGE(TransferTotals, "bank.TransferTotals/1", begun, done, refused, open, under_way)

// ---- events -------------------------------------------------------------------------------------

struct Opened {
  std::int64_t amount = 0;
};
ACTORD_MESSAGE(Opened, "bank.Opened/1", amount)
struct Withdrawn {
  actord::DeliveryId delivery;
  std::int64_t amount = 0;  // 0: refused
};
ACTORD_MESSAGE(Withdrawn, "bank.Withdrawn/1", delivery, amount)
struct Deposited {
  actord::DeliveryId delivery;
  std::int64_t amount = 0;
};
ACTORD_MESSAGE(Deposited, "bank.Deposited/1", delivery, amount)

struct Begun {
  std::uint64_t number = 0;
  std::string from, to;
  std::int64_t amount = 0;
};
ACTORD_MESSAGE(Begun, "bank.Begun/1", number, from, to, amount)
struct Paid {  // the withdrawal is answered
  std::uint64_t number = 0;
  std::uint64_t delivery = 0;
  bool is_paid = false;
};
ACTORD_MESSAGE(Paid, "bank.Paid/1", number, delivery, is_paid)
struct Ended {  // the deposit is answered
  std::uint64_t number = 0;
  std::uint64_t delivery = 0;
};
ACTORD_MESSAGE(Ended, "bank.Ended/1", number, delivery)

/// From an actor to itself: begin the next transfer.
struct NextTransfer {};
ACTORD_MESSAGE(NextTransfer, "bank.NextTransfer/1")

/// What chaos throws.
class Chaos : public actord::Error {
 public:
  using Error::Error;
};

/// Throws Chaos in that share of its calls.
inline void throw_at_random(actord::Context& ctx, double share) {
  if (static_cast<double>(ctx.random() >> 11) * 0x1.0p-53 < share)
    throw Chaos("the bank is in a mood");
}

}  // namespace bank
