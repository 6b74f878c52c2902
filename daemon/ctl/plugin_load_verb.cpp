// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/daemon_client.hpp"
#include "ctl/json_output.hpp"
#include "ctl/plugin_text.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit load_plugin(const Call& call) {
  Exit exit = Exit::ok;
  const auto plugin =
      ask_daemon(call, "plugin.load", {{"name", call.operands.front()}}, plugin_members(), exit);
  if (!plugin) return exit;
  if (call.is_json()) print_json(call.out, *plugin);
  else call.out << plugin_line(*plugin) << '\n';
  return exit;
}

}  // namespace

Verb plugin_load_verb() {
  Verb verb{.group = "plugin",
            .name = "load",
            .summary = "load a plugin, so that its actors can be created",
            .description =
                "Loads NAME.so from the folders of plugins, and from nowhere else, after the\n"
                "same checks as at a start. Until actord ends, actorctl spawn creates its\n"
                "actors. A configuration that names a behaviour of a plugin loads it, too, also\n"
                "at the next start. After actorctl plugin retire it loads the build that lies\n"
                "there now.\n"
                "\n"
                "  actorctl plugin load bank\n"
                "  actorctl spawn bank/Account",
            .operands = {{.name = "NAME", .takes = Takes::plugin}},
            .options = {},
            .run = &load_plugin};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
