// SPDX-License-Identifier: Apache-2.0
//
// The actor and the message that a worker is busy with, for a signal handler that runs on its
// thread: after a crash (supervision.md 179j), or when the worker is asked what takes so long. Not
// here: signals (daemon/os) and what is written about it (daemon/app).
#pragma once

#include <cstdint>
#include <string_view>

namespace actord::actor {
struct Cell;
class ThreadState;
}  // namespace actord::actor

namespace actord::system {

/// The texts point into the system or into the CrashSite itself.
class CrashSite {
 public:
  /// Fills the fields for the calling thread. Async-signal-safe: takes no lock, allocates nothing,
  /// and reads only data that this thread keeps alive. False if the thread is no worker or runs no
  /// actor.
  bool fill() noexcept;
  /// Empties the object for another fill(). Async-signal-safe.
  void clear() noexcept;
  /// Whether the calling thread is that worker and still runs the task and the message that it ran
  /// when a look found this progress (ThreadState::progress()). Async-signal-safe.
  static bool is_still_at(std::uint64_t worker, std::uint64_t progress) noexcept;

  std::string_view path;       // "/user/crawler"; cut at the top if it is very long
  std::string_view behaviour;  // "crawler/Master"
  std::string_view plugin;     // "crawler"
  std::string_view version;    // of the plugin
  std::string_view message;    // the type being handled; empty outside a handler
  std::uint32_t incarnation = 0;

  /// The plugin of the actor that the calling thread runs; empty if it runs none.
  static std::string_view plugin_of_running_actor() noexcept;

  /// Registers the calling thread as the worker of that ThreadState; null: it is no worker any
  /// more.
  static void register_worker(const actor::ThreadState* thread) noexcept;

 private:
  // Both functions write in front of the path so far. If the buffer is too small, the front of the
  // path is cut.
  void put(std::string_view text) noexcept;
  void put_name(const actor::Cell& cell) noexcept;

  char text_[1024];
  char* begin_ = text_ + sizeof text_;  // of the path, which is written from its end to its start
};

}  // namespace actord::system
