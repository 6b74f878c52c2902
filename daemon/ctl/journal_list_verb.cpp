// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "base/counted.hpp"
#include "ctl/journal_query.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/log_query.hpp"
#include "ctl/log_text.hpp"
#include "ctl/text_table.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

constexpr std::size_t ids_default = 100;

std::uint64_t events_of(const Json& id) {
  const std::uint64_t first = number_at(id, "first"), last = number_at(id, "last");
  return first <= last ? last - first + 1 : 0;
}

Exit list_ids(const Call& call) {
  Exit exit = Exit::ok;
  const auto most = lines_wanted(call, ids_default, exit);
  if (!most) return exit;
  using Align = TextTable::Column::Align;
  TextTable table({{"ID"},
                   {"EVENTS", Align::right},
                   {"FIRST", Align::right},
                   {"LAST", Align::right},
                   {"SNAPSHOT", Align::right},
                   {"SIZE", Align::right},
                   {"WRITTEN"},
                   {"ACTOR"}});
  std::size_t count = 0;
  const auto add = [&](const Json& id) {
    if (++count > *most) return false;
    if (call.is_json()) call.out << json_text(id) << '\n';
    else if (call.is_names()) call.out << text_at(id, "id") << '\n';
    else
      table.add({text_at(id, "id"), std::to_string(events_of(id)),
                 events_of(id) == 0 ? "-" : std::to_string(number_at(id, "first")),
                 std::to_string(number_at(id, "last")),
                 id.contains("snapshot") ? std::to_string(number_at(id, "snapshot")) : "-",
                 exact_bytes(number_at(id, "bytes")), id.contains("ts") ? local_time(id) : "-",
                 id.contains("actor") ? text_at(id, "actor") : "-"});
    return true;
  };
  if (!for_each_id(call, call.value("prefix"), add, exit)) return exit;
  if (count == 0) call.err << "the journal has no such id\n";
  if (!table.is_empty()) table.print(call.out);
  if (count > *most) call.err << "there are more: -n all, or --prefix, shows them\n";
  return exit;
}

}  // namespace

Verb journal_list_verb() {
  Verb verb{
      .group = "journal",
      .name = "list",
      .summary = "show of which persistent actors something is stored",
      .description =
          "Lists the persistence ids of the journal in the order of their bytes: how many events\n"
          "there are, the numbers of the first and the last one, up to which event the newest\n"
          "snapshot goes, the size of the events, when the last one was written, and the running\n"
          "actor that has the id. Unless its code says otherwise, an id is the path of its actor.\n"
          "\n"
          "  actorctl journal list\n"
          "  actorctl journal list --prefix bank/ -n all -o name",
      .operands = {},
      .options = {{.name = "prefix",
                   .takes = Takes::text,
                   .argument = "TEXT",
                   .help = "only ids that begin with TEXT"},
                  lines_option("show the first N, or all; default: 100")},
      .run = &list_ids};
  return with_names(with_daemon_options(std::move(verb)));
}

}  // namespace actord::ctl
