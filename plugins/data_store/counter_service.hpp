// SPDX-License-Identifier: Apache-2.0
//
// Keeps counter and storage together. The storage is restarted when it fails, at most 3 times in
// 5 s, and then stopped; the service watches it, waits, and makes another one. Commands wait
// meanwhile in a bounded backlog; questions are answered by the counter, which goes on.
#pragma once

#include <actord/actord.hpp>

#include <chrono>

#include "storage.hpp"
#include "store_messages.hpp"

namespace data_store {

enum class OnOverflow {
  refuse,  // the command is answered with ServiceUnavailable
  fail,    // that, and the service fails with it
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
  static constexpr std::string_view doc = "A counter whose storage may come and go.";
  static actord::Strategy supervision();

  explicit CounterService(const ServiceSettings& settings) : settings_(settings) {}

  /// Throws ServiceUnavailable if there are too many and on_overflow says so.
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
  actord::Ref storage_;  // none: lost
  actord::Ref counter_;  // none: the storage has not yet said where to begin
  bool is_connected_ = false;
  std::uint32_t backlog_ = 0;  // commands in the stash
  std::chrono::nanoseconds lost_at_{};
};

}  // namespace data_store
