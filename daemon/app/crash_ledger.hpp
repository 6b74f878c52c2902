// SPDX-License-Identifier: Apache-2.0
//
// Tells whom to charge with the crashes of actord: it has the crashes since the last stop in order,
// and the actors and plugins that are in quarantine. It outlives the process as ledger.json in the
// folder of crashes.
//
// A crash is charged to the configured actor in which it happened, or to the nearest configured
// ancestor of that actor; outside of actors to the plugin whose code ran. Nothing is charged with
// the crash of an actor that is not configured any more, with that of a build of a plugin that is
// not there any more, with the crash of a plugin while it is detached, or with a signal that
// another process has sent.
//
// Not here: what an actor is told of it (system/crash_charges.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actor/crash_charge.hpp"
#include "base/result.hpp"
#include "settings/settings.hpp"
#include "wire/control_message.hpp"

namespace actord::app {

/// Threads: one at a time.
class CrashLedger {
 public:
  /// What a crash is charged to.
  struct Culprit {
    std::string path;   // of the configured actor that fails with it; empty: it is a plugin
    std::string front;  // the actor of the configuration: `path`, or the supervisor in front of it
    std::string plugin_file;  // of a plugin: what is charged; of an actor: its plugin, if known
    /// The text by which operators know it.
    const std::string& name() const noexcept { return path.empty() ? plugin_file : front; }
    bool is_same(const Culprit& other) const noexcept {
      return path == other.path && (!path.empty() || plugin_file == other.plugin_file);
    }
  };
  struct Entry {
    std::string id;  // of the crash
    Culprit culprit;
    std::string behaviour;  // of the configured actor; a charge holds only for an actor of that
    std::string signal;     // or "Hang"; empty: a call of exit()
    std::string what, message_type;
    std::string build;  // which build of the plugin's file crashed; empty: not known
    std::int64_t wall_ns = 0, uptime_ns = 0;
    bool is_judged = false;
  };
  /// Tells builds of a file apart; empty: there is no such file.
  using BuildOf = std::function<std::string(const std::string& file)>;
  using Nodes = std::vector<settings::Node>;

  explicit CrashLedger(BuildOf build_of) : build_of_(std::move(build_of)) {}

  /// Takes over what is in the text of a file. False: a part of it is damaged, and left out.
  /// Entries of plugins whose files have changed since are left out, too.
  bool read(std::string_view text);
  std::string text() const;

  /// Charges a crash, once, and returns what it is charged to.
  std::optional<Culprit> charge(const wire::Json& crash, const Nodes& user,
                                const settings::CrashSettings& rules);

  /// The charges of the configured actors by their paths, as of `now_ns` since 1970.
  std::vector<std::pair<std::string, actor::CrashCharge>> charges(const Nodes& user,
                                                                  std::int64_t now_ns) const;
  /// The actors have started, so every crash so far has been judged. False: all were before.
  bool judge_all();
  /// Why a plugin is in quarantine; nullopt: it is not, or its file is another one by now.
  std::optional<actor::CrashCharge> quarantine_of(const std::string& plugin_file) const;
  /// Whether this build of the plugin has crashed actord. A stop in order does not make it forget.
  bool has_crashed(const std::string& plugin_file) const;
  /// Whether the actor, or the plugin, that has this name is in quarantine.
  bool is_quarantined(const std::string& name) const;

  /// Ends the quarantine of the actor at `path`, and forgets its crashes. False: it has none.
  bool release(std::string_view path);
  /// actord stops in order: the crashes so far do not count in its next run. Quarantines last, and
  /// so does what has_crashed() says.
  void forget_crashes() { crashes_.clear(); }

 private:
  static std::optional<Culprit> culprit_of(const wire::Json& crash, const Nodes& user);
  bool is_too_often(const Entry& last, const settings::CrashSettings& rules) const;

  const BuildOf build_of_;
  std::vector<Entry> crashes_;      // the oldest first
  std::vector<Entry> quarantined_;  // the last crash of each
  std::vector<Entry> builds_;       // of plugins: the last crash of each
};

}  // namespace actord::app
