// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "config/json_forms.hpp"
#include "ctl/configuration_choice.hpp"
#include "ctl/daemon_client.hpp"
#include "ctl/json_output.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

struct Values {
  Json values = Json::array();
  hocon::Diagnostics errors;  // errors in the configuration of these values
};

std::optional<Values> values_of_files(const Call& call, Exit& exit) {
  auto draft = read_draft_to_show(call, exit, call.operands);
  if (!draft) return std::nullopt;
  Values all;
  for (const config::EffectiveValue& value :
       config::effective_values(draft->configuration.settings.tree))
    all.values.push_back(config::json_of(value));
  all.errors = std::move(draft->errors);
  return all;
}

const AnswerShape& answer_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {
      {"values",
       Form::objects,
       {{"key"}, {"origin"}, {"built_in", Form::flag}, {"pending", Form::flag}},
       true},
      {"generation", Form::number, {}, true},
      {"next", Form::number}};
  return shape;
}

/// The daemon sends the values in several replies. If a reload happens between two of them, the
/// values are fetched again from the beginning.
std::optional<Values> values_of_daemon(const Call& call, Exit& exit) {
  auto client = connect(call, exit);
  if (!client) return std::nullopt;
  Values all;
  Json generation;
  Json from = 0U;
  while (true) {
    const auto reply = client->ask("config.show", {{"from", from}}, answer_shape());
    if (!check_reply(call, reply, exit)) return std::nullopt;
    if (from != 0 && reply->result.value("generation", Json{}) != generation) {
      all = {};
      from = 0U;
      continue;
    }
    generation = reply->result.value("generation", Json{});
    for (const Json& value : reply->result.value("values", Json::array()))
      all.values.push_back(value);
    if (!reply->result.contains("next")) return all;
    if (reply->result["next"] <= from) {
      check_reply(call, DaemonClient::not_understood("\"next\" is not after \"from\""), exit);
      return std::nullopt;
    }
    from = reply->result["next"];
  }
}

void print_line(const Call& call, const Json& value) {
  call.out << value.value("key", "") << " = "
           << (value.contains("value") ? json_text(value["value"]) : "\"(secret)\"");
  if (call.has("origin")) call.out << "  # " << value.value("origin", "");
  if (value.value("pending", false)) call.out << "  # needs a restart of actord";
  call.out << '\n';
}

Exit show(const Call& call) {
  if (conflicts_with_running(call, "config show", call.operands)) return Exit::usage;
  Exit exit = Exit::ok;
  const auto all = call.has("running") ? values_of_daemon(call, exit) : values_of_files(call, exit);
  if (!all) return exit;
  Json values = Json::array();
  for (const Json& value : all->values) {
    if (call.has("defaults") || !value.value("built_in", false)) values.push_back(value);
  }
  if (!call.is_json()) {
    for (const Json& value : values) print_line(call, value);
  }
  return conclude(call, {{"values", std::move(values)}}, all->errors);
}

}  // namespace

Verb show_verb() {
  Verb verb{
      .group = "config",
      .name = "show",
      .summary = "print the values of a configuration",
      .description =
          "Prints every key that has a value, resolved, one line each; the lines are a\n"
          "valid configuration. Reads the files, or with --running asks the daemon.\n"
          "Secrets are not shown. The exit status is 78 if the configuration has errors.\n"
          "It then prints the errors, too; values that could not be read because of them\n"
          "may be secret and are not shown. Errors that only plugins find are reported\n"
          "by check.",
      .operands = {{.name = "FILE", .takes = Takes::file, .is_needed = false, .repeats = true}},
      .options = configuration_options(),
      .run = &show};
  verb.options.push_back({.name = "origin", .help = "print where each value was written"});
  verb.options.push_back({.name = "defaults", .help = "print the built-in defaults, too"});
  verb.options.push_back(
      {.name = "running", .help = "print the configuration of the running daemon"});
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
