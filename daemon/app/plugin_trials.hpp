// SPDX-License-Identifier: Apache-2.0
//
// Looks at files of plugins on a thread of its own, one after the other: who may change a file, its
// note, and in a process without rights what its code does when it is loaded. The event loop never
// waits for a file system or for the code of a plugin.
//
// Not here: what becomes of a file that is sound (plugin_folders.hpp).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/sync.hpp"
#include "loader/plugin_loader.hpp"
#include "os/descriptor.hpp"
#include "os/event_loop.hpp"

namespace actord::config {
class Runtime;
}  // namespace actord::config

namespace actord::app {

/// Threads: only the event loop's.
class PluginTrials {
 public:
  struct Verdict {
    enum class Kind : std::uint8_t {
      absent,     // no folder has such a file
      as_loaded,  // the plugin is loaded from a file with this content
      unchanged,  // the content is `known`
      sound,
      refused
    };
    std::string name, file;
    Kind kind = Kind::absent;
    std::uint64_t content = 0;  // tells contents apart; 0: the content was not read
    std::string version;        // empty: the note was not read
    std::optional<loader::ExaminedPlugin> plugin;  // if it is sound
    loader::Refusal refusal;
  };
  using OnVerdict = std::function<void(Verdict)>;
  using OnNames = std::function<void(std::vector<std::string>)>;

  /// Both outlive this object.
  PluginTrials(os::EventLoop& loop, const config::Runtime& runtime);
  /// Waits for the thread.
  ~PluginTrials();

  /// Judges the file that would be loaded by this name. `known`: a content that need not be tried
  /// again; 0: none. `done` is called once, later, unless stop() comes before.
  void judge(std::string name, std::uint64_t known, OnVerdict done);
  /// The plugins that have a file in one of the folders.
  void list_names(OnNames done);
  /// Ends a trial that is under way, and waits for the thread, at most a second. No `done` is
  /// called any more.
  void stop();
  /// Only after stop(): a file system does not answer, and the thread was left running.
  bool is_still_running() const noexcept { return thread_.joinable(); }

 private:
  using Report = std::function<void()>;  // runs on the event loop
  using Job = std::function<Report()>;   // runs on the thread

  void add(Job job);
  void start_next();
  Verdict verdict_on(const std::string& name, std::uint64_t known) const;

  os::EventLoop& loop_;
  const config::Runtime& runtime_;
  os::Descriptor cancelled_;  // becomes readable in stop()
  std::deque<Job> jobs_;      // the first one is in progress
  base::Thread thread_;
  base::Mutex mutex_;  // guards is_running_
  base::Condition has_ended_;
  bool is_running_ = false;  // a job runs
  bool is_stopping_ = false;
};

}  // namespace actord::app
