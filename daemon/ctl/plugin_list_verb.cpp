// SPDX-License-Identifier: Apache-2.0
#include "ctl/daemon_client.hpp"
#include "ctl/plugin_text.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit list_plugins(const Call& call) {
  Exit exit = Exit::ok;
  const auto answer =
      ask_daemon(call, "plugin.list", wire::Json::object(), plugin_list_shape(), exit);
  if (answer) print_plugins(call, *answer);
  return exit;
}

}  // namespace

Verb plugin_list_verb() {
  Verb verb{.group = "plugin",
            .name = "list",
            .summary = "show the plugins that are loaded, and those that lie in the folders",
            .description =
                "Lists the plugins that the daemon knows: those that are loaded, and unless\n"
                "actord.plugins.autoload is off those that lie in its folders. The states:\n"
                "\n"
                "  loaded       its actors can be created; a note says if another build of it\n"
                "               lies there, which takes effect at the next start of actord\n"
                "  verified     it can be loaded: actorctl plugin load\n"
                "  rejected     it cannot; the note says why\n"
                "  broken       its code crashes, hangs or exits when it is loaded\n"
                "  quarantine   it has crashed actord, and is not loaded (actorctl crash list)\n"
                "  retired      no more actors of it are created; those that run go on\n"
                "\n"
                "  actorctl plugin list -o wide",
            .operands = {},
            .options = {},
            .run = &list_plugins};
  return with_tables(with_names(with_daemon_options(std::move(verb))));
}

}  // namespace actord::ctl
