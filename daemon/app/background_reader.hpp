// SPDX-License-Identifier: Apache-2.0
//
// Configurations are read while actors run: on a thread of its own, one after the other.
//
// Files may be slow, or not answer at all: a pipe that somebody holds open, a file system whose
// server is gone. The loop does not wait for them, and a stop only for a moment: then the thread is
// left behind, which ends with the process.
//
// Not here: what is done with what was read (reload.hpp, admin_verbs.hpp).
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "app/configuration.hpp"
#include "app/runtime.hpp"
#include "base/sync.hpp"

namespace actord::app {

/// The loop's thread.
class BackgroundReader {
 public:
  /// What is done with a configuration beyond reading it.
  enum class ReadMode : std::uint8_t {
    none,       // its secrets are kept from sight, that is all: of plugins, as far as they are here
    look_only,  // it is drawn; new plugins are loaded
    attach,     // and attached: it is about to hold
  };
  struct Read {
    std::shared_ptr<const Configuration> configuration;
    Runtime::BuiltSnapshot built;  // empty without a trial
    std::optional<BootError> error;
  };
  using Done = std::function<void(Read)>;

  /// How long a stop waits for what is being read.
  static constexpr std::chrono::seconds patience{1};

  /// Both outlive it. `runtime` is asked for when there is something to read.
  BackgroundReader(boost::asio::io_context& loop, std::function<Runtime&()> runtime);
  /// Waits until nothing is being read any more.
  ~BackgroundReader();

  /// Calls back once, at once or later.
  void read(options::Options options, ReadMode mode, Done done);
  /// Whoever waits is told that actord is stopping, and so is whoever asks from now on. Calls back
  /// when nothing is being read any more or patience is over, now or later.
  void stop(std::function<void()> on_over);

  /// After a stop: the thread has been left behind, and nothing that it may look at may be
  /// destroyed.
  bool is_left_behind() const noexcept { return thread_.joinable(); }
  /// It has been left behind while it loaded plugins or drew: nobody else may touch them.
  bool is_in_runtime() const noexcept { return stage_ == Stage::in_runtime; }

 private:
  struct Job {
    options::Options options;
    ReadMode mode;
    Done done;
  };
  enum class Stage : std::uint8_t { idle, at_files, in_runtime, given_up };

  void next();
  void run(const options::Options& options, ReadMode mode, Runtime& runtime);
  Read read_and_try(const options::Options& options, ReadMode mode, Runtime& runtime);
  void on_read(Read read);

  boost::asio::io_context& loop_;
  const std::function<Runtime&()> runtime_;
  std::deque<Job> jobs_;  // the first is under way
  base::Thread thread_;
  // Everything on `stage_` is seq_cst. The exchange to `in_runtime` on the thread pairs with that
  // to `given_up` in stop(): only one of them succeeds. The store of `idle` at the end of run()
  // pairs with is_in_runtime(): who sees it sees all that was done in the runtime.
  base::Atomic<Stage> stage_{Stage::idle};
  bool is_stopping_ = false;
  std::function<void()> on_over_;
  boost::asio::steady_timer deadline_;
};

}  // namespace actord::app
