// SPDX-License-Identifier: Apache-2.0
//
// Does the work: counts up to the total, a few at a time, and tells the listener how far it is. It
// is the counter service's supervisor.
#pragma once

#include <actord/actord.hpp>

#include <chrono>
#include <optional>

#include "counter_service.hpp"
#include "store_messages.hpp"

namespace data_store {

struct WorkerSettings {
  std::int64_t total = 0;
  std::int64_t step = 0;  // increments each time
  std::chrono::nanoseconds interval{};
  ServiceSettings service;
};

class Worker : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Counts up to the total and reports progress.";
  /// A service that is not available is stopped.
  static actord::Strategy supervision();

  Worker(actord::Context& ctx, const WorkerSettings& settings);

  void start(actord::Context& ctx, const Start& m);
  void work(actord::Context& ctx, const Do& m);
  void incremented(actord::Context& ctx, const actord::Reply<CurrentCount>& reply);
  void counted(actord::Context& ctx, const actord::Reply<CurrentCount>& reply);
  void terminated(actord::Context& ctx, const actord::Terminated& m);

  using Receive = actord::Handlers<&Worker::start, &Worker::work, &Worker::terminated>;

 private:
  WorkerSettings settings_;
  actord::Ref service_;
  actord::Ref listener_;               // none: not started
  std::optional<std::int64_t> count_;  // as heard last
  std::int64_t unanswered_ = 0;        // increments
  std::uint64_t refused_ = 0;
};

}  // namespace data_store
