// SPDX-License-Identifier: Apache-2.0
//
// The folders of plugins while actord runs: what is put there is looked at, told of, and with
// actord.plugins.autoload = on loaded. Each content of a file is told of once.
//
// What is loaded is registered by the thread of the BackgroundReader, as by a reload, so that
// reloads and this never use the runtime at the same time.
//
// Not here: how a file is judged (plugin_trials.hpp), and plugins that the configuration names
// (reload.hpp).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/plugin_trials.hpp"
#include "app/settled_names.hpp"
#include "config/exit_codes.hpp"
#include "loader/plugin_loader.hpp"
#include "log/hub.hpp"
#include "os/event_loop.hpp"
#include "os/folder_watch.hpp"
#include "schema/known_words.hpp"
#include "wire/control_message.hpp"

namespace actord::config {
struct Configuration;
class Runtime;
}  // namespace actord::config

namespace actord::app {

class BackgroundReader;

/// Threads: only the event loop's.
class PluginFolders {
 public:
  /// What came of an order. `json` is the plugin, as list() has it, or {"help"}.
  struct Outcome {
    config::ExitCode code = config::ExitCode::ok;
    std::string reason = {};
    wire::Json json = wire::Json::object();
  };
  using Done = std::function<void(Outcome)>;

  /// All arguments outlive this object.
  PluginFolders(os::EventLoop& loop, log::Hub& hub, config::Runtime& runtime,
                BackgroundReader& reader);

  /// The actors have started. Nothing happens before.
  void begin(schema::PluginAutoload autoload);
  /// A reload has been carried out; maybe it has loaded a plugin.
  void apply(schema::PluginAutoload autoload);
  void stop();
  bool is_still_running() const noexcept { return trials_.is_still_running(); }

  /// Looks at all files now, whatever `autoload` is. `done` gets {"plugins"}, as list() has it.
  void rescan(const Done& done);
  /// Loads the plugin from its folder, unless it is loaded.
  void load(const std::string& name, const Done& done);
  /// From now on no actors of the plugin are created by name. Refused while actors of `running`
  /// are of it, or another plugin has asked for an extension of it.
  void retire(const std::string& name, const config::Configuration& running, const Done& done);

  /// {"name","state","version","behaviours","file"} of each plugin that is known, by its name, the
  /// loaded ones first; also
  /// "newer" with the "version" of a file that waits for the next start, and of one that is not
  /// loaded for a reason "reason" and "help". The state is loaded, retired, verified, rejected,
  /// broken or quarantine.
  wire::Json list() const;

 private:
  /// A file that no loaded plugin was made from.
  struct Known {
    std::string state, file, version, reason = {}, help = {};
    std::vector<std::string> behaviours = {};
    std::uint64_t content = 0;
    bool is_newer = false;  // a plugin of that name was loaded from another content
  };
  using Verdict = PluginTrials::Verdict;
  enum class When : std::uint8_t { at_start, while_running };

  void scan(When when);
  void on_file(std::string_view file);
  void on_settled();
  void arm();
  void look(const std::string& name, When when, std::function<void()> then);
  void on_verdict(Verdict verdict, When when, const std::function<void()>& then);
  void on_sound(Verdict verdict, When when, const std::function<void()>& then);
  void on_refused(const Verdict& verdict);
  void refuse(const std::string& name, Known now);
  /// `done` gets the reason why it is not loaded; null: it is.
  void adopt(loader::ExaminedPlugin plugin,
             const std::function<void(const loader::Refusal*)>& done);
  bool is_retired(std::string_view name) const;
  std::vector<std::string> extension_users(const std::string& name) const;
  wire::Json json_of(const std::string& name) const;
  Outcome outcome_of(const loader::Refusal& refusal) const;

  log::Hub& hub_;
  config::Runtime& runtime_;
  BackgroundReader& reader_;
  schema::PluginAutoload autoload_ = schema::PluginAutoload::off;
  PluginTrials trials_;
  SettledNames settled_;
  os::Timer quiet_;
  os::FolderWatch watch_;
  std::map<std::string, Known, std::less<>> known_;  // by the plugin's name
  bool has_begun_ = false, is_stopping_ = false;
};

}  // namespace actord::app
