// SPDX-License-Identifier: Apache-2.0
//
// The supervisor of counter and storage. It restarts a storage that fails, at most 3 times in 5 s;
// beyond that the storage is stopped. The service watches the storage, waits, and creates another
// one. While there is no storage, commands wait in a bounded backlog, and the counter answers
// questions.
#pragma once

#include <actord/actord.hpp>

#include <chrono>

#include "storage.hpp"
#include "store_messages.hpp"

namespace data_store {

/// What happens to a command when the backlog is full.
enum class OnOverflow {
  refuse,  // the command is answered with ServiceUnavailable
  fail,    // the same, and the service fails with ServiceUnavailable
};
ACTORD_ENUM(OnOverflow, refuse, fail)

struct ServiceSettings {
  StorageSettings storage;
  std::chrono::nanoseconds reconnect_after{};
  std::uint32_t backlog_max = 0;
  OnOverflow on_overflow = OnOverflow::refuse;
};

class CounterService : public actord::Actor {
 public:
  static constexpr std::string_view doc = "A counter whose storage may stop and be replaced.";
  static actord::Strategy supervision();

  explicit CounterService(const ServiceSettings& settings) : settings_(settings) {}

  /// Throws ServiceUnavailable if the backlog is full and on_overflow is `fail`.
  void increment(actord::Context& ctx, const Increment& m);
  void current(actord::Context& ctx, const GetCurrentCount& m);
  void entry(actord::Context& ctx, const Entry& m);
  void terminated(actord::Context& ctx, const actord::Terminated& m);
  void reconnect(actord::Context& ctx, const Reconnect& m);

  using Receive =
      actord::Handlers<&CounterService::increment, &CounterService::current, &CounterService::entry,
                       &CounterService::terminated, &CounterService::reconnect>;

 private:
  void pre_start(actord::Context& ctx) override;

  void connect(actord::Context& ctx);
  void refuse(actord::Context& ctx);

  ServiceSettings settings_;
  actord::Ref storage_;  // empty: the storage has stopped
  actord::Ref counter_;  // empty: no storage has answered yet
  bool is_connected_ = false;
  std::uint32_t backlog_ = 0;  // commands in the stash
  std::chrono::nanoseconds lost_at_{};
};

}  // namespace data_store
