// SPDX-License-Identifier: Apache-2.0
#include "app/configuration.hpp"

#include "os/process.hpp"
#include "settings/config_lines.hpp"
#include "settings/reference.hpp"
#include "settings/schema.hpp"

namespace actord::app {

namespace {

ExitCode exit_code_of(hocon::FileError::Reason reason) {
  switch (reason) {
    case hocon::FileError::Reason::missing: return ExitCode::config_missing;
    case hocon::FileError::Reason::not_permitted: return ExitCode::not_permitted;
    case hocon::FileError::Reason::unreadable: break;
  }
  return ExitCode::config_wrong;
}

}  // namespace

layers::Wishes wishes_of(const options::Options& options) {
  layers::Wishes wishes;
  wishes.built_in_name = settings::reference_name;
  wishes.built_in_text = settings::reference_text();
  wishes.files = options.config_files;
  wishes.drop_ins = options.drop_ins;
  for (const options::Override& over : options.overrides)
    wishes.assignments.push_back({over.assignment, over.origin});
  wishes.environment = os::environment();
  for (const settings::SettingKey& key : settings::schema()) {
    if (key.is_secret) wishes.secret_keys.push_back(key.path);
  }
  return wishes;
}

base::Result<Configuration, BootError> read_configuration(options::Options options,
                                                          layers::SecretUse secrets) {
  layers::Wishes wishes = wishes_of(options);
  wishes.secrets = secrets;
  layers::Layered layered = layers::gather(wishes);
  const auto tree = layered.source.resolve();
  if (!tree) {
    const ExitCode code = layered.failure ? exit_code_of(*layered.failure) : ExitCode::config_wrong;
    return boot_error(code, tree.error());
  }
  settings::ReadOptions reading;
  if (options.allow_unknown) reading.unknown_keys = settings::UnknownKeys::warned_of;
  auto settings = settings::read_settings(*tree, reading);
  if (!settings) {
    hocon::Diagnostics errors = std::move(settings).error();
    settings::hide_config_lines(errors, *tree);
    return boot_error(ExitCode::config_wrong, std::move(errors));
  }
  return Configuration{std::move(options), std::move(*settings), std::move(layered.files),
                       std::move(layered.warnings), secrets};
}

hocon::Diagnostics warnings_of(const Configuration& configuration) {
  hocon::Diagnostics all = configuration.file_warnings;
  const hocon::Diagnostics open = layers::open_secrets(configuration.settings.tree);
  for (const hocon::Diagnostics* more :
       {&open, &configuration.settings.tree.warnings(), &configuration.settings.warnings})
    all.insert(all.end(), more->begin(), more->end());
  return all;
}

std::vector<std::string> files_read(const Configuration& configuration) {
  std::vector<std::string> names;
  for (const hocon::LoadedFile& file : configuration.settings.tree.files()) {
    if (file.state == hocon::LoadedFile::State::loaded && file.name != settings::reference_name) {
      names.push_back(file.name);
    }
  }
  return names;
}

}  // namespace actord::app
