// SPDX-License-Identifier: Apache-2.0
//
// Exit statuses of the daemon, for service managers and scripts. They follow sysexits(3) where it
// defines one.
//
// systemd does not restart actord after 64, 65, 66, 77 and 78 (systemd/actord.service), because a
// restart would fail again.
#pragma once

#include <cstdint>

namespace actord::config {

enum class ExitCode : std::uint8_t {
  ok = 0,               // a requested stop has completed; or --check found no error
  command_line = 64,    // unknown option, or a value that the option does not accept
  plugin_refused = 65,  // a plugin file that this daemon cannot load
  config_missing = 66,  // a configuration file does not exist
  actors_stopped =
      69,  // after READY: a guardian failed; or an actor is lost (on-actor-lost = exit)
  // the root guardian failed, an internal assertion (core/base/assert.hpp), code of a plugin called
  // exit(), or actors did not stop in time
  internal = 70,
  operating_system = 71,  // a system call failed for another reason than permission
  boot_failed = 75,       // an actor cannot be created, or another actord runs; a retry may help
  not_permitted = 77,     // a file or directory may not be read or written
  // any other error in the configuration, or a state directory that this version cannot read
  config_wrong = 78
};

/// Exit status after a second stop signal: the one that a shell reports for a process ended by
/// `signal`.
constexpr int exit_status_of_signal(int signal) noexcept { return 128 + signal; }

}  // namespace actord::config
