// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "config/configured_keys.hpp"
#include "ctl/configuration_choice.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"
#include "layers/layers.hpp"
#include "wire/control_message.hpp"

namespace actord::ctl {

namespace {

std::vector<std::string> paths_of(const config::Configuration& configuration) {
  std::vector<std::string> paths;
  for (config::ConfiguredActor& each : config::configured_actors(configuration.settings.user))
    paths.push_back(std::move(each.path));
  return paths;
}

/// Loads no plugin and fetches no secret: completion calls it while the operator types.
Exit keys(const Call& call) {
  auto options = chosen_options(call, call.operands);
  if (!options) return Exit::usage;
  if (is_built_in(call, call.operands)) options->config_files.clear();
  const auto draft = config::read_draft(std::move(*options), layers::SecretUse::ignored);
  if (!draft) {
    const Exit exit = exit_of(draft.error().code);
    return report_failure(call, failure_of(exit, draft.error().findings));
  }
  const bool lists_actors = call.has("actors");
  const std::vector<std::string> names =
      lists_actors ? paths_of(draft->configuration)
                   : config::configured_keys(draft->configuration.settings.tree);
  if (!call.is_json()) {
    for (const std::string& name : names) call.out << name << '\n';
  }
  return conclude(call, {{lists_actors ? "actors" : "keys", names}}, {});
}

}  // namespace

Verb keys_verb() {
  Verb verb{
      .group = "config",
      .name = "keys",
      .summary = "list the keys of actord and of a configuration, or its actors",
      .description =
          "Lists the keys and sections of actord, and those that the configuration sets,\n"
          "one line each, as config explain takes them. Keys that contain a name which\n"
          "the operator chooses, such as that of an actor, are listed if they are set.\n"
          "No plugin is loaded: the keys that a plugin declares are those of its config\n"
          "in config explain. Completion in shells uses this verb. Errors are reported\n"
          "only if nothing can be read because of them; check reports all.",
      .operands = {{.name = "FILE", .takes = Takes::file, .is_needed = false, .repeats = true}},
      .options = configuration_options(),
      .run = &keys};
  verb.options.push_back(
      {.name = "actors", .help = "list the paths of the configured actors instead"});
  verb.options.push_back(output_option());
  return verb;
}

}  // namespace actord::ctl
