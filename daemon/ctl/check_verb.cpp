// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "config/check.hpp"
#include "config/json_forms.hpp"
#include "ctl/configuration_choice.hpp"
#include "ctl/findings_text.hpp"
#include "ctl/json_output.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

struct Outcome {
  Exit exit = Exit::ok;
  hocon::Diagnostics findings;
};

void note_error(Outcome& outcome, const config::BootError& error) {
  outcome.exit = exit_of(error.code);
  outcome.findings.insert(outcome.findings.end(), error.findings.begin(), error.findings.end());
}

Outcome check_chosen(const Call& call, options::Options options) {
  Outcome outcome;
  const bool alone = call.has("no-environment");
  options.user = call.value("user");
  const auto draft =
      config::read_draft(std::move(options), alone ? layers::SecretUse::ignored
                                                   : layers::SecretUse::optional_credentials);
  if (!draft) return note_error(outcome, draft.error()), outcome;
  const auto reach = alone ? config::Reach::text : config::Reach::environment;
  const auto checked = config::check(*draft, reach);
  if (!checked) note_error(outcome, checked.error());
  const hocon::Diagnostics warnings =
      checked ? *checked : config::warnings_of(draft->configuration);
  outcome.findings.insert(outcome.findings.end(), warnings.begin(), warnings.end());
  if (call.has("strict") && outcome.exit == Exit::ok && config::has_warnings(warnings))
    outcome.exit = Exit::config_wrong;
  return outcome;
}

void print_outcome(const Call& call, const Outcome& outcome) {
  const Counts counts = count(outcome.findings);
  const wire::Json summary = {{"ok", outcome.exit == Exit::ok},
                              {"errors", counts.errors},
                              {"warnings", counts.warnings},
                              {"notes", counts.notes},
                              {"findings", config::json_of(outcome.findings)}};
  if (outcome.exit == Exit::ok) return print_json(call.out, summary);
  Failure failure = failure_of(outcome.exit, outcome.findings);
  failure.more = summary;
  print_json(call.out, json_of(failure));
}

void print_text(const Call& call, const Outcome& outcome) {
  call.err << hocon::format(outcome.findings);
  if (outcome.exit == Exit::ok) {
    call.out << "configuration ok"
             << (outcome.findings.empty() ? "" : ", " + count_text(outcome.findings)) << '\n';
  } else {
    call.err << count_text(outcome.findings) << '\n';
  }
}

Exit check(const Call& call) {
  auto options = chosen_options(call, call.operands);
  if (!options) return Exit::usage;
  const Outcome outcome = check_chosen(call, std::move(*options));
  const std::string format = call.is_json() ? "json" : call.value("format", "text");
  if (format == "json") print_outcome(call, outcome);
  else if (format == "gcc") call.out << gcc_text(outcome.findings);
  else print_text(call, outcome);
  return outcome.exit;
}

}  // namespace

Verb check_verb() {
  Verb verb{
      .group = "config",
      .name = "check",
      .summary = "report the errors of a configuration, and where they are",
      .description =
          "Checks a configuration with the code that actord uses at its start, and\n"
          "starts nothing: syntax, substitutions, keys, types, ranges, strategies,\n"
          "and, with the plugins that it names, the config of every behaviour, with the\n"
          "folders, files, ports and URLs that it names. Reports the errors of all files\n"
          "and actors at once; folders, files, ports, URLs and rules of the plugin are\n"
          "checked if the keys and types of that config are right. If there is an error,\n"
          "the exit status is 78, or 65, 66 or 77 if a plugin file is refused, the file\n"
          "does not exist or a permission is missing, and nothing else is wrong.\n"
          "\n"
          "Folders and files are judged for the user of --user; else for the User= of the\n"
          "installed actord.service, if that starts FILE; else for the own user. Only root\n"
          "can judge for another one; a note says what was not judged. What the sandbox of\n"
          "the service hides is not known here. A port in use is a warning, unless the\n"
          "running actord has it for the same key.",
      .operands = {{.name = "FILE", .takes = Takes::file, .is_needed = false, .repeats = true}},
      .options = configuration_options(),
      .run = &check};
  verb.options.push_back({.name = "strict", .help = "warnings count as errors, and notes do not"});
  verb.options.push_back({.name = "user",
                          .takes = Takes::text,
                          .argument = "NAME",
                          .help = "check what this user may use"});
  verb.options.push_back({.name = "no-environment",
                          .help = "check only what is written, without anything that it needs\n"
                                  "from this machine, such as plugins and secrets that are kept\n"
                                  "elsewhere"});
  verb.options.push_back({.name = "format",
                          .takes = Takes::words,
                          .argument = "FORMAT",
                          .help = "the format of findings: text, with the lines of the file;\n"
                                  "gcc, one line each, for editors; or json",
                          .words = {"text", "gcc", "json"}});
  verb.options.push_back(output_option());
  return verb;
}

}  // namespace actord::ctl
