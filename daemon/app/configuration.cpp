// SPDX-License-Identifier: Apache-2.0
#include "app/configuration.hpp"

#include "settings/reference.hpp"

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

base::Result<Configuration, BootError> read_configuration(options::Options options) {
  hocon::Source source;
  source.set_environment(hocon::process_environment());
  source.add_text(std::string{settings::reference_name}, std::string{settings::reference_text()});
  if (const auto added = source.add_file(options.config_file); !added) {
    return boot_error(exit_code_of(added.error().reason), {added.error().diagnostic});
  }
  for (const options::Override& over : options.overrides) {
    source.add_override(over.assignment, over.origin);
  }

  const auto tree = source.resolve();
  if (!tree) return boot_error(ExitCode::config_wrong, tree.error());
  auto settings = settings::read_settings(*tree);
  if (!settings) return boot_error(ExitCode::config_wrong, settings.error());
  return Configuration{std::move(options), std::move(*settings)};
}

hocon::Diagnostics warnings_of(const Configuration& configuration) {
  hocon::Diagnostics all = configuration.settings.tree.warnings();
  const hocon::Diagnostics& more = configuration.settings.warnings;
  all.insert(all.end(), more.begin(), more.end());
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
