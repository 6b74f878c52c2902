// SPDX-License-Identifier: Apache-2.0
//
// Looks at the folders, files, ports and URLs that the configs of actors name, before an actor is
// created. Nothing is opened, created or bound.
//
// Not here: which values name what (settings/resources.hpp).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hocon/diagnostic.hpp"
#include "os/as_user.hpp"
#include "os/listeners.hpp"
#include "settings/resources.hpp"

namespace actord::config {

/// For whom resources are judged. By default for this process, and without ports.
struct Onlooker {
  /// Judges as this user, which only root may.
  std::optional<os::UserIds> user;
  /// The user whom actord will run as, if this process can neither be nor become that user. What
  /// exists is then not judged, and a note says so. Empty: there is none.
  std::string unjudged_user;
  /// The state directory of that user's actord; empty: it is not judged, because it is not known or
  /// the service manager creates it. nullopt: that of the settings.
  std::optional<std::string> state_directory;
  /// Whether the running daemon has that port for the same key; `key` is the path of the value.
  /// Empty: ports are not looked at.
  std::function<bool(const hocon::Value& port, const os::Listener&)> is_held_by_daemon;
};

struct ResourceFindings {
  hocon::Diagnostics wrong;      // missing, of another kind, malformed
  hocon::Diagnostics forbidden;  // the user lacks a permission
  hocon::Diagnostics warnings;   // ports in use, and what could not be judged
};

ResourceFindings look_at(const std::vector<settings::Resource>& resources,
                         const std::string& own_state_directory, const Onlooker& onlooker);

}  // namespace actord::config
