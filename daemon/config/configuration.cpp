// SPDX-License-Identifier: Apache-2.0
#include "config/configuration.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "os/process.hpp"
#include "schema/reference.hpp"
#include "schema/schema.hpp"
#include "schema/setting_codes.hpp"
#include "settings/findings.hpp"
#include "settings/secret_values.hpp"

namespace actord::config {

namespace {

bool is_any_about(const hocon::Diagnostics& errors, std::string_view code) {
  return std::ranges::any_of(errors,
                             [&](const hocon::Diagnostic& each) { return each.code == code; });
}

bool are_about_secrets(const hocon::Diagnostics& errors) {
  return std::ranges::all_of(
      errors, [](const hocon::Diagnostic& each) { return each.code == hocon::codes::secret; });
}

}  // namespace

layers::LayerOptions layer_options_of(const options::Options& options) {
  layers::LayerOptions layer_options;
  layer_options.built_in_name = schema::reference_name;
  layer_options.built_in_text = schema::reference_text();
  layer_options.files = options.config_files;
  layer_options.drop_ins = options.drop_ins;
  for (const options::Override& over : options.overrides)
    layer_options.assignments.push_back({over.assignment, over.origin});
  layer_options.environment = os::environment();
  for (const schema::SettingKey& key : schema::keys()) {
    if (key.is_secret) layer_options.secret_keys.emplace_back(key.path);
  }
  return layer_options;
}

ExitCode exit_code_of(const layers::LayeredSource& layered) {
  switch (layered.failure.value_or(hocon::FileError::Reason::unreadable)) {
    case hocon::FileError::Reason::missing: return ExitCode::config_missing;
    case hocon::FileError::Reason::not_permitted: return ExitCode::not_permitted;
    case hocon::FileError::Reason::unreadable: break;
  }
  return ExitCode::config_wrong;
}

base::Result<ConfigDraft, BootError> read_draft(options::Options options,
                                                layers::SecretUse secrets) {
  layers::LayerOptions layer_options = layer_options_of(options);
  layer_options.secrets = secrets;
  layers::LayeredSource layered = layers::gather(layer_options);
  auto tree = layered.source.resolve();
  hocon::Diagnostics errors;
  // Goes on without the secrets, to find further errors.
  if (!tree && are_about_secrets(tree.error())) {
    errors = tree.error();
    layer_options.secrets = layers::SecretUse::ignored;
    layered = layers::gather(layer_options);
    tree = layered.source.resolve();
  }
  if (!tree) return boot_error(exit_code_of(layered), errors.empty() ? tree.error() : errors);
  settings::ReadOptions reading;
  if (options.allow_unknown) reading.unknown_keys = settings::UnknownKeys::warnings;
  settings::Reading read = settings::read_as_far_as_possible(*tree, reading);
  if (!errors.empty()) settings::drop_findings_at(settings::secrets_in(*tree), read.errors);
  errors.insert(errors.end(), read.errors.begin(), read.errors.end());
  // Stop if a secret is the value of a key that is shown, such as a name. A later check would
  // report that the name does not exist.
  if (is_any_about(errors, schema::codes::shown_secret))
    return boot_error(ExitCode::config_wrong, settings::in_order(std::move(errors)));
  return ConfigDraft{{std::move(options), std::move(read.settings), std::move(layered.files),
                      std::move(layered.warnings), secrets},
                     settings::in_order(std::move(errors))};
}

base::Result<Configuration, BootError> read_configuration(options::Options options,
                                                          layers::SecretUse secrets) {
  auto draft = read_draft(std::move(options), secrets);
  if (!draft) return std::move(draft).error();
  if (!draft->errors.empty()) return boot_error(ExitCode::config_wrong, draft->errors);
  return std::move(draft->configuration);
}

hocon::Diagnostics warnings_of(const Configuration& configuration) {
  hocon::Diagnostics all;
  // A secret that is used twice is fetched twice, with the same warning.
  std::set<std::tuple<std::string_view, unsigned, unsigned, std::string_view>> known;
  const hocon::Diagnostics readable = layers::world_readable_secrets(configuration.settings.tree);
  for (const hocon::Diagnostics* more :
       {&configuration.file_warnings, &readable, &configuration.settings.tree.warnings(),
        &configuration.settings.warnings}) {
    for (const hocon::Diagnostic& each : *more) {
      if (known.insert({each.file, each.line, each.column, each.message}).second)
        all.push_back(each);
    }
  }
  return all;
}

std::vector<std::string> files_read(const Configuration& configuration) {
  std::vector<std::string> names;
  for (const hocon::LoadedFile& file : configuration.settings.tree.files()) {
    if (file.state == hocon::LoadedFile::State::loaded && file.name != schema::reference_name) {
      names.push_back(file.name);
    }
  }
  return names;
}

}  // namespace actord::config
