// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <ostream>

#include "base/clock.hpp"
#include "ctl/daemon_client.hpp"
#include "ctl/json_output.hpp"
#include "ctl/quantity_option.hpp"
#include "ctl/reload_answer.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

/// Whether the client waits for the end of the reload; nullopt after an error message if two
/// options contradict each other.
std::optional<bool> is_waiting(const Call& call) {
  if (!call.has("no-wait")) return true;
  for (const char* const other : {"wait", "dry-run"}) {
    if (!call.has(other)) continue;
    call.err << "actorctl config reload: --no-wait and --" << other
             << " cannot be combined\n"
                "  without an option, the reload is waited for\n";
    return std::nullopt;
  }
  return false;
}

void print_accepted(const Call& call) {
  if (call.is_json()) return print_json(call.out, Json{{"outcome", "accepted"}});
  call.out << "the daemon has accepted the request; its log tells the result, as config.reloaded\n"
              "or config.rejected\n";
}

Exit reload(const Call& call) {
  const auto waits = is_waiting(call);
  if (!waits) return Exit::usage;
  Exit exit = Exit::ok;
  auto client = connect(call, exit);
  if (!client) return exit;
  Json arguments = Json::object();
  if (call.has("dry-run")) arguments["dry_run"] = true;
  if (call.has("all-or-nothing")) arguments["all_or_nothing"] = true;
  if (call.has("force")) arguments["force"] = true;
  if (call.has("confirm")) {
    using namespace std::chrono_literals;
    const auto within =
        duration_option(call, "confirm", {}, {1s, 24h, "write a duration from 1s to 1 day"}, exit);
    if (!within) return exit;
    arguments["confirm_ms"] = within->count() / base::ns_per_ms;
  }
  const auto reply = client->ask("config.reload", std::move(arguments), reload_shape(),
                                 [&](const Json&) { return *waits; });
  if (reply && reply->status == 0 && reply->result.is_null()) {
    print_accepted(call);
    return exit;
  }
  return report_reload(call, reply);
}

}  // namespace

Verb reload_verb() {
  Verb verb{
      .group = "config",
      .name = "reload",
      .summary = "reload the configuration of the daemon",
      .description =
          "Asks the daemon to read its files again and to apply what has changed, waits for\n"
          "the end, and prints what was done. If the configuration has an error, the whole\n"
          "reload is rejected, the running configuration stays, the errors are printed, and\n"
          "the exit status is that of config check. Otherwise the changes apply, except\n"
          "keys that need a restart of actord, and new actors that could not be created;\n"
          "the answer names both. For such an actor the exit status is 75, for a key it\n"
          "is 0.\n"
          "\n"
          "Actors that are gone because of a failure are started again, even if nothing has\n"
          "changed. Those that have ended by themselves stay away: see actorctl start.\n"
          "\n"
          "  actorctl config reload --dry-run\n"
          "  actorctl config reload --confirm 60s && actorctl status && actorctl config confirm",
      .operands = {},
      .options = {{.name = "no-wait",
                   .help = "exit when the daemon has accepted the request; whether the\n"
                           "configuration is accepted is in the daemon's log alone"},
                  {.name = "wait", .help = "wait for the end, which is the default"},
                  {.name = "dry-run",
                   .help = "print what a reload would change, and change nothing"},
                  {.name = "all-or-nothing",
                   .help = "change nothing if part of it needs a restart of actord"},
                  {.name = "confirm",
                   .takes = Takes::text,
                   .argument = "DURATION",
                   .help = "take it back unless actorctl config confirm comes within this\n"
                           "time, 1s to 1 day"},
                  {.name = "force",
                   .help = "reload even if nothing has changed: every actor gets the\n"
                           "configuration again, and all that have ended are started"}},
      .run = &reload};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
