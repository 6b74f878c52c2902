// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/configuration_choice.hpp"
#include "ctl/json_output.hpp"
#include "ctl/plugin_file.hpp"
#include "ctl/plugin_page.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"
#include "loader/plugin_loader.hpp"

namespace actord::ctl {

namespace {

/// The file of the operand, which is one or the name of a plugin in the folders of plugins.
base::Result<std::string, Failure> file_of(const Call& call, const std::string& operand) {
  if (is_plugin_file(operand)) return operand;
  std::vector<std::string> folders = call.values("plugin-path");
  for (std::string& folder : loader::default_plugin_folders()) folders.push_back(std::move(folder));
  const auto found = loader::PluginLoader(std::move(folders), {}).find(operand);
  if (!found) return Failure{Exit::missing, found.error().what, found.error().help};
  return found.value();
}

Exit document(const Call& call) {
  const auto file = file_of(call, call.operands.front());
  if (!file) return report_failure(call, file.error());
  const auto plugin = examine_plugin_file(call, *file);
  if (!plugin) return report_failure(call, plugin.error());
  const PluginPage page = page_of(plugin->scan.description->table(), plugin->image->file());
  if (call.is_json()) print_json(call.out, json_of(page));
  else if (call.value("output") == "markdown") call.out << markdown_of(page);
  else call.out << text_of(page);
  return Exit::ok;
}

}  // namespace

Verb plugin_doc_verb() {
  Option output = output_option();
  output.words.push_back("markdown");
  output.help = "text (the default), markdown, for a page of documentation, or json";
  return {.group = "plugin",
          .name = "doc",
          .summary = "print what a plugin declares",
          .description =
              "Prints the behaviours of a plugin, with the keys of their config and the messages\n"
              "that they take in each of their states, its messages with their fields, its\n"
              "failures with their bases, and its configurators. PLUGIN is a file, or the name\n"
              "of a plugin in one of the folders of --plugin-path or in that of the daemon.\n"
              "\n"
              "No daemon is needed: a process of its own, which may only compute and read files,\n"
              "looks at the plugin. The exit status is 65 if the file is refused, 66 if there is\n"
              "none.\n"
              "\n"
              "  actorctl plugin doc crawler\n"
              "  actorctl plugin doc build/demo.so -o markdown >demo-page.txt",
          .operands = {{.name = "PLUGIN", .takes = Takes::file}},
          .options = {{.name = "plugin-path",
                       .letter = 'p',
                       .takes = Takes::folder,
                       .argument = "DIR",
                       .help = "look for the plugin in DIR first; may be repeated",
                       .repeats = true},
                      trust_option(),
                      output},
          .run = &document};
}

}  // namespace actord::ctl
