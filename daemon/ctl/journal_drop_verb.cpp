// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <iostream>
#include <string>

#include "ctl/daemon_client.hpp"
#include "ctl/json_output.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

/// Whether the operator says yes at the terminal.
bool is_drop_wanted(const Call& call) {
  call.err << "delete all events and snapshots of " << call.operands.front()
           << "? They cannot be restored. [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

Exit drop_history(const Call& call) {
  Exit exit = Exit::ok;
  if (!call.has("yes")) {
    if (::isatty(STDIN_FILENO) != 1)
      return report_failure(call, {Exit::usage, "what is deleted cannot be restored",
                                   "say that it is wanted: --yes"});
    if (!is_drop_wanted(call)) return report_failure(call, {Exit::differs, "nothing was deleted"});
  }
  const auto result = ask_daemon(call, "journal.drop", {{"id", call.operands.front()}},
                                 {{"id", MemberShape::Form::text, {}, true}}, exit);
  if (!result) return exit;
  if (call.is_json()) print_json(call.out, *result);
  else call.out << "the journal has nothing of " << call.operands.front() << " any more\n";
  return exit;
}

}  // namespace

Verb journal_drop_verb() {
  Verb verb{
      .group = "journal",
      .name = "drop",
      .summary = "delete all that is stored of an actor that is gone",
      .description =
          "Deletes the events and the snapshots of an id, at once and for good; an actor with\n"
          "this id begins anew, and its next event has the number behind the last one. It is\n"
          "refused while an actor has the id. It asks at the terminal; elsewhere it needs --yes.\n"
          "An export before it keeps what was there.\n"
          "\n"
          "  actorctl journal export bank/account-1 -o account-1.jsonl\n"
          "  actorctl journal drop bank/account-1",
      .operands = {{.name = "ID", .takes = Takes::stored}},
      .options = {{.name = "yes", .help = "do not ask"}},
      .run = &drop_history};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
