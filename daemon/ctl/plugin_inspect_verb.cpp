// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "config/plugin_summary.hpp"
#include "ctl/daemon_client.hpp"
#include "ctl/json_output.hpp"
#include "ctl/plugin_file.hpp"
#include "ctl/plugin_text.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit print(const Call& call, const wire::Json& summary) {
  if (call.is_json()) print_json(call.out, summary);
  else print_plugin_summary(call.out, summary);
  return Exit::ok;
}

Exit inspect_plugin(const Call& call) {
  const std::string& which = call.operands.front();
  if (is_plugin_file(which)) {
    const auto plugin = examine_plugin_file(call, which);
    if (!plugin) return report_failure(call, plugin.error());
    wire::Json summary = config::plugin_summary(plugin->scan.description->table());
    summary["file"] = plugin->image->file();
    summary["compiler"] = plugin->note.compiler;
    return print(call, summary);
  }
  Exit exit = Exit::ok;
  const auto summary =
      ask_daemon(call, "plugin.inspect", {{"name", which}}, plugin_summary_shape(), exit);
  return summary ? print(call, *summary) : exit;
}

}  // namespace

Verb plugin_inspect_verb() {
  Verb verb{.group = "plugin",
            .name = "inspect",
            .summary = "show what a plugin has: behaviours, messages, failures, config",
            .description =
                "Shows the behaviours of a plugin with the messages that they handle and the\n"
                "keys of their config, its messages with their members, and the failures that\n"
                "it declares. For a NAME it asks the daemon, which has loaded the plugin. A\n"
                "FILE, a word with a / or .so at its end, is tried out in a process without\n"
                "rights, and needs no daemon.\n"
                "\n"
                "  actorctl plugin inspect bank\n"
                "  actorctl plugin inspect ./bank.so -o json",
            .operands = {{.name = "FILE|NAME", .takes = Takes::plugin}},
            .options = {trust_option()},
            .run = &inspect_plugin};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
