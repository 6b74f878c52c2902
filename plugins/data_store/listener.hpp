// SPDX-License-Identifier: Apache-2.0
//
// The top-level actor: starts the work, gets its progress, and stops it when it is complete, or
// when there was no progress for too long.
#pragma once

#include <actord/actord.hpp>

#include <chrono>
#include <string>
#include <vector>

#include "store_worker.hpp"

namespace data_store {

struct FaultsConfig {
  std::vector<std::int64_t> fail_between;
  bool unavailable = false;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(FaultsConfig, fail_between, unavailable)

struct ListenerConfig {
  std::int64_t total = 51;
  std::int64_t step = 3;
  std::chrono::nanoseconds interval = std::chrono::seconds{1};
  std::chrono::nanoseconds silence = std::chrono::seconds{15};
  std::chrono::nanoseconds reconnect_after = std::chrono::seconds{10};
  std::uint32_t backlog = 10'000;
  OnOverflow on_overflow = OnOverflow::refuse;
  StoredIn stored_in = StoredIn::file;
  std::string file = "counts.sqlite";
  FaultsConfig faults;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(ListenerConfig, total, step, interval, silence, reconnect_after, backlog, on_overflow,
              stored_in, file, faults)

class Listener : public actord::Actor {
 public:
  using Config = ListenerConfig;
  static constexpr std::string_view doc =
      "Starts a worker that counts up to a total in a storage that may fail, and logs its "
      "progress.";
  /// A failure that the worker does not handle escalates: the restarted listener goes on from the
  /// saved count.
  static actord::Strategy supervision();

  /// Rejects a range of failures that is none.
  static void validate(const Config& config, actord::Findings& findings);

  explicit Listener(const Config& config) : config_(config) {}

  void progress(actord::Context& ctx, const Progress& m);
  void silent(actord::Context& ctx, const actord::ReceiveTimeout& m);

  using Receive = actord::Handlers<&Listener::progress, &Listener::silent>;

 private:
  void pre_start(actord::Context& ctx) override;

  Config config_;
  Progress last_;
};

}  // namespace data_store
