// SPDX-License-Identifier: Apache-2.0
//
// The verbs of AdminVerbs about plugins: plugin.list, plugin.inspect, plugin.load, plugin.rescan,
// plugin.retire.
#include <algorithm>

#include "app/admin_verbs.hpp"
#include "app/reload.hpp"
#include "app/reply_size.hpp"
#include "config/configuration.hpp"
#include "config/json_forms.hpp"
#include "config/plugin_summary.hpp"
#include "config/runtime.hpp"

namespace actord::app {

using config::text_in;

void AdminVerbs::list_plugins(const Received& from) {
  wire::Json plugins = parts_.plugins.list();
  cut_list(plugins, "plugins");
  reply_with(from.responder, config::ExitCode::ok, {}, std::move(plugins));
}

void AdminVerbs::inspect_plugin(const Received& from) {
  const std::string name = text_in(from.arguments, "name");
  const auto loaded = parts_.runtime.loaded_plugins();
  const auto found = std::ranges::find_if(
      loaded, [&](const auto& each) { return each.name == name && !each.is_retired; });
  if (found == loaded.end())
    return reply_with(from.responder, config::ExitCode::command_line,
                      "no plugin \"" + name + "\" is loaded",
                      {{"help",
                        "actorctl plugin list has the plugins, and plugin inspect also "
                        "takes the path of a file"}});
  wire::Json summary = config::plugin_summary(*found->table);
  summary["file"] = found->image->file();
  cut_texts(summary);
  reply_with(from.responder, config::ExitCode::ok, {}, std::move(summary));
}

PluginFolders::Done AdminVerbs::telling(const admin::Responder& responder) const {
  return [this, responder](PluginFolders::Outcome outcome) {
    if (outcome.json.contains("plugins")) cut_list(outcome.json, "plugins");
    cut_texts(outcome.json);
    reply_with(responder, outcome.code, std::move(outcome.reason), std::move(outcome.json));
  };
}

void AdminVerbs::load_plugin(const Received& from) {
  parts_.plugins.load(text_in(from.arguments, "name"), telling(from.responder));
}

void AdminVerbs::rescan_plugins(const Received& from) {
  parts_.plugins.rescan(telling(from.responder));
}

void AdminVerbs::retire_plugin(const Received& from) {
  parts_.plugins.retire(text_in(from.arguments, "name"), parts_.reloader.running(),
                        telling(from.responder));
}

}  // namespace actord::app
