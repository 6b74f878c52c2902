// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/daemon_client.hpp"
#include "ctl/json_output.hpp"
#include "ctl/plugin_text.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit retire_plugin(const Call& call) {
  Exit exit = Exit::ok;
  const auto plugin =
      ask_daemon(call, "plugin.retire", {{"name", call.operands.front()}}, plugin_members(), exit);
  if (!plugin) return exit;
  if (call.is_json()) print_json(call.out, *plugin);
  else call.out << plugin_line(*plugin) << "\nits actors go on, and no more are created by name\n";
  return exit;
}

}  // namespace

Verb plugin_retire_verb() {
  Verb verb{.group = "plugin",
            .name = "retire",
            .summary = "create no more actors of a plugin",
            .description =
                "From now on the behaviours of the plugin are not found by their names. Its\n"
                "actors go on, and so do those that they create. Its code stays in the process.\n"
                "It is refused while the configuration names the plugin, with the actors that\n"
                "need it; take them out and reload before.\n"
                "\n"
                "After that, another build of the plugin can be loaded beside the old one, for\n"
                "new actors, without a restart of actord:\n"
                "\n"
                "  actorctl plugin retire bank\n"
                "  install -m 0644 bank.so /usr/lib/actord/plugins/\n"
                "  actorctl plugin load bank\n"
                "\n"
                "A message with the name of an old one must have the same members.",
            .operands = {{.name = "NAME", .takes = Takes::plugin}},
            .options = {},
            .run = &retire_plugin};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
