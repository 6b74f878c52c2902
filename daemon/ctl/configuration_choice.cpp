// SPDX-License-Identifier: Apache-2.0
#include "ctl/configuration_choice.hpp"

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "config/plugin_secrets.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"
#include "hocon/secrets.hpp"
#include "settings/readable_part.hpp"
#include "settings/unread_values.hpp"

namespace actord::ctl {

std::optional<options::Options> chosen_options(const Call& call,
                                               const std::vector<std::string>& files) {
  if (!files.empty() && call.has("config")) {
    call.err << "actorctl: name the configuration after the verb or with --config, not both\n";
    return std::nullopt;
  }
  options::Options options;
  options.task = options::Options::Task::check;
  options.config_files = files.empty() ? call.values("config") : files;
  if (options.config_files.empty()) options.config_files = {std::string{standard_file}};
  options.drop_ins = !call.has("no-drop-ins");
  options.plugin_path = call.values("plugin-path");
  const std::vector<std::string> assignments = call.values("set");
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == assignment.npos || equals == 0) {
      call.err << "actorctl: --set needs KEY=VALUE, not \"" << assignment
               << "\"\n  as in --set actord.log.level=debug\n";
      return std::nullopt;
    }
    const std::size_t number = options.overrides.size() + 1;
    options.overrides.push_back(
        {assignment, assignments.size() == 1 ? "--set" : "--set #" + std::to_string(number)});
  }
  return options;
}

bool is_built_in(const Call& call, const std::vector<std::string>& files) {
  std::error_code ignored;
  return files.empty() && !call.has("config") &&
         std::filesystem::status(standard_file, ignored).type() ==
             std::filesystem::file_type::not_found;
}

bool conflicts_with_running(const Call& call, std::string_view verb,
                            const std::vector<std::string>& files) {
  if (!call.has("running")) return false;
  const std::vector<Option> choices = configuration_options();
  const auto choice = std::find_if(choices.begin(), choices.end(),
                                   [&](const Option& option) { return call.has(option.name); });
  if (files.empty() && choice == choices.end()) return false;
  const std::string which = files.empty() ? "--" + std::string{choice->name} : files.front();
  call.err << "actorctl " << verb << ": --running and " << which
           << " cannot be combined\n"
              "  the running daemon has its own configuration; leave one of the two out\n";
  return true;
}

Exit exit_of(config::ExitCode code) noexcept { return static_cast<Exit>(code); }

namespace {

std::optional<config::ConfigDraft> read(const Call& call, Exit& exit,
                                        const std::vector<std::string>& files) {
  auto options = chosen_options(call, files);
  if (!options) return exit = Exit::usage, std::nullopt;
  if (is_built_in(call, files)) {
    options->config_files.clear();
    call.err << "note: there is no " << standard_file << ": showing the built-in defaults\n";
  }
  auto draft = config::read_draft(std::move(*options), layers::SecretUse::ignored);
  if (!draft) {
    exit = exit_of(draft.error().code);
    report_failure(call, failure_of(exit, draft.error().findings));
    return std::nullopt;
  }
  return std::move(draft).value();
}

}  // namespace

std::optional<config::ConfigDraft> read_draft_to_show(const Call& call, Exit& exit,
                                                      const std::vector<std::string>& files) {
  auto draft = read(call, exit, files);
  if (!draft) return std::nullopt;
  settings::Settings& settings = draft->configuration.settings;
  const bool is_wrong = !draft->errors.empty();
  if (is_wrong) settings = settings::readable_part(std::move(settings));
  config::fetch_plugin_secrets(draft->configuration);
  if (is_wrong) settings.tree.make_secret(settings::unread_values(settings));
  return draft;
}

std::optional<config::Configuration> read_chosen(const Call& call, Exit& exit,
                                                 const std::vector<std::string>& files) {
  auto draft = read(call, exit, files);
  if (!draft) return std::nullopt;
  if (draft->errors.empty()) {
    config::fetch_plugin_secrets(draft->configuration);
    return std::move(draft->configuration);
  }
  exit = Exit::config_wrong;
  report_failure(call, failure_of(exit, draft->errors));
  return std::nullopt;
}

}  // namespace actord::ctl
