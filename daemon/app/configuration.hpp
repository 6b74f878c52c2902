// SPDX-License-Identifier: Apache-2.0
//
// What the operator has asked for: the command line, and the configuration that it leads to.
#pragma once

#include "app/boot_error.hpp"
#include "base/result.hpp"
#include "options/command_line.hpp"
#include "settings/binding.hpp"
#include "settings/settings.hpp"

namespace actord::app {

struct Configuration {
  options::Options options;
  settings::Settings settings;
};

/// Merges reference.conf, the file and the overrides in this order, resolves and checks them.
/// Warnings are in the settings.
base::Result<Configuration, BootError> read_configuration(options::Options options);

/// What may be meant so and is probably not; files that an include names and nobody has.
hocon::Diagnostics warnings_of(const Configuration& configuration);

/// The files that were read, in order, without the built-in one.
std::vector<std::string> files_read(const Configuration& configuration);

}  // namespace actord::app
