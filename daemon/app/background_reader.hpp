// SPDX-License-Identifier: Apache-2.0
//
// Reads configurations on a thread of its own, one after the other, while actors run.
//
// Reading files may block for long, as with a pipe that has no writer or a file system whose
// server is down. The event loop never waits for it. A stop waits at most `stop_timeout`. Then the
// thread is left running and ends with the process.
//
// Not here: what is done with the configuration (reload.hpp, admin_verbs.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "base/sync.hpp"
#include "config/boot_error.hpp"
#include "config/built_snapshot.hpp"
#include "options/command_line.hpp"
#include "os/event_loop.hpp"

namespace actord::config {
struct Configuration;
class Runtime;
}  // namespace actord::config

namespace actord::sinks {
class SecretMask;
}  // namespace actord::sinks

namespace actord::app {

/// Threads: only the event loop's.
class BackgroundReader {
 public:
  /// What read() does after it has read the configuration.
  enum class ReadMode : std::uint8_t {
    // hides the secrets that loaded plugins declare; loads no plugin and builds no snapshot
    without_snapshot,
    load_only,  // loads new plugins and builds the snapshot
    attach,     // the same, and attaches the plugins: the configuration is about to take effect
  };
  struct ReadResult {
    std::shared_ptr<const config::Configuration> configuration;
    config::BuiltSnapshot built;  // empty with ReadMode::without_snapshot
    std::optional<config::BootError> error;
  };
  using Done = std::function<void(ReadResult)>;

  /// How long a stop waits for a read that is in progress.
  static constexpr std::chrono::seconds stop_timeout{1};

  /// `loop`, `runtime` and `mask` outlive the reader. `mask` gets the secrets that were read.
  BackgroundReader(os::EventLoop& loop, config::Runtime& runtime, sinks::SecretMask& mask);
  /// Waits until no read is in progress.
  ~BackgroundReader();

  /// Calls `done` once, at once or later.
  void read(options::Options options, ReadMode mode, Done done);
  /// The same for a configuration that was read before: reads no file, and checks, loads and builds
  /// as read() does.
  void read_again(std::shared_ptr<const config::Configuration> kept, ReadMode mode, Done done);
  /// Calls `work` on the thread, which may use the runtime meanwhile, and then `done` once, on the
  /// event loop. `done` gets an error if there was no time or no thread for it.
  void use_runtime(std::function<void()> work, Done done);
  /// Answers all requests, pending and future ones, with the error that actord is stopping. Calls
  /// `on_stopped` when no read is in progress or `stop_timeout` is over, at once or later.
  void stop(std::function<void()> on_stopped);

  /// Only after stop(): the thread was left running, so nothing that it may use can be destroyed.
  bool is_still_running() const noexcept { return thread_.joinable(); }
  /// The thread was left running while it loaded plugins or built a snapshot, so no other thread
  /// may use the plugins or the runtime.
  bool is_using_runtime() const noexcept { return stage_ == Stage::using_runtime; }

 private:
  struct Job {
    options::Options options;
    std::shared_ptr<const config::Configuration> kept;  // null: to be read from the files
    ReadMode mode;
    Done done;
    std::function<void()> work = {};  // if set, nothing is read
  };
  /// What the thread does; `cancelled`: stop() came first, and the thread must not use the runtime.
  enum class Stage : std::uint8_t { idle, reading_files, using_runtime, cancelled };

  void add(Job job);
  /// Starts a thread for the first job.
  void start_next();
  /// The body of the thread.
  void run(const Job& job);
  ReadResult read_and_build(const Job& job);
  /// Called on the event loop when a job's read has ended.
  void on_read(ReadResult read);

  os::EventLoop& loop_;
  config::Runtime& runtime_;
  sinks::SecretMask& mask_;
  std::deque<Job> jobs_;  // the first one is in progress
  base::Thread thread_;
  // Every access to `stage_` is seq_cst. The thread's exchange to `using_runtime` pairs with the
  // exchange to `cancelled` in stop(): only one of them succeeds. The store of `idle` at the end of
  // run() pairs with is_using_runtime(): a thread that loads `idle` sees everything that was done
  // in the runtime.
  base::Atomic<Stage> stage_{Stage::idle};
  bool is_stopping_ = false;
  std::function<void()> on_stopped_;
  os::Timer deadline_;
};

}  // namespace actord::app
