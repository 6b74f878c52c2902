// SPDX-License-Identifier: Apache-2.0
//
// The worker: counts up to the total in steps, and sends its progress to the listener. It is the
// supervisor of the counter service.
#pragma once

#include <actord/actord.hpp>

#include <chrono>
#include <optional>

#include "counter_service.hpp"
#include "store_messages.hpp"

namespace data_store {

/// What keeps the count.
enum class StoredIn {
  file,     // the counter service, in an SQLite file of its own
  journal,  // the journal of actord
};
ACTORD_ENUM(StoredIn, file, journal)

struct WorkerSettings {
  std::int64_t total = 0;
  std::int64_t step = 0;  // increments per interval
  std::chrono::nanoseconds interval{};
  StoredIn stored_in = StoredIn::file;
  ServiceSettings service;
};

class Worker : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Counts up to the total and reports progress.";
  /// A service that fails with ServiceUnavailable is stopped.
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
  actord::Ref listener_;               // empty: not started
  std::optional<std::int64_t> count_;  // from the last answer
  std::int64_t unanswered_ = 0;        // increments without an answer yet
  std::uint64_t refused_ = 0;
};

}  // namespace data_store
