// SPDX-License-Identifier: Apache-2.0
//
// Levels of the log that an operator gives parts of the tree for some time.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "log/hub.hpp"
#include "os/event_loop.hpp"
#include "wire/control_message.hpp"

namespace actord::app {

/// Threads: only the event loop's.
class LogLevels {
 public:
  /// Both outlive this object.
  LogLevels(os::EventLoop& loop, log::Hub& hub) noexcept : loop_(loop), hub_(hub) {}

  /// The actor at `path` and all below it have that level, for so long; 0: until it is reset. There
  /// need not be such an actor yet.
  void set(const std::string& path, log::Level level, std::chrono::milliseconds time);
  /// False: the path had no level of its own.
  bool reset(const std::string& path);
  /// The level of the log, and the "actors" that have another one, with "left_ms" if it ends.
  wire::Json list() const;
  /// The timers let the event loop end.
  void stop() { ends_.clear(); }

  /// nullopt: there is no such level.
  static std::optional<log::Level> level_named(std::string_view word) noexcept;

 private:
  os::EventLoop& loop_;
  log::Hub& hub_;
  std::map<std::string, os::Timer, std::less<>> ends_;  // by path
};

}  // namespace actord::app
