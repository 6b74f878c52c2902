// SPDX-License-Identifier: Apache-2.0
#include "ctl/daemon_client.hpp"
#include "ctl/plugin_text.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit rescan_plugins(const Call& call) {
  Exit exit = Exit::ok;
  const auto answer =
      ask_daemon(call, "plugin.rescan", wire::Json::object(), plugin_list_shape(), exit);
  if (answer) print_plugins(call, *answer);
  return exit;
}

}  // namespace

Verb plugin_rescan_verb() {
  Verb verb{.group = "plugin",
            .name = "rescan",
            .summary = "look at the files in the folders of plugins now",
            .description =
                "Has the daemon look at every file in its folders of plugins, whatever\n"
                "actord.plugins.autoload says, and prints what it knows then, as actorctl\n"
                "plugin list does. A file whose content was judged before is not tried again.\n"
                "\n"
                "The daemon sees by itself what is put into its folders, except on a network\n"
                "file system that another machine writes to, or with autoload = off.",
            .operands = {},
            .options = {},
            .run = &rescan_plugins};
  return with_tables(with_names(with_daemon_options(std::move(verb))));
}

}  // namespace actord::ctl
