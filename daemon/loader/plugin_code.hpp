// SPDX-License-Identifier: Apache-2.0
//
// Records which plugin's code runs in this process while the plugin is loaded or attached: static
// initialisers, the entry function, attach. Such code may crash, exit or never return. The code
// that reports this finds the plugin's file here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace actord::loader {

/// While the object lives, this thread runs code of the plugin `file`. At most one object in a
/// process.
class PluginCode {
 public:
  explicit PluginCode(const std::string& file);
  ~PluginCode();
  PluginCode(const PluginCode&) = delete;
  PluginCode& operator=(const PluginCode&) = delete;

  struct Running {
    std::string file;
    std::int64_t since_ns = 0;  // on the monotonic clock
  };
  /// The plugin whose code runs now. Threads: any.
  static std::optional<Running> running();
  /// The plugin's file if its code runs on `thread_id`, which is the calling thread; otherwise
  /// empty. Async-signal-safe.
  static std::string_view file_run_by(int thread_id) noexcept;
};

}  // namespace actord::loader
