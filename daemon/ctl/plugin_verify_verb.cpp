// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "base/counted.hpp"
#include "config/plugin_summary.hpp"
#include "ctl/json_output.hpp"
#include "ctl/plugin_file.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

/// What is not as it should be, although the plugin can be loaded.
std::vector<std::string> warnings_of(const loader::ExaminedPlugin& plugin) {
  std::vector<std::string> warnings;
  for (const std::string& each : plugin.scan.rights_left)
    warnings.push_back("the process that tries it keeps rights: " + each);
  if (plugin.note.abi_minor > ACTORD_ABI_MINOR)
    warnings.push_back("it was built for the newer interface " +
                       std::to_string(plugin.note.abi_major) + '.' +
                       std::to_string(plugin.note.abi_minor) +
                       ", and what is new there is missing in this actord");
  if (plugin.scan.description->table().n_behaviours == 0)
    warnings.emplace_back("it has no behaviour");
  return warnings;
}

Exit verify_plugin(const Call& call) {
  const auto plugin = examine_plugin_file(call, call.operands.front());
  if (!plugin) return report_failure(call, plugin.error());
  const actord_plugin& table = plugin->scan.description->table();
  const loader::PluginNote& note = plugin->note;
  const std::string& file = plugin->image->file();
  const std::vector<std::string> warnings = warnings_of(*plugin);
  if (call.is_json()) {
    print_json(call.out, {{"ok", true},
                          {"name", note.name},
                          {"version", note.version},
                          {"file", file},
                          {"warnings", warnings}});
    return Exit::ok;
  }
  for (const std::string& each : warnings)
    call.err << "actorctl: warning: " << file << ": " << each << '\n';
  call.out << "ok: " << file << " is " << note.name << ' ' << note.version << " for interface "
           << note.abi_major << '.' << note.abi_minor << ", with "
           << base::counted(table.n_behaviours, "behaviour") << " and "
           << base::counted(config::plugin_summary(table).at("messages").size(), "message") << '\n';
  return Exit::ok;
}

}  // namespace

Verb plugin_verify_verb() {
  return {.group = "plugin",
          .name = "verify",
          .summary = "check whether a file can be loaded as a plugin",
          .description =
              "Judges a plugin's file as actord does before it loads it: who may change it,\n"
              "the note with its name, interface and compiler, what happens when it is loaded,\n"
              "and its tables. It is loaded in a process of its own, which has given up its\n"
              "rights. No daemon is needed. The exit status is 65 if the file is refused, with\n"
              "what is wrong and how to mend it.\n"
              "\n"
              "  actorctl plugin verify build/bank.so",
          .operands = {{.name = "FILE", .takes = Takes::file}},
          .options = {trust_option(), output_option()},
          .run = &verify_plugin};
}

}  // namespace actord::ctl
