// SPDX-License-Identifier: Apache-2.0
//
// One run of the daemon: boots by an ordered list of steps, waits in its event loop, and goes down
// in order.
//
// Everything that happens after the actors have started arrives as an event of the loop: signals,
// and the milestones of the actor system, which worker threads post.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>

#include "admin/admin_server.hpp"
#include "app/admin_verbs.hpp"
#include "app/boot_error.hpp"
#include "app/configuration.hpp"
#include "app/crash_record.hpp"
#include "app/plugin_exit.hpp"
#include "app/reload.hpp"
#include "app/runtime.hpp"
#include "base/result.hpp"
#include "log/hub.hpp"
#include "os/file_lock.hpp"
#include "os/service_manager.hpp"
#include "os/signal_watch.hpp"
#include "sinks/log_writer.hpp"

namespace actord::app {

/// Main thread.
class Daemon {
 public:
  /// The configuration outlives it.
  explicit Daemon(const Configuration& configuration);
  ~Daemon();

  /// Boots, runs until the end, and answers with the exit status. Once.
  ExitCode run();

 private:
  using Done = base::Result<void, BootError>;
  using Step = Done (Daemon::*)();
  enum class Phase : std::uint8_t { booting, running, stopping };

  static std::span<const Step> boot_steps();

  // ---- the steps, in their order ----
  Done make_state_directory();
  Done lock_state_directory();
  Done open_log();
  Done open_admin_socket();
  Done make_runtime();
  Done build_snapshot();
  Done start();

  // ---- events of the loop ----
  void on_signal(int signal);
  void on_ready();
  void on_child_lost(const system::LostChild& lost);
  void on_stopping_by_itself(system::TerminationCause::Kind kind);

  void log_warnings(const hocon::Diagnostics& warnings);
  void begin_stopping(std::string_view reason);
  void on_stopped();
  void watch_the_stop(std::chrono::seconds from_now);
  void say_what_holds_up_the_stop();
  ExitCode end();
  void close_log();
  void say_on_screen(std::string_view text) const;
  std::string configured_actors() const;  // how many there are, for people
  [[noreturn]] void end_at_once(int signal, std::string reason);
  void say_plugin_exits(const BootError& error);
  void say_stopped(int status);
  void say_stopped(int status, std::string_view reason, const BootError* error);
  template <class Handler>
  void post(Handler handler);
  BootError lost_child_error(const system::LostChild& lost) const;

  const Configuration& configuration_;
  const std::int64_t started_ns_;
  const std::uint64_t boot_id_;
  os::ServiceManager service_manager_;
  log::Hub hub_;
  boost::asio::io_context loop_{1};
  os::SignalWatch signals_;
  const bool is_on_terminal_;
  boost::asio::steady_timer stop_watch_{loop_};
  std::optional<CrashRecord> crash_record_;
  std::set<std::tuple<std::string, unsigned, unsigned, std::string>>
      warned_;  // of the start, by place and message
  std::optional<sinks::LogWriter> writer_;
  std::optional<PluginExit> plugin_exit_;
  std::optional<Runtime> runtime_;
  actor::ConfigSnapshotPtr first_snapshot_;  // between draw() and start()
  BackgroundReader reader_;
  Reloads reloads_;
  AdminVerbs admin_verbs_;
  std::optional<admin::Server> admin_server_;
  std::optional<os::FileLock> state_lock_;

  Phase phase_ = Phase::booting;
  bool is_ready_ = false;
  std::size_t lost_children_ = 0;  // configured ones, before READY
  bool is_log_closing_ = false;
  std::optional<std::int64_t> asked_to_stop_ns_;  // when, on the monotonic clock
  std::int64_t stopping_ns_ = 0;                  // since when, on that clock
  std::string reason_ = "boot-failed";
  std::optional<BootError> boot_error_;
};

}  // namespace actord::app
