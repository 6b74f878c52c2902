// SPDX-License-Identifier: Apache-2.0
//
// What a worker was doing when its thread crashed: for the record that is written before the
// process ends (supervision.md 179j). Not here: signals (daemon/os) and the record (daemon/app).
#pragma once

#include <cstdint>
#include <string_view>

#include "actor/thread_state.hpp"

namespace actord::system {

/// The texts are those of the system, or lie in the object itself.
class CrashSite {
 public:
  /// Of the calling thread. Async-signal-safe: takes no lock, allocates nothing, and reads only
  /// what the thread itself holds alive. False if it is no worker, or runs no actor right now.
  bool look() noexcept;

  std::string_view path;       // "/user/crawler"; cut at the top if it is very long
  std::string_view behaviour;  // "crawler/Master"
  std::string_view plugin;     // "crawler"
  std::string_view version;    // of the plugin
  std::string_view message;    // the type being handled; empty outside a handler
  std::uint32_t incarnation = 0;

  /// The calling thread is that worker from now on; null: no longer one.
  static void is_worker(const actor::ThreadState* thread) noexcept;

 private:
  void put(std::string_view text) noexcept;
  void put_name(const actor::Cell& cell) noexcept;

  char text_[1024];
  char* begin_ = text_ + sizeof text_;  // the path grows from its end to its start
};

}  // namespace actord::system
