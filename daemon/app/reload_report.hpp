// SPDX-License-Identifier: Apache-2.0
//
// The request for a reload, and its result.
//
// Not here: how a reload works (reload.hpp), and how the report reaches the client
// (admin_verbs.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "admin/peer_fields.hpp"
#include "config/exit_codes.hpp"
#include "hocon/diagnostic.hpp"
#include "wire/control_message.hpp"

namespace actord::app {

struct ReloadRequest {
  bool is_dry_run = false;      // only plan; change nothing
  bool all_or_nothing = false;  // reject the reload if a changed value needs a restart of actord
  // carry it out even if nothing has changed, and start actors that have ended in peace
  bool is_forced = false;
  // Unless a client confirms it within this time, the configuration before comes back; 0: it stays.
  std::chrono::milliseconds confirm_within{0};
  // read no files: the configuration before this one is wanted
  bool takes_back = false;
  std::string asked_by;  // "SIGHUP", "root (pid 4711)"; for the log
  // the client, or the sender of the signal; nullopt: the kernel sent it
  std::optional<admin::PeerFields> peer = {};
};

struct ReloadReport {
  /// retried: the configuration is unchanged, and actors that were not running were started again.
  enum class Outcome : std::uint8_t { applied, unchanged, retried, planned, rejected, busy };

  Outcome outcome = Outcome::applied;
  // nothing had changed, and the reload was carried out only because it was forced
  bool is_forced = false;
  config::ExitCode code = config::ExitCode::ok;  // exit status of actorctl
  std::string reason;                            // one sentence; empty if nothing went wrong
  std::uint64_t generation = 0;                  // number of the configuration in effect
  wire::Json plan;  // form: settings::json_of(Plan); null: there is no plan
  // all keys that wait for a restart of actord, also from earlier reloads
  std::vector<std::string> pending;
  std::vector<std::string> lost;  // configured actors that could not be created
  std::vector<std::string> late;  // actors that had not taken it over when the time limit ended
  std::int64_t duration_ms = 0;
  std::chrono::milliseconds confirm_within{0};  // the time in which it is to be confirmed
  hocon::Diagnostics findings;  // errors and warnings of the configuration that was read
};

}  // namespace actord::app
