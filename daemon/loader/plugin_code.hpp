// SPDX-License-Identifier: Apache-2.0
//
// Which plugin's code runs in this process before any of its actors does: static initialisers, the
// entry, attach. Nobody can say that it comes back, so there is a note to tell it by.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace actord::loader {

/// That code of the plugin of this file runs on this thread, as long as it lives. One at a time in
/// a process.
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
  /// Any thread.
  static std::optional<Running> running();
  /// The file, if the code runs on that thread, which is the calling one; else empty.
  /// Async-signal-safe.
  static std::string_view file_run_by(int thread_id) noexcept;
};

}  // namespace actord::loader
