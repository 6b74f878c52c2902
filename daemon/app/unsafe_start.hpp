// SPDX-License-Identifier: Apache-2.0
//
// Warns of what gives others more power than they need. actord starts all the same: it cannot know
// what the operator accepts.
//
// Not here: files whose owners decide whether actord starts (loader/plugin_trust.hpp).
#pragma once

#include <string>

namespace actord::log {
class Hub;
}  // namespace actord::log

namespace actord::app {

/// Logs `daemon.unsafe` if systemd runs actord as root, and if other users own the state directory
/// or may write to it. Called once, when the directory exists.
void log_unsafe_start(log::Hub& hub, const std::string& state_directory);

}  // namespace actord::app
