// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iomanip>
#include <ostream>

#include "ctl/journal_query.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/log_query.hpp"
#include "ctl/log_text.hpp"
#include "ctl/quantity_option.hpp"
#include "ctl/titled_lines.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

constexpr std::size_t events_shown_default = 20;

/// The content, or why it is not shown.
std::string stored_content(const Json& entry) {
  if (entry.contains("message")) return json_text(entry.at("message"));
  const std::string size =
      entry.contains("bytes") ? exact_bytes(number_at(entry, "bytes")) + ": " : "";
  return '(' + size + text_at(entry, "why") + ')';
}

void print_history(const Call& call, const Json& id) {
  const std::uint64_t first = number_at(id, "first"), last = number_at(id, "last");
  call.out << text_at(id, "id") << '\n';
  print_titled(call.out, "events",
               first > last ? "none is left; the last one was " + std::to_string(last)
                            : std::to_string(first) + " to " + std::to_string(last) + ", " +
                                  exact_bytes(number_at(id, "bytes")));
  print_titled(call.out, "actor",
               id.contains("actor") ? text_at(id, "actor") : "no running actor has this id");
  print_titled(call.out, "damaged", text_at(id, "why"));
  print_titled(call.out, "passed over", text_at(id, "passed_over"));
  if (!id.contains("newest")) return;
  const Json& newest = id.at("newest");
  print_titled(call.out, "snapshot",
               "at event " + std::to_string(number_at(newest, "sequence")) + ", " +
                   local_time(newest) + ", " + text_at(newest, "type"));
  print_titled(call.out, "", stored_content(newest));
}

void print_stored(const Call& call, const Json& event, int width) {
  call.out << std::setw(width) << number_at(event, "sequence") << "  ";
  if (event.contains("type"))
    call.out << local_time(event) << "  " << text_at(event, "type") << "  ";
  call.out << stored_content(event) << '\n';
}

Exit show_history(const Call& call) {
  Exit exit = Exit::ok;
  const std::string& id = call.operands.front();
  const auto most = lines_wanted(call, events_shown_default, exit);
  if (!most) return exit;
  const auto wanted = number_option(call, "from", 0, {1, UINT64_MAX}, exit);
  if (!wanted) return exit;
  auto about = ask_for_events(call, id, 0, 1, exit);
  if (!about) return exit;
  about->erase("next");
  const std::uint64_t first = number_at(*about, "first"), last = number_at(*about, "last");
  const std::uint64_t of_last = last >= *most ? last - *most + 1 : 1;
  const std::uint64_t from = std::max(first, *wanted != 0 ? *wanted : of_last);
  Json& events = (*about)["events"] = Json::array();
  if (!call.is_json()) print_history(call, *about);
  if (!call.is_json() && from <= last) call.out << '\n';
  const int width = static_cast<int>(std::to_string(last).size()) + 2;
  std::size_t count = 0;
  const auto take = [&](const Json& event) {
    if (count == *most) return false;
    if (!event.contains("type")) exit = Exit::differs;
    if (call.is_json()) events.push_back(event);
    else print_stored(call, event, width);
    return ++count < *most;
  };
  if (from <= last && !for_each_event(
                          call, id, from, [](const Json&) {}, take, exit))
    return exit;
  if (call.is_json()) print_json(call.out, *about);
  else if (*wanted > last) call.err << "there is no event from " << *wanted << " on\n";
  return exit;
}

}  // namespace

Verb journal_show_verb() {
  Verb verb{.group = "journal",
            .name = "show",
            .summary = "show what is stored of a persistent actor",
            .description =
                "Prints the newest snapshot of an id and its last events, or the first ones from\n"
                "--from on: number, time, type, and the content as JSON. Members that the type\n"
                "calls secret are not shown, nor is content of a type that no loaded plugin has.\n"
                "The exit status is 1 if an event is damaged.\n"
                "\n"
                "  actorctl journal show bank/account-1\n"
                "  actorctl journal show bank/account-1 --from 1 -n 100",
            .operands = {{.name = "ID", .takes = Takes::stored}},
            .options = {{.name = "from",
                         .takes = Takes::text,
                         .argument = "N",
                         .help = "begin with event N"},
                        lines_option("show N events, or all; default: 20")},
            .run = &show_history};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
