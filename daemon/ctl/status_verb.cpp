// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "base/counted.hpp"
#include "base/duration_text.hpp"
#include "ctl/daemon_client.hpp"
#include "ctl/failure_groups.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/log_query.hpp"
#include "ctl/log_text.hpp"
#include "ctl/output_terminal.hpp"
#include "ctl/rough_quantity.hpp"
#include "ctl/titled_lines.hpp"
#include "ctl/verbs.hpp"
#include "hocon/units.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

constexpr std::uint64_t lately_ms = 3600 * 1000;

const AnswerShape& status_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {
      {"name", Form::text, {}, true},
      {"version", Form::text, {}, true},
      {"pid", Form::number, {}, true},
      {"state", Form::text, {}, true},
      {"uptime_ms", Form::number, {}, true},
      {"generation", Form::number, {}, true},
      {"unconfirmed_ms", Form::number},
      {"pending", Form::texts, {}, true},
      {"configured", Form::number, {}, true},
      {"up", Form::number, {}, true},
      {"down", Form::objects, {{"why", Form::text, {}, true}}, true},
      {"waiting",
       Form::objects,
       {{"path", Form::text, {}, true},
        {"in_ms", Form::number, {}, true},
        {"type", Form::text, {}, true},
        {"message", Form::text, {}, true}},
       true},
      {"journal", Form::object, {{"state", Form::text, {}, true}, {"why", Form::text, {}, true}}},
      {"restarts", Form::number, {}, true},
      {"messages",
       Form::object,
       {{"handled", Form::number, {}, true},
        {"failed", Form::number, {}, true},
        {"undelivered", Form::number, {}, true},
        {"per_second", Form::number, {}, true}},
       true},
      {"mailboxes",
       Form::objects,
       {{"path", Form::text, {}, true}, {"messages", Form::number, {}, true}, {"most"}},
       true},
      {"silent", Form::texts, {}, true},
      {"silent_count", Form::number, {}, true},
      {"memory",
       Form::object,
       {{"resident_bytes", Form::number, {}, true},
        {"limit_bytes", Form::number, {}, true},
        {"messages_bytes", Form::number, {}, true},
        {"messages_limit_bytes", Form::number, {}, true}},
       true}};
  return shape;
}

class Status {
 public:
  explicit Status(Json status) : json_(std::move(status)) {}

  bool is_degraded() const {
    return !json_.at("down").empty() || !json_.at("waiting").empty() || json_.contains("journal") ||
           json_.at("state") == "stopping";
  }

  /// Reads the failures of the last hour and the last reload, which the log knows.
  bool read_log(const Call& call, Exit& exit) {
    const auto since = now_ms() - lately_ms;
    auto failures =
        LogQuery(Json{{"events", {"actor.failed", "log.suppressed"}}, {"since_ms", since}})
            .last(call, SIZE_MAX, exit);
    if (!failures) return false;
    groups_ = failure_groups(*failures, "cause");
    const auto reloads =
        LogQuery(Json{{"events", {"config.reloaded", "config.rejected"}}}).last(call, 1, exit);
    if (!reloads) return false;
    if (!reloads->empty()) reload_ = reloads->front();
    return true;
  }

  Json json() const {
    Json json = json_;
    json["degraded"] = is_degraded();
    json["failures_of_last_hour"] = json_of(groups_, "cause");
    json["last_reload"] = reload_;
    return json;
  }

  void print(std::ostream& out, OutputTerminal* terminal) const {
    const bool is_bad = is_degraded();
    print_in(is_bad ? Colour::red : Colour::green,
             text("name") + " is " + text("state") + (is_bad ? ", and degraded" : ""), out,
             terminal);
    out << '\n';
    print_titled(out, "daemon",
                 "actord " + text("version") + ", pid " + std::to_string(number_at(json_, "pid")) +
                     ", for " + rough_duration(number_at(json_, "uptime_ms")));
    print_actors(out);
    if (json_.contains("journal"))
      print_titled(out, "journal",
                   text_at(json_, "journal.state") + ": " + text_at(json_, "journal.why"));
    print_failures(out);
    print_messages(out);
    const Json& memory = json_.at("memory");
    print_titled(out, "memory",
                 rough_bytes(number_at(memory, "resident_bytes")) + " of " +
                     rough_bytes(number_at(memory, "limit_bytes")) + "; messages " +
                     rough_bytes(number_at(memory, "messages_bytes")) + " of " +
                     rough_bytes(number_at(memory, "messages_limit_bytes")));
    print_configuration(out);
  }

 private:
  std::string text(const char* name) const { return json_.value(name, std::string{}); }

  void print_actors(std::ostream& out) const {
    const std::uint64_t configured = number_at(json_, "configured");
    print_titled(out, "actors",
                 std::to_string(number_at(json_, "up")) + " of " +
                     base::counted(configured, "configured actor") +
                     std::string{base::by_number(configured, " is", " are")} + " up");
    bool is_first = true;
    for (const Json& each : json_.at("down"))
      print_titled(out, std::exchange(is_first, false) ? "down" : "", each.value("why", ""));
    print_rest(out, "down");
    is_first = true;
    for (const Json& each : json_.at("waiting"))
      print_titled(out, std::exchange(is_first, false) ? "waiting" : "",
                   each.value("path", "") + " starts again in " +
                       rough_duration(number_at(each, "in_ms")) + ": " + each.value("type", "") +
                       ": " + each.value("message", ""));
    print_rest(out, "waiting");
  }

  void print_rest(std::ostream& out, const std::string& list) const {
    const std::uint64_t more = number_at(json_, list + "_left_out");
    if (more != 0) print_titled(out, "", "and " + std::to_string(more) + " more");
  }

  void print_failures(std::ostream& out) const {
    bool is_first = true;
    for (const auto& [cause, group] : sorted(groups_))
      print_titled(out, std::exchange(is_first, false) ? "failures" : "",
                   std::to_string(group.count) + ' ' + cause +
                       " in the last hour: " + verdicts_of(group) +
                       (group.actors.empty() ? "" : "; " + listed(group.actors)));
    if (groups_.empty()) print_titled(out, "failures", "none in the last hour");
  }

  void print_messages(std::ostream& out) const {
    const Json& messages = json_.at("messages");
    print_titled(out, "messages",
                 std::to_string(number_at(messages, "handled")) + " handled, " +
                     std::to_string(number_at(messages, "failed")) + " failed, " +
                     std::to_string(number_at(messages, "undelivered")) + " not delivered; " +
                     std::to_string(number_at(messages, "per_second")) + " a second now");
    bool is_first = true;
    for (const Json& each : json_.at("mailboxes")) {
      std::string line = each.value("path", "") + ": " + (each.contains("has_more") ? ">" : "") +
                         base::counted(number_at(each, "messages"), "message");
      if (const std::string most = each.value("most", ""); !most.empty())
        line += ", most of them " + most;
      print_titled(out, std::exchange(is_first, false) ? "waiting in" : "", line);
    }
    is_first = true;
    for (const Json& each : json_.at("silent"))
      print_titled(out, std::exchange(is_first, false) ? "no answer" : "",
                   each.get<std::string>() + ": its handler has not returned");
    const std::uint64_t silent = number_at(json_, "silent_count"), told = json_.at("silent").size();
    if (silent > told) print_titled(out, "", "and " + std::to_string(silent - told) + " more");
  }

  void print_configuration(std::ostream& out) const {
    std::string line = "generation " + std::to_string(number_at(json_, "generation"));
    if (!reload_.is_null()) {
      const std::uint64_t now = now_ms(), at = wall_ms(reload_);
      line += "; the last reload, " + rough_duration(now - std::min(now, at)) + " ago by " +
              text_at(reload_, "asked_by") +
              (text_at(reload_, "event") == "config.rejected"
                   ? ", was rejected: " + text_at(reload_, "reason")
                   : ", was applied");
    }
    print_titled(out, "config", line);
    if (const std::uint64_t left = number_at(json_, "unconfirmed_ms"); left != 0)
      print_titled(out, "unconfirmed",
                   "for " + rough_duration(left) +
                       "; then the configuration before comes back: actorctl config confirm");
    std::string pending;
    for (const Json& each : json_.at("pending"))
      pending += (pending.empty() ? "" : ", ") + each.get<std::string>();
    print_titled(out, "for restart", pending);
  }

  const Json json_;
  FailureGroups groups_;
  Json reload_;  // null: the log knows of none
};

Exit status(const Call& call) {
  Exit exit = Exit::ok;
  auto answer = ask_daemon(call, "status", Json::object(), status_shape(), exit);
  if (!answer) return exit == Exit::unreachable ? Exit::down : exit;
  Status status(*std::move(answer));
  if (!status.read_log(call, exit)) return exit;
  if (call.is_json()) print_json(call.out, status.json());
  else status.print(call.out, call.terminal);
  return status.is_degraded() ? Exit::degraded : exit;
}

}  // namespace

Verb status_verb() {
  Verb verb{
      .group = {},
      .name = "status",
      .summary = "show on one screen how the daemon is",
      .description =
          "Tells what an operator asks first: how many of the configured actors are up, which\n"
          "are down and why, which wait for their restart and how long, what failed in the\n"
          "last hour, where messages wait, how much memory is used, and what came of the last\n"
          "reload. The exit status is 0 if all is well, 2 if an actor is down or waits, the\n"
          "journal of persistent actors cannot be used, or actord is stopping, and 3 if no daemon\n"
          "answers.\n"
          "\n"
          "  actorctl status\n"
          "  watch -n 5 actorctl status",
      .operands = {},
      .options = {},
      .run = &status};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
