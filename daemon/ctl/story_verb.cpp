// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include "base/counted.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/log_query.hpp"
#include "ctl/log_text.hpp"
#include "ctl/titled_lines.hpp"
#include "ctl/trace_story.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

/// The line that reports the failure; null if the log has left it out.
const Json* report_of(const std::vector<Json>& lines, const std::string& id) {
  const auto found = std::ranges::find_if(lines, [&](const Json& line) {
    return text_at(line, "event") == "actor.failed" && text_at(line, "failure.id") == id;
  });
  return found == lines.end() ? nullptr : &*found;
}

/// The base classes of the exception.
std::string bases_of(const Json& failed) {
  std::string text;
  const Json types = failed.value("failure", Json::object()).value("types", Json::array());
  for (const Json& type : types) {
    if (&type == &types.front() || !type.is_string()) continue;
    text += (text.empty() ? "also " : ", ") + type.get<std::string>();
  }
  return text;
}

std::string message_of(const Json& failed) {
  std::string text = text_at(failed, "failure.phase");
  const std::string type = text_at(failed, "message.type");
  const std::string sender = text_at(failed, "message.sender");
  if (!type.empty()) text += " of " + type;
  if (!sender.empty()) text += " from " + sender;
  return text;
}

/// "restart by /user/a: rule net::Timeout, actord.conf:14"
std::string verdict(const std::string& directive, const std::string& supervisor,
                    const std::string& rule, const std::string& origin) {
  std::string text = directive + " by " + supervisor;
  if (!rule.empty()) text += ": rule " + rule;
  if (!origin.empty()) text += ", " + origin;
  return text;
}

void print_verdicts(std::ostream& out, const Json& failed) {
  const Json steps = failed.value("decision", Json::object()).value("path", Json::array());
  const std::string denied = text_at(failed, "decision.denied");
  if (steps.empty()) {
    print_titled(
        out, "verdict",
        verdict(text_at(failed, "decision.directive"), text_at(failed, "supervisor.path"),
                text_at(failed, "decision.rule"), text_at(failed, "decision.config_origin")));
  }
  for (const Json& step : steps)
    print_titled(out, &step == &steps.front() ? "verdicts" : "",
                 verdict(text_at(step, "directive"), text_at(step, "supervisor"),
                         text_at(step, "rule"), text_at(step, "config_origin")));
  if (!denied.empty())
    print_titled(out, "", "the rule said " + denied + ", which the restart limit did not allow");
}

std::string restarts_of(const Json& failed) {
  const std::uint64_t count = number_at(failed, "restart.count");
  if (count == 0) return {};
  const std::uint64_t max = number_at(failed, "restart.max");
  return "number " + std::to_string(count) + (max == 0 ? "" : " of at most " + std::to_string(max));
}

void print_details(std::ostream& out, const Json& failed) {
  const Json details = failed.value("failure", Json::object()).value("details", Json::object());
  bool is_first = true;
  for (const auto& [name, value] : details.items()) {
    print_titled(out, std::exchange(is_first, false) ? "details" : "",
                 name + " = " + (value.is_string() ? value.get<std::string>() : json_text(value)));
  }
}

/// The calls that led to the throw, without those of actord itself around them.
void print_stack(std::ostream& out, const Json& failed) {
  const Json stack = failed.value("failure", Json::object()).value("stack", Json::array());
  bool is_first = true;
  for (const Json& call : stack) {
    if (!call.is_string()) continue;
    const std::string text = call.get<std::string>();
    if (text.ends_with("(libactord-core.so.0)") || text.ends_with("(actord)") ||
        text.ends_with("(actord-host)"))
      break;
    print_titled(out, std::exchange(is_first, false) ? "thrown in" : "", text);
  }
}

void print_story(const Call& call, const std::vector<Json>& lines, const std::string& id) {
  std::ostream& out = call.out;
  const Json* const failed = report_of(lines, id);
  out << "failure " << id << '\n';
  if (failed != nullptr) {
    print_titled(out, "when", local_time(*failed));
    const std::uint64_t restarts = number_at(*failed, "actor.incarnation");
    print_titled(out, "actor",
                 text_at(*failed, "actor.path") + ", " + text_at(*failed, "actor.behaviour") +
                     (restarts == 0 ? "" : ", after " + base::counted(restarts, "restart")));
    print_titled(out, "cause",
                 text_at(*failed, "failure.type") + ": " + text_at(*failed, "failure.message"));
    print_titled(out, "", bases_of(*failed));
    if (const std::string inner = text_at(*failed, "failure.cause.type"); !inner.empty())
      print_titled(out, "caused by", inner);
    if (const std::string earlier = text_at(*failed, "failure.follows"); !earlier.empty())
      print_titled(out, "follows", earlier + ", whose restart has failed with this");
    print_details(out, *failed);
    print_stack(out, *failed);
    print_titled(out, "in", message_of(*failed));
    print_verdicts(out, *failed);
    print_titled(out, "restart", restarts_of(*failed));
  } else {
    out << "  the log has left its line out, among others of its kind; actord.log.failure-burst\n";
  }
  out << "what came of it\n";
  LogText text(out, call.terminal);
  for (const Json& line : lines) {
    if (&line != failed) text.print(line);
  }
  if (lines.size() == (failed != nullptr ? 1U : 0U)) out << "  nothing that was logged\n";
}

Exit story(const Call& call) {
  const std::string& id = call.operands.front();
  const bool is_of_trace = is_trace_id(id);
  Exit exit = Exit::ok;
  const auto lines =
      LogQuery(Json{{is_of_trace ? "trace" : "failure", id}}).last(call, SIZE_MAX, exit);
  if (!lines) return exit;
  if (lines->empty())
    return report_failure(
        call, is_of_trace ? Failure{Exit::differs, "the log has nothing about a trace " + id, {}}
                          : no_failure(id));
  if (call.is_json()) print_json(call.out, *lines);
  else if (is_of_trace) print_trace(call, *lines, id);
  else print_story(call, *lines, id);
  return exit;
}

}  // namespace

Verb story_verb() {
  Verb verb{.group = {},
            .name = "story",
            .summary = "tell the story of one failure, or of one trace",
            .description =
                "Tells what the log knows about one failure: the actor, the cause with its base\n"
                "classes and details, the message, each verdict with its rule and where that was\n"
                "written; then everything the failure has touched, in order: restarts, stops,\n"
                "back-offs, and failures that follow from it. If the log knows nothing of the id,\n"
                "the exit status is 1.\n"
                "\n"
                "With the id of a trace: its steps, each below the one that caused it, with the\n"
                "time since the first, the time its message waited, and the time it took; then\n"
                "what was logged meanwhile. A trace begins with `actorctl ask --trace`, with a\n"
                "request that a plugin continues, or by actord.tracing.sample-ratio.\n"
                "\n"
                "  actorctl story h5e6qavf-1\n"
                "  actorctl story 4bf92f3577b34da6a3ce929d0e0e4736",
            .operands = {{.name = "ID", .takes = Takes::failure}},
            .options = {},
            .run = &story};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
