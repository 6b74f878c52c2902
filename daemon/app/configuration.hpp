// SPDX-License-Identifier: Apache-2.0
//
// What the operator has asked for: the command line, and the configuration that it leads to.
#pragma once

#include "app/boot_error.hpp"
#include "base/result.hpp"
#include "layers/layers.hpp"
#include "options/command_line.hpp"
#include "settings/binding.hpp"
#include "settings/settings.hpp"

namespace actord::app {

struct Configuration {
  options::Options options;
  settings::Settings settings;
  std::vector<layers::LookedAt> files;  // that were looked at, in the order of the layers
  hocon::Diagnostics file_warnings;     // about those files
  layers::SecretUse secrets = layers::SecretUse::needed;
};

/// Where the layers of a configuration come from: reference.conf, what the options name, and this
/// process's environment.
layers::LayerOptions layer_options_of(const options::Options& options);

/// What actord ends with when these layers cannot be resolved.
ExitCode exit_code_of(const layers::Layered& layered);

/// A configuration as far as it can be read.
struct ConfigDraft {
  Configuration configuration;
  hocon::Diagnostics errors;  // all that is wrong so far; with one it is only to be looked at
};

/// Gathers the layers, resolves and checks them, on and on. An error leaves nothing to look at.
base::Result<ConfigDraft, BootError> read_draft(
    options::Options options, layers::SecretUse secrets = layers::SecretUse::needed);

/// The same of one without errors.
base::Result<Configuration, BootError> read_configuration(
    options::Options options, layers::SecretUse secrets = layers::SecretUse::needed);

/// What may be meant so and is probably not; files that an include names and nobody has, or that
/// everybody may change, or read where secrets are in them. What is odd about secrets that only
/// plugins know of is among it when those are settled (plugin_secrets.hpp).
hocon::Diagnostics warnings_of(const Configuration& configuration);

/// The files that were read, in order, without the built-in one.
std::vector<std::string> files_read(const Configuration& configuration);

}  // namespace actord::app
