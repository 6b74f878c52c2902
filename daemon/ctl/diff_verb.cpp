// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "config/json_forms.hpp"
#include "ctl/configuration_choice.hpp"
#include "ctl/daemon_client.hpp"
#include "ctl/json_output.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

std::optional<Json> diff_of_files(const Call& call, Exit& exit) {
  const auto older = read_chosen(call, exit, {call.operands[0]});
  if (!older) return std::nullopt;
  const auto newer = read_chosen(call, exit, {call.operands[1]});
  if (!newer) return std::nullopt;
  return config::json_of(config::diff_between(older->settings.tree, newer->settings.tree));
}

const AnswerShape& answer_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {
      {"changes",
       Form::objects,
       {{"key"}, {"from"}, {"from_origin"}, {"to"}, {"to_origin"}, {"reload"}},
       true},
      {"changes_left_out", Form::number},
      {"merges", Form::objects, {{"key"}, {"origin"}, {"kept", Form::texts}}},
      {"pending", Form::texts}};
  return shape;
}

std::optional<Json> diff_of_running(const Call& call, Exit& exit) {
  return ask_daemon(call, "config.diff", Json::object(), answer_shape(), exit);
}

Json changes_in(const Json& diff) { return diff.value("changes", Json::array()); }

/// Keys changed by an earlier reload whose new values need a restart of actord.
Json pending_in(const Json& diff) { return diff.value("pending", Json::array()); }

std::string side(const Json& change, const char* value, const char* origin) {
  if (!change.contains(value)) return "nothing";
  return change.value(value, "") + " (" + change.value(origin, "") + ')';
}

void print_text(const Call& call, const Json& diff) {
  for (const Json& change : changes_in(diff)) {
    call.out << change.value("key", "") << ": " << side(change, "from", "from_origin") << " -> "
             << side(change, "to", "to_origin") << "  [" << change.value("reload", "") << "]\n";
  }
  if (diff.contains("changes_left_out"))
    call.out << "... and " << diff["changes_left_out"] << " more\n";
  for (const Json& merge : diff.value("merges", Json::array())) {
    call.out << "note: " << merge.value("key", "") << " at " << merge.value("origin", "")
             << " was merged into an earlier object; these earlier members still apply:\n";
    for (const Json& kept : merge.value("kept", Json::array()))
      call.out << "  " << kept.get<std::string>() << '\n';
    call.out << "  to replace it instead, write " << merge.value("key", "")
             << " = null before it\n";
  }
  if (changes_in(diff).empty()) call.out << "no difference\n";
  for (const Json& key : pending_in(diff))
    call.out << "note: " << key.get<std::string>() << " needs a restart of actord\n";
}

Exit diff(const Call& call) {
  if (call.operands.size() == 1 || (call.has("running") && !call.operands.empty())) {
    call.err << "actorctl config diff: name two files to compare, or none to compare the running\n"
                "  configuration with its files\n";
    return Exit::usage;
  }
  Exit exit = Exit::ok;
  const auto diff = call.operands.empty() ? diff_of_running(call, exit) : diff_of_files(call, exit);
  if (!diff) return exit;
  if (call.is_json()) print_json(call.out, *diff);
  else print_text(call, *diff);
  return changes_in(*diff).empty() ? Exit::ok : Exit::differs;
}

}  // namespace

Verb diff_verb() {
  Verb verb{.group = "config",
            .name = "diff",
            .summary = "compare the running configuration with its files, or two files",
            .description =
                "Without files, compares the running configuration of the daemon with the one\n"
                "that it would read now. With two files, compares these. Prints a line for\n"
                "each key that differs, with the effect of a reload:\n"
                "\n"
                "  live            applies at once, also to actors that run\n"
                "  new actors      applies to actors that are created after the reload\n"
                "  restart actor   the reload restarts the actor\n"
                "  restart         applies when actord is started again\n"
                "\n"
                "Also prints where an object was merged into an earlier one, and which keys of\n"
                "an earlier reload need a restart. The exit status is 1 if there is a\n"
                "difference. Secrets are compared and not shown.",
            .operands = {{.name = "OLDER", .takes = Takes::file, .is_needed = false},
                         {.name = "NEWER", .takes = Takes::file, .is_needed = false}},
            .options = configuration_options(),
            .run = &diff};
  verb.options.erase(verb.options.begin());  // removes --config: the files are operands
  verb.options.push_back(
      {.name = "running", .help = "compare the running configuration with its files"});
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
