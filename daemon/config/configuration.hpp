// SPDX-License-Identifier: Apache-2.0
//
// The command line and the configuration that it selects.
#pragma once

#include "base/result.hpp"
#include "config/boot_error.hpp"
#include "layers/layers.hpp"
#include "options/command_line.hpp"
#include "settings/settings.hpp"

namespace actord::config {

struct Configuration {
  options::Options options;
  settings::Settings settings;
  std::vector<layers::LayerFile> files;  // files that were looked for, in the order of the layers
  hocon::Diagnostics file_warnings;      // warnings about those files
  layers::SecretUse secrets = layers::SecretUse::needed;
};

/// The layers of a configuration: reference.conf, what the options name, and the environment of
/// this process.
layers::LayerOptions layer_options_of(const options::Options& options);

/// The exit status if these layers cannot be resolved.
ExitCode exit_code_of(const layers::LayeredSource& layered);

/// A configuration as far as it can be read. If it has errors, it is only checked and never run.
struct ConfigDraft {
  Configuration configuration;
  hocon::Diagnostics errors;  // errors found so far
};

/// Gathers, resolves and checks the layers, and continues after errors where possible. Returns an
/// error if no configuration can be read at all.
base::Result<ConfigDraft, BootError> read_draft(
    options::Options options, layers::SecretUse secrets = layers::SecretUse::needed);

/// Like read_draft(), but every error makes it fail.
base::Result<Configuration, BootError> read_configuration(
    options::Options options, layers::SecretUse secrets = layers::SecretUse::needed);

/// All warnings: settings that are valid but probably unintended; included files that do not exist;
/// files that every user may change, or that hold secrets and every user may read. Warnings about
/// secrets that only plugins declare are included after fetch_plugin_secrets()
/// (plugin_secrets.hpp).
hocon::Diagnostics warnings_of(const Configuration& configuration);

/// The files that were read, in order, without the built-in reference.conf.
std::vector<std::string> files_read(const Configuration& configuration);

}  // namespace actord::config
