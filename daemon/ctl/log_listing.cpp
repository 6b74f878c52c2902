// SPDX-License-Identifier: Apache-2.0
#include "ctl/log_listing.hpp"

#include <chrono>
#include <optional>
#include <ostream>
#include <thread>

#include "ctl/json_output.hpp"
#include "ctl/log_query.hpp"
#include "ctl/log_text.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

constexpr std::size_t lines_default = 50;
// How often a follower asks for new lines.
constexpr std::chrono::milliseconds interval{200};

}  // namespace

std::vector<Option> listing_options() {
  return {{.name = "follow", .letter = 'f', .help = "go on with new lines as they are logged"},
          lines_option("show the last N lines, or all; default: 50, with --since and --trace all"),
          since_option(),
          {.name = "level",
           .takes = Takes::words,
           .argument = "LEVEL",
           .help = "only lines of this level or a more severe one",
           .words = {"error", "warning", "info", "debug"}},
          {.name = "event",
           .letter = 'e',
           .takes = Takes::text,
           .argument = "NAME",
           .help = "only this event; actor.* means all whose names begin so. May be repeated",
           .repeats = true},
          {.name = "trace",
           .takes = Takes::text,
           .argument = "ID",
           .help = "only what belongs to the trace with this id, all of it"}};
}

Exit list_log(const Call& call, Json filter) {
  Exit exit = Exit::ok;
  const bool has_start = call.has("since") || call.has("trace") || filter.contains("since_ms");
  if (!add_scope(call, filter, exit)) return exit;
  if (call.has("level")) filter["level"] = call.value("level");
  if (call.has("trace")) filter["trace"] = call.value("trace");
  if (call.has("event")) filter["events"] = call.values("event");
  const auto most = lines_wanted(call, has_start ? SIZE_MAX : lines_default, exit);
  if (!most) return exit;
  LogQuery query(std::move(filter));
  const auto lines = query.last(call, *most, exit);
  if (!lines) return exit;
  LogText text(call.out, call.terminal);
  const auto print = [&](const Json& line) {
    if (call.is_json()) call.out << json_text(line) << '\n';
    else text.print(line);
  };
  for (const Json& line : *lines) print(line);
  if (!call.has("follow")) return exit;
  while (call.out.flush()) {  // as long as the output has a reader
    std::this_thread::sleep_for(interval);
    if (!query.read(call, print, exit)) break;
  }
  return exit;
}

}  // namespace actord::ctl
