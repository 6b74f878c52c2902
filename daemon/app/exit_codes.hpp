// SPDX-License-Identifier: Apache-2.0
//
// How the daemon ends, for service managers and scripts: sysexits(3) where it has a word for it.
//
// systemd does not try again after 64, 65, 66, 77 and 78 (systemd/actord.service): it would change
// nothing.
#pragma once

#include <cstdint>

namespace actord::app {

enum class ExitCode : std::uint8_t {
  ok = 0,               // it was asked to stop and has stopped in order; or --check found no fault
  command_line = 64,    // an option that does not exist, or a value that it does not take
  plugin_refused = 65,  // a file that is no plugin for this daemon
  config_missing = 66,  // a configuration file that does not exist
  guardian_stopped = 69,  // after READY: what an actor escalated, no guardian could judge
  internal = 70,          // the root failed, or an assertion of ours (core/base/assert.hpp)
  operating_system = 71,  // the system refused what has nothing to do with permission
  boot_failed = 75,       // a configured actor could not be created; trying again may help
  not_permitted = 77,     // a file or folder that may not be read or written
  config_wrong = 78       // every other fault of the configuration
};

/// The way out on a second signal: as a shell reports a process that the signal has ended.
constexpr int exit_status_of_signal(int signal) noexcept { return 128 + signal; }

}  // namespace actord::app
