// SPDX-License-Identifier: Apache-2.0
//
// The bank: accounts, the transfers between them, and a teller who makes some. Each account and the
// transfers are behind a back-off supervisor, because a journal that fails stops them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bank_messages.hpp"

namespace bank {

struct ChaosConfig {
  double throws = 0;  // share of messages over which accounts and transfers throw
  static std::vector<actord::About> about();
};
ACTORD_FIELDS(ChaosConfig, throws)

struct BankConfig {
  std::uint32_t accounts = 10;
  std::int64_t opening = 1000;
  std::uint64_t transfers = 0;
  std::chrono::nanoseconds interval = std::chrono::milliseconds{1};
  ChaosConfig chaos;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(BankConfig, accounts, opening, transfers, interval, chaos)

class Bank : public actord::Actor {
 public:
  using Config = BankConfig;
  static constexpr std::string_view doc =
      "Accounts whose money outlives the process, and transfers between them that always end.";

  explicit Bank(const Config& config) : config_(config) {}

  void pre_start(actord::Context& ctx) override;
  void next_transfer(actord::Context& ctx, const NextTransfer& tick);
  void accepted(actord::Context& ctx, const TransferAccepted& answer);
  void transfer(actord::Context& ctx, const Transfer& wanted);
  void audit(actord::Context& ctx, const Audit& question);

  using Receive =
      actord::Handlers<&Bank::next_transfer, &Bank::accepted, &Bank::transfer, &Bank::audit>;

 private:
  /// An audit whose answers are not all there.
  struct OpenAudit {
    std::vector<actord::Ref> askers;
    Audited found;
    std::size_t awaited = 0;  // answers
  };

  void balance(actord::Context& ctx, const actord::Reply<Balance>& reply);
  void totals(actord::Context& ctx, const actord::Reply<TransferTotals>& reply);
  void answer_came(actord::Context& ctx, bool is_there);
  std::string random_account(actord::Context& ctx) const;

  const Config config_;
  std::vector<actord::Ref> accounts_;
  actord::Ref transfers_;
  std::uint64_t made_ = 0;
  std::optional<OpenAudit> audit_;
};

}  // namespace bank
