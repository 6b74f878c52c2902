// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/daemon_client.hpp"
#include "ctl/reload_answer.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit revert(const Call& call) {
  Exit exit = Exit::ok;
  auto client = connect(call, exit);
  if (!client) return exit;
  const auto reply = client->ask("config.revert", wire::Json::object(), reload_shape());
  exit = report_reload(call, reply);
  if (exit == Exit::ok && !call.is_json())
    call.out
        << "the files still have what was taken back: a reload or a restart reads them again\n";
  return exit;
}

}  // namespace

Verb revert_verb() {
  Verb verb{.group = "config",
            .name = "revert",
            .summary = "take the last reload back",
            .description =
                "Lets the configuration before the last reload take effect again, or that before\n"
                "all reloads that wait to be confirmed. The daemon has kept it; no file is read,\n"
                "and none is changed. A second revert takes the first one back.\n"
                "\n"
                "  actorctl config revert",
            .operands = {},
            .options = {},
            .run = &revert};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
