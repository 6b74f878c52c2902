// SPDX-License-Identifier: Apache-2.0
#include "ctl/crash_text.hpp"
#include "ctl/json_output.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit show_crash(const Call& call) {
  Exit exit = Exit::ok;
  const auto crash = crash_wanted(call, exit);
  if (!crash) return exit;
  if (call.is_json()) print_json(call.out, *crash);
  else print_crash(call.out, *crash);
  return exit;
}

}  // namespace

Verb crash_show_verb() {
  Verb verb{
      .group = "crash",
      .name = "show",
      .summary = "show what is known of a crash of actord",
      .description =
          "Prints one crash, by default the last one: the signal, the actor and the message\n"
          "that it handled, the plugin, what is charged with it, and the calls of the thread,\n"
          "the innermost first.\n"
          "Functions have their names if the file is the one that crashed, and has symbols.\n"
          "\n"
          "  actorctl crash show 3ngc6k4e",
      .operands = {{.name = "ID", .takes = Takes::crash, .is_needed = false}},
      .options = {},
      .run = &show_crash};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
