// SPDX-License-Identifier: Apache-2.0
//
// Records which plugin's code runs in this process, outside of actors, while the plugin is loaded,
// attached or detached, or while the process ends. Such code may crash, exit or never return. The
// code that reports this finds the plugin's file here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace actord::loader {

/// While the object lives, this thread runs code of the plugin `file`. At most one object in a
/// process.
class PluginCode {
 public:
  enum class Phase : std::uint8_t {
    load,    // static initialisers, the entry function, attach, validate
    detach,  // the function of that name
    end      // static destructors, and what plugins have given to the actor system
  };

  /// Phase::end: `file` is empty, since the code of all plugins runs in turn.
  explicit PluginCode(const std::string& file, Phase phase = Phase::load);
  ~PluginCode();
  PluginCode(const PluginCode&) = delete;
  PluginCode& operator=(const PluginCode&) = delete;

  struct Running {
    std::string file;
    Phase phase = Phase::load;
    int thread_id = 0;
    std::int64_t since_ns = 0;  // on the monotonic clock
  };
  /// The plugin whose code runs now. Threads: any.
  static std::optional<Running> running();
  /// The plugin whose code runs on `thread_id`, which is the calling thread; null: none.
  /// Async-signal-safe.
  static const Running* run_by(int thread_id) noexcept;
};

}  // namespace actord::loader
