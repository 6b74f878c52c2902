// SPDX-License-Identifier: Apache-2.0
//
// What a reload is asked for, and what comes of it.
//
// Not here: how it is done (reload.hpp), and how the asker hears of it (admin_verbs.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/exit_codes.hpp"
#include "hocon/diagnostic.hpp"
#include "wire/control_message.hpp"

namespace actord::app {

struct ReloadRequest {
  bool is_dry_run = false;      // tell what it would do, and do nothing
  bool all_or_nothing = false;  // do nothing either if part of it has to wait for a restart
  bool is_forced = false;       // do it although nothing has changed
  std::string asked_by;         // "SIGHUP", "root (pid 4711)": for the log
};

struct ReloadReport {
  enum class Outcome : std::uint8_t { applied, unchanged, planned, rejected, busy };

  Outcome outcome = Outcome::applied;
  bool is_forced = false;            // nothing has changed, and without force nothing is done then
  ExitCode code = ExitCode::ok;      // what actorctl exits with
  std::string reason;                // of rejected and busy, one sentence
  std::uint64_t generation = 0;      // of the configuration that holds now
  wire::Json plan;                   // as settings::json_of(Plan) tells it; null: there is none
  std::vector<std::string> pending;  // keys that wait for a restart of actord, old ones too
  std::vector<std::string> lost;     // configured actors that could not be created
  std::vector<std::string> late;     // actors that had not taken it over when patience ended
  std::int64_t duration_ms = 0;
  hocon::Diagnostics findings;  // errors and warnings of what was read
};

}  // namespace actord::app
