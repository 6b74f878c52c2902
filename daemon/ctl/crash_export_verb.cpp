// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/crash_text.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/log_query.hpp"
#include "ctl/log_text.hpp"
#include "ctl/titled_lines.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

constexpr std::size_t events_max = 100;

/// The last events of the run that has crashed.
std::optional<std::vector<Json>> events_of(const Call& call, const std::string& id, Exit& exit) {
  std::vector<Json> events;
  const auto take = [&](const Json& line) {
    if (text_at(line, "boot") != id) return;
    if (events.size() == events_max) events.erase(events.begin());
    events.push_back(line);
  };
  if (!LogQuery(Json{{"only_events", true}}).read(call, take, exit)) return std::nullopt;
  return events;
}

void print_places(std::ostream& out, const Json& about) {
  const Json places = about.value("places", Json::array());
  const Json builds = about.value("build_ids", Json::array());
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::string line = places[i].get<std::string>();
    if (i < builds.size() && !builds[i].get<std::string>().empty())
      line += "  build id " + builds[i].get<std::string>();
    print_titled(out, i == 0 ? "code at" : "", line);
  }
}

Exit export_crash(const Call& call) {
  Exit exit = Exit::ok;
  const auto crash = crash_wanted(call, exit);
  if (!crash) return exit;
  const auto events = events_of(call, text_at(*crash, "crash.id"), exit);
  if (!events) return exit;
  if (call.is_json()) {
    print_json(call.out, {{"crash", *crash}, {"events", *events}});
    return exit;
  }
  print_crash(call.out, *crash);
  print_places(call.out, crash->at("crash"));
  call.out << "\nthe last events of this run\n";
  LogText text(call.out);
  for (const Json& each : *events) text.print(each);
  if (events->empty()) call.out << "  none is kept; see actord.log.history-size\n";
  return exit;
}

}  // namespace

Verb crash_export_verb() {
  Verb verb{.group = "crash",
            .name = "export",
            .summary = "print a crash of actord for a report to the plugin's author",
            .description =
                "Prints all of crash show, the places of the calls in the files with their build\n"
                "ids, from which addr2line or gdb can tell the lines of the source, and the last\n"
                "events of the run that has crashed. It has no content of messages.\n"
                "\n"
                "  actorctl crash export 3ngc6k4e > crash.txt\n"
                "  actorctl crash export 3ngc6k4e -o json > crash.json",
            .operands = {{.name = "ID", .takes = Takes::crash, .is_needed = false}},
            .options = {},
            .run = &export_crash};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
