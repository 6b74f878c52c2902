// SPDX-License-Identifier: Apache-2.0
#include "ctl/crash_text.hpp"

#include <ostream>
#include <utility>

#include "base/clock.hpp"
#include "base/duration_text.hpp"
#include "ctl/daemon_client.hpp"
#include "ctl/json_members.hpp"
#include "ctl/log_text.hpp"
#include "ctl/titled_lines.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

const AnswerShape& crash_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {
      {"ts", Form::text, {}, true},
      {"signal"},
      {"call"},
      {"address"},
      {"pid", Form::number},
      {"stack", Form::texts},
      {"actor", Form::object, {{"path"}, {"behaviour"}, {"incarnation", Form::number}}},
      {"message", Form::object, {{"type"}}},
      {"plugin", Form::object, {{"name"}, {"version"}, {"file"}}},
      {"crash",
       Form::object,
       {{"id", Form::text, {}, true},
        {"uptime_ns", Form::number},
        {"is_own", Form::flag},
        {"is_hang", Form::flag},
        {"version"},
        {"charged"},
        {"is_quarantined", Form::flag},
        {"places", Form::texts},
        {"build_ids", Form::texts}},
       true}};
  return shape;
}

std::string plugin_of(const Json& crash) {
  std::string text = text_at(crash, "plugin.name");
  if (const std::string version = text_at(crash, "plugin.version"); !version.empty())
    text += ' ' + version;
  const std::string file = text_at(crash, "plugin.file");
  return text + (text.empty() || file.empty() ? "" : ", ") + file;
}

std::string_view sender_of(const Json& about) {
  if (about.value("is_hang", false)) return ", which was sent because the handler did not return";
  return about.value("is_own", true) ? "" : ", which another process has sent";
}

/// What ends the quarantine; empty: there is none.
std::string way_out_of(const Json& about) {
  if (!about.value("is_quarantined", false)) return {};
  const std::string charged = text_at(about, "charged");
  if (!charged.starts_with("/user/")) return "which another build of this file ends";
  return "which actorctl start " + charged + " ends, or another build of the plugin";
}

std::string actor_of(const Json& crash) {
  const std::string path = text_at(crash, "actor.path");
  if (path.empty()) return {};
  return path + ", " + text_at(crash, "actor.behaviour");
}

}  // namespace

std::optional<Json> crash_wanted(const Call& call, Exit& exit) {
  Json arguments = Json::object();
  if (!call.operands.empty()) arguments["id"] = call.operands.front();
  return ask_daemon(call, "crash.show", arguments, crash_shape(), exit);
}

std::string end_of(const Json& crash) {
  const std::string signal = text_at(crash, "signal");
  return signal.empty() ? text_at(crash, "call") : signal;
}

std::string charge_of(const Json& crash) {
  const Json& about = crash.contains("crash") ? crash.at("crash") : crash;
  const std::string charged = text_at(about, "charged");
  if (charged.empty()) return {};
  return charged + (about.value("is_quarantined", false) ? ", in quarantine" : "");
}

void print_crash(std::ostream& out, const Json& crash) {
  const Json& about = crash.at("crash");
  out << "crash " << text_at(about, "id") << '\n';
  print_titled(out, "when", local_time(crash));
  print_titled(out, "ended by", end_of(crash) + std::string{sender_of(about)});
  print_titled(out, "address", text_at(crash, "address"));
  print_titled(out, "actor", actor_of(crash));
  print_titled(out, "message", text_at(crash, "message.type"));
  print_titled(out, "plugin", plugin_of(crash));
  const std::string charged = charge_of(crash);
  print_titled(out, "charged", charged.empty() ? "nothing" : charged);
  print_titled(out, "", way_out_of(about));
  print_titled(out, "ran for",
               base::duration_text(static_cast<std::int64_t>(number_at(about, "uptime_ns")) /
                                   base::ns_per_ms * base::ns_per_ms));
  print_titled(
      out, "process",
      "pid " + std::to_string(number_at(crash, "pid")) + ", actord " + text_at(about, "version"));
  bool is_first = true;
  for (const Json& call : crash.value("stack", Json::array()))
    print_titled(out, std::exchange(is_first, false) ? "stack" : "", call.get<std::string>());
}

}  // namespace actord::ctl
