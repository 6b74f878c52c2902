// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <ostream>

#include "config/exit_codes.hpp"
#include "ctl/configuration_choice.hpp"
#include "ctl/json_output.hpp"
#include "ctl/plugin_page.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"
#include "loader/plugin_loader.hpp"

namespace actord::ctl {

namespace {

/// Whether the operand is a file, and not the name of a plugin.
bool is_file(const std::string& operand) {
  return operand.find('/') != operand.npos || operand.ends_with(".so");
}

Exit status_of(loader::Refusal::Kind kind) {
  using Kind = loader::Refusal::Kind;
  switch (kind) {
    case Kind::missing: return Exit::missing;
    case Kind::not_permitted: return Exit::not_permitted;
    case Kind::refused:
    case Kind::withheld: break;
  }
  return exit_of(config::ExitCode::plugin_refused);
}

/// Looks at the plugin in a process of its own, with the checks of a start.
base::Result<loader::LoadedPlugin, loader::Refusal> look_at(const Call& call,
                                                            const std::string& operand) {
  std::vector<std::string> folders = call.values("plugin-path");
  std::string name = operand;
  if (is_file(operand)) {
    const std::filesystem::path path = std::filesystem::absolute(operand);
    folders = {path.parent_path().string()};
    name = path.extension() == ".so" ? path.stem().string() : path.filename().string();
  } else {
    for (std::string& folder : loader::default_plugin_folders())
      folders.push_back(std::move(folder));
  }
  const loader::PluginLoader plugins(std::move(folders), loader::developer_trust());
  return plugins.load(name, loader::LoadMode::look);
}

Exit document(const Call& call) {
  const auto plugin = look_at(call, call.operands.front());
  if (!plugin) {
    const loader::Refusal& refusal = plugin.error();
    const std::string what =
        refusal.file.empty() ? refusal.what : refusal.file + ": " + refusal.what;
    return report_failure(call, {status_of(refusal.kind), what, refusal.help});
  }
  const PluginPage page = page_of(*plugin->table, plugin->file);
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
                      output},
          .run = &document};
}

}  // namespace actord::ctl
