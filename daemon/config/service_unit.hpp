// SPDX-License-Identifier: Apache-2.0
//
// What the installed actord.service says of the process that it starts.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace actord::config {

struct ServiceUnit {
  std::string user;             // User=; empty: root
  std::string state_directory;  // StateDirectory= as a path; empty: there is none
  std::string command;          // the last ExecStart=

  /// Whether the service is started with that file, an absolute path.
  bool starts_with(const std::string& config_file) const;
};

/// Reads the unit and its drop-ins where systemd looks for them (systemd.unit(5)), below `root`.
/// nullopt: it is not installed. Specifiers such as %i are not replaced.
std::optional<ServiceUnit> installed_unit(const std::string& root = {});

/// The installed unit, if it starts the service with the first of these files; else nullopt.
std::optional<ServiceUnit> unit_of(const std::vector<std::string>& config_files);

}  // namespace actord::config
