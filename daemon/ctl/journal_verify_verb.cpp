// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <ostream>

#include "base/counted.hpp"
#include "ctl/journal_query.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

const AnswerShape& checked_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {{"events", Form::number, {}, true},
                                    {"snapshots", Form::number, {}, true},
                                    {"damage_count", Form::number, {}, true},
                                    {"is_complete", Form::flag, {}, true},
                                    {"damages", Form::texts, {}, true}};
  return shape;
}

std::string checked_of(const Json& checked) {
  return base::counted(number_at(checked, "events"), "event") + " and " +
         base::counted(number_at(checked, "snapshots"), "snapshot");
}

std::string progress_of_check(const Json& now) {
  const auto found = now.find("progress");
  const double share = found != now.end() && found->is_number() ? found->get<double>() : 0;
  const std::uint64_t damages = number_at(now, "damage_count");
  return "checking the journal: " + std::to_string(std::lround(share * 100)) + " %, " +
         checked_of(now) + (damages == 0 ? "" : ", " + base::counted(damages, "fault"));
}

Exit verify_journal(const Call& call) {
  Exit exit = Exit::ok;
  const auto checked =
      ask_for_long_work(call, "journal.verify", checked_shape(), &progress_of_check, exit);
  if (!checked) return exit;
  const std::uint64_t damages = number_at(*checked, "damage_count");
  const bool is_complete = checked->at("is_complete").get<bool>();
  if (damages != 0 || !is_complete) exit = Exit::differs;
  if (call.is_json()) {
    print_json(call.out, *checked);
    return exit;
  }
  for (const Json& each : checked->at("damages")) call.out << each.get<std::string>() << '\n';
  if (const std::size_t told = checked->at("damages").size(); damages > told)
    call.out << "and " << damages - told << " more\n";
  if (!is_complete) call.out << "the check ended there: the rest cannot be read\n";
  if (exit == Exit::ok) call.out << "the journal is whole: " << checked_of(*checked) << '\n';
  else
    call.out << base::counted(damages, "fault") << " in " << checked_of(*checked)
             << "; restore the folder of the journal from a backup\n";
  return exit;
}

}  // namespace

Verb journal_verify_verb() {
  Verb verb{
      .group = "journal",
      .name = "verify",
      .summary = "check that all that is stored is as it was written",
      .description =
          "Reads all events and snapshots of the running daemon's journal, and compares them with\n"
          "their checksums; looks whether events are missing or twice there, and whether the file\n"
          "that says how far the journal was acknowledged agrees. Actors write meanwhile: each\n"
          "group waits for some milliseconds of the check at most. The exit status is 1 if\n"
          "something is wrong. --timeout is how long there may be no progress.\n"
          "\n"
          "  actorctl journal verify",
      .operands = {},
      .options = {},
      .run = &verify_journal};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
