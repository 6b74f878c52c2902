// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include "base/suggestion.hpp"
#include "config/explanation.hpp"
#include "ctl/configuration_choice.hpp"
#include "ctl/daemon_client.hpp"
#include "ctl/json_output.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"
#include "ctl/wrapped_text.hpp"
#include "wire/control_message.hpp"

namespace actord::ctl {

using config::Explanation;
using config::Written;
using wire::Json;

namespace {

constexpr std::size_t value_columns = 48;

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

std::size_t widest(const std::vector<Written>& all, std::string Written::*column) {
  std::size_t width = 0;
  for (const Written& each : all) width = std::max(width, (each.*column).size());
  return width;
}

std::string first_line(const Explanation& it) {
  std::string line = it.key;
  if (it.value) line += " = " + *it.value;
  std::string what = it.type;
  if (!it.range.empty() && it.range != it.type) what += (what.empty() ? "" : ", ") + it.range;
  if (!it.reload.empty()) what += (what.empty() ? "" : ", ") + std::string{"reload: "} + it.reload;
  if (what.empty()) return line;
  if (line.size() < value_columns) line.resize(value_columns, ' ');
  else line.append("\n  ");
  return line.append(what);
}

void print_names(std::ostream& out, std::string_view title, const std::vector<std::string>& all) {
  if (all.empty()) return;
  const std::vector<std::string_view> names(all.begin(), all.end());
  out << "  " << title << '\n' << wrapped(base::joined(names));
}

void print_running(std::ostream& out, const Explanation& it) {
  const config::RunningValue& running = *it.running;
  out << "  in the running daemon";
  if (running.since_generation != 0)
    out << " since " << running.since << ", generation " << running.since_generation << " of "
        << running.generation;
  out << '\n';
  if (!running.pending) return;
  out << "  pending  "
      << (running.pending->text.empty() ? it.key + " is not set any more"
                                        : running.pending->text + "  " + running.pending->origin)
      << "; needs a restart of actord\n";
}

void print_text(const Call& call, const Explanation& it) {
  std::ostream& out = call.out;
  out << first_line(it) << '\n';
  if (!it.remark.empty()) out << "  " << it.remark << '\n';
  std::vector<Written> origins = it.via;
  if (it.from) origins.insert(origins.begin(), *it.from);
  const std::size_t width = widest(origins, &Written::origin) + 2;
  if (it.from) {
    out << "  from  " << (it.from->text.empty() ? it.from->origin : padded(it.from->origin, width))
        << "  " << it.from->text << '\n';
  }
  for (const Written& step : it.via)
    out << "    via " << padded(step.origin, width) << "  " << step.text << '\n';
  if (!it.overrides.empty()) out << "  overrides\n";
  const std::size_t texts = widest(it.overrides, &Written::text) + 2;
  for (const Written& hidden : it.overrides)
    out << "    " << padded(hidden.text, texts) << hidden.origin << '\n';
  if (it.running) print_running(out, it);
  if (!it.environment.empty()) out << "  not set: environment " << it.environment << '\n';
  print_names(out, "keys", it.members);
  print_names(out, "known failures", it.failures);
  out << wrapped(it.doc);
}

const AnswerShape& explanation_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape written = {{"origin", Form::text, {}, true}, {"text"}};
  static const AnswerShape shape = {{"unknown"},
                                    {"help"},
                                    {"key", Form::text, {}, true},
                                    {"value"},
                                    {"from", Form::object, written},
                                    {"via", Form::objects, written},
                                    {"overrides", Form::objects, written},
                                    {"members", Form::texts},
                                    {"failures", Form::texts},
                                    {"running",
                                     Form::object,
                                     {{"generation", Form::number, {}, true},
                                      {"since_generation", Form::number},
                                      {"since"},
                                      {"pending", Form::object, written}}}};
  return shape;
}

Exit explain_running(const Call& call) {
  Exit exit = Exit::ok;
  const auto answer = ask_daemon(call, "config.explain", {{"key", call.operands.front()}},
                                 explanation_shape(), exit);
  if (!answer) return exit;
  const Json& result = *answer;
  if (result.contains("unknown"))
    return report_failure(
        call, {Exit::differs, result.value("unknown", ""), result.value("help", ""), {}});
  if (call.is_json()) print_json(call.out, result);
  else print_text(call, config::explanation_of(result));
  return Exit::ok;
}

Exit explain_written(const Call& call, const std::vector<std::string>& files) {
  Exit exit = Exit::ok;
  const auto draft = read_draft_to_show(call, exit, files);
  if (!draft) return exit;
  config::KnownPlugins plugins(draft->configuration);
  const auto found = config::explain(draft->configuration, call.operands.front(), plugins);
  if (!found) {
    return report_failure(call,
                          {Exit::differs, found.error().what, found.error().help, draft->errors});
  }
  if (!call.is_json()) print_text(call, *found);
  return conclude(call, config::json_of(*found), draft->errors);
}

Exit explain_key(const Call& call) {
  const std::vector<std::string> files{call.operands.begin() + 1, call.operands.end()};
  if (conflicts_with_running(call, "config explain", files)) return Exit::usage;
  return call.has("running") ? explain_running(call) : explain_written(call, files);
}

}  // namespace

Verb explain_verb() {
  Verb verb{
      .group = "config",
      .name = "explain",
      .summary = "explain one key: its value, and where the value comes from",
      .description =
          "KEY may also be the path of an actor, such as /user/crawler, for the key that\n"
          "configures it.\n"
          "\n"
          "Prints the value of KEY, its range, the effect of a reload, where the value\n"
          "was written, what that refers to, and what it overrides. For a key that\n"
          "is not set, explains the default. For a key in the config of a behaviour it\n"
          "prints what the plugin declares: type, range, default and a sentence.\n"
          "\n"
          "With --running asks the daemon for the value in effect. The answer also says\n"
          "since when, and, if a later value needs a restart of actord, that value.\n"
          "\n"
          "The exit status is 1 if there is no such key, and 78 if the configuration has\n"
          "errors. It then prints the errors, too; values that could not be read because\n"
          "of them may be secret and are not shown. Errors that only plugins find are\n"
          "reported by check.\n"
          "\n"
          "  actorctl config explain actord.log.level\n"
          "  actorctl config explain 'actord.user.crawler.supervisor-strategy.decider'",
      .operands = {{.name = "KEY", .takes = Takes::key},
                   {.name = "FILE", .takes = Takes::file, .is_needed = false, .repeats = true}},
      .options = configuration_options(),
      .run = &explain_key};
  verb.options.push_back({.name = "running", .help = "explain the value of the running daemon"});
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
