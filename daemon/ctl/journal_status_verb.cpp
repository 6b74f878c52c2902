// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "base/counted.hpp"
#include "base/duration_text.hpp"
#include "ctl/journal_query.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/titled_lines.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

const AnswerShape& status_of_journal_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {{"state", Form::text, {}, true},
                                    {"folder", Form::text, {}, true},
                                    {"why"},
                                    {"bytes", Form::number, {}, true},
                                    {"log_bytes", Form::number, {}, true},
                                    {"reserve_bytes", Form::number, {}, true},
                                    {"events", Form::number, {}, true},
                                    {"snapshots", Form::number, {}, true},
                                    {"groups", Form::number, {}, true},
                                    {"failed_groups", Form::number, {}, true},
                                    {"writing_us", Form::number, {}, true},
                                    {"replayed", Form::number, {}, true},
                                    {"largest_group", Form::number, {}, true},
                                    {"writers", Form::number, {}, true},
                                    {"recovering", Form::number, {}, true},
                                    {"to_recover", Form::number, {}, true}};
  return shape;
}

std::string groups_of(const Json& status) {
  const std::uint64_t groups = number_at(status, "groups"), events = number_at(status, "events");
  std::string text = base::counted(groups, "group");
  if (groups != 0)
    text += ", of " +
            base::duration_text(
                static_cast<std::int64_t>(number_at(status, "writing_us") / groups) * 1000) +
            " and " + base::counted(events / groups, "event") + " on average, at most " +
            std::to_string(number_at(status, "largest_group"));
  if (const std::uint64_t failed = number_at(status, "failed_groups"); failed != 0)
    text += "; " + base::counted(failed, "group") + " failed";
  return text;
}

std::string actors_of(const Json& status) {
  std::string text = base::counted(number_at(status, "writers"), "actor");
  if (const std::uint64_t now = number_at(status, "recovering"); now != 0)
    text += ", " + std::to_string(now) + " of them recover";
  if (const std::uint64_t waiting = number_at(status, "to_recover"); waiting != 0)
    text += ", " + std::to_string(waiting) + " wait to recover";
  return text;
}

Exit status_of_journal(const Call& call) {
  Exit exit = Exit::ok;
  const auto status =
      ask_daemon(call, "journal.status", Json::object(), status_of_journal_shape(), exit);
  if (!status) return exit;
  const std::string state = text_at(*status, "state");
  if (state == "full" || state == "failed") exit = Exit::degraded;
  if (call.is_json()) {
    print_json(call.out, *status);
    return exit;
  }
  call.out << "the journal is " << state << '\n';
  print_titled(call.out, "why", text_at(*status, "why"));
  print_titled(call.out, "folder", text_at(*status, "folder"));
  if (state == "unused") return exit;
  print_titled(call.out, "size",
               exact_bytes(number_at(*status, "bytes")) + ", and a write-ahead log of " +
                   exact_bytes(number_at(*status, "log_bytes")));
  const std::uint64_t reserve = number_at(*status, "reserve_bytes");
  print_titled(call.out, "reserve",
               reserve == 0 ? "none: there is no room for it" : exact_bytes(reserve));
  print_titled(call.out, "actors", actors_of(*status));
  print_titled(call.out, "written",
               base::counted(number_at(*status, "events"), "event") + " and " +
                   base::counted(number_at(*status, "snapshots"), "snapshot"));
  print_titled(call.out, "in", groups_of(*status));
  print_titled(call.out, "read",
               base::counted(number_at(*status, "replayed"), "event") + " for recoveries");
  return exit;
}

}  // namespace

Verb journal_status_verb() {
  Verb verb{
      .group = "journal",
      .name = "status",
      .summary = "show how the journal is, and what it has done",
      .description =
          "Prints the state of the journal: ok, full (the disk is: events are refused until there\n"
          "is room again), failed (it cannot be used), or unused (no actor has needed it since "
          "the\n"
          "start); where it is and how large, the room that is reserved for a full disk, and what\n"
          "was written and read since the start. The exit status is 2 if it is full or failed.\n"
          "\n"
          "  actorctl journal status",
      .operands = {},
      .options = {},
      .run = &status_of_journal};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
