// SPDX-License-Identifier: Apache-2.0
//
// All transfers, each a saga: the money is withdrawn from one account, then deposited in the other.
// Both steps are delivered at least once, so that a transfer that was accepted ends.
#pragma once

#include <map>
#include <string>

#include "bank_messages.hpp"

namespace bank {

struct OpenTransfer {
  std::string to;
  std::int64_t amount = 0;
  bool is_paid = false;  // withdrawn, and not deposited yet
};
ACTORD_FIELDS(OpenTransfer, to, amount, is_paid)

struct Book {
  std::uint64_t begun = 0, done = 0, refused = 0;
  std::map<std::uint64_t, OpenTransfer> open;  // by number
};

struct TransfersConfig {
  std::string accounts;  // the path above the accounts
  double throws = 0;     // share of messages over which it throws
};
ACTORD_FIELDS(TransfersConfig, accounts, throws)

class Transfers : public actord::AtLeastOnce<Transfers, Book> {
 public:
  static constexpr std::string_view doc = "Moves money between accounts; what it accepts ends.";

  Transfers(actord::Context& ctx, const TransfersConfig& config);

  actord::Redelivery redelivery() const override;

  void begin(actord::Context& ctx, const Transfer& wanted);
  void withdrawn(actord::Context& ctx, const WithdrawAnswer& answer);
  void deposited(actord::Context& ctx, const DepositAnswer& answer);
  TransferTotals totals(const GetTransfers&) const;

  void apply(Book& book, const Begun& event);
  void apply(Book& book, const Paid& event);
  void apply(Book& book, const Ended& event);

  using Events = actord::Events<Begun, Paid, Ended>;
  using Receive = Delivering<&Transfers::begin, &Transfers::withdrawn, &Transfers::deposited,
                             &Transfers::totals>;

 private:
  std::string path_of(const std::string& account) const;

  const TransfersConfig config_;
};

}  // namespace bank
