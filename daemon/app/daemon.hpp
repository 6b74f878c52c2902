// SPDX-License-Identifier: Apache-2.0
//
// One run of the daemon: boots by an ordered list of steps, runs the event loop, and stops in
// order.
//
// Everything that happens after the actors have started is an event of the loop: signals, and the
// calls of the SystemListener, which worker threads post.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "actor/config_snapshot.hpp"
#include "app/core_dumps.hpp"
#include "app/health.hpp"
#include "app/stop_phases.hpp"
#include "app/stop_watch.hpp"
#include "app/unused_signals.hpp"
#include "base/result.hpp"
#include "config/boot_error.hpp"
#include "loader/plugin_code.hpp"
#include "log/hub.hpp"
#include "os/event_loop.hpp"
#include "os/file_lock.hpp"
#include "os/passed_sockets.hpp"
#include "os/service_manager.hpp"
#include "os/signal_watch.hpp"
#include "sinks/secret_mask.hpp"
#include "system/system_listener.hpp"

namespace actord::config {
struct Configuration;
class Runtime;
}  // namespace actord::config

namespace actord::sinks {
class HistoryFile;
class LogHistory;
class LogWriter;
}  // namespace actord::sinks

namespace actord::app {

class ActorOrders;
class ActorQuestions;
class ActorSpawns;
class ActorStarts;
class ActorWatch;
class AdminThread;
class AdminVerbs;
class BackgroundReader;
class BusiestActors;
class CrashAccount;
class CrashRecord;
class DaemonMetrics;
class DaemonStatus;
class HttpAnswers;
class HttpThread;
class JournalDesk;
class LogLevels;
class MailboxWatch;
class PluginExit;
class PluginFolders;
class PluginWatch;
class QuarantinedMessages;
class Reloader;
class StackProbe;
class Watchdog;

/// Threads: main thread.
class Daemon {
 public:
  /// `configuration` outlives the daemon.
  explicit Daemon(const config::Configuration& configuration);
  ~Daemon();

  /// Boots, runs until a stop, and calls exit() with the exit status. The object still lives then,
  /// and writes the last line of the log when the static objects of the plugins are destroyed. One
  /// object in a process; called once.
  [[noreturn]] void run();

 private:
  using Done = base::Result<void, config::BootError>;
  using Step = Done (Daemon::*)();
  enum class Phase : std::uint8_t { booting, running, stopping };

  static std::span<const Step> boot_steps();
  Done run_step(Step step);

  // ---- boot steps; boot_steps() gives their order ----
  Done make_state_directory();
  Done lock_state_directory();
  Done keep_history();
  Done account_for_crash();
  Done serve_http();
  Done open_log();
  Done open_admin_socket();
  Done make_runtime();
  Done build_snapshot();
  Done start();

  // ---- events of the loop ----
  void on_signal(const os::Signal& received);
  void on_ready();
  void on_child_lost(const system::LostChild& lost);
  void on_configured_actors_changed();
  /// A configured actor is lost, and actord.on-actor-lost = exit.
  void on_actor_lost(const std::string& text);
  void on_journal_changed();
  void on_stopping_by_itself(system::TerminationCause::Kind kind);

  /// Logs the warnings that were not logged before.
  void log_warnings(const hocon::Diagnostics& warnings);
  void protect_secrets();
  void log_unusable_journal(const std::string& socket, int error);
  /// Runs the phases of the shutdown, the first one first or `from`.
  void begin_stopping(std::string_view reason, const std::string& from = {});
  /// An operator wants that. False: actord is stopping already.
  bool shut_down_from(const std::string& phase);
  /// Stops the actors.
  void on_phases_over(const std::string& aborted_in);
  /// Waits for the reader, then ends the event loop.
  void on_stopped();
  void on_stop_timeout(const std::string& left);
  /// Whether a stop signal that has just arrived is a second request, and not the first one or a
  /// duplicate of it.
  bool is_second_request();
  /// The same as on_signal(), on the thread of the PluginWatch while a plugin blocks the main
  /// thread.
  void on_signal_at_end(int signal, const loader::PluginCode::Running& code);
  /// Detaches the plugins, destroys the runtime and exits.
  [[noreturn]] void end();
  int wanted_status(config::ExitCode code) const;
  void destroy_runtime();
  /// The last part of exit(): writes the last log lines.
  void finish();
  void close_log();
  void print_error(std::string_view text) const;
  /// Ends the process without stopping the actors.
  [[noreturn]] void end_at_once(int status, std::string reason);
  /// Logs and prints that a plugin exits the process.
  void report_plugin_exit(const config::BootError& error);
  /// Logs the event `daemon.stopped`.
  void log_stopped(int status);
  void log_stopped(int status, std::string_view reason, const config::BootError* error);
  /// Runs `call` on the event loop's thread; called on worker threads.
  void post(std::function<void()> call);

  const config::Configuration& configuration_;
  const std::int64_t started_ns_, started_wall_ns_;
  const std::uint64_t boot_id_;
  const std::string journal_stream_;  // the value of JOURNAL_STREAM; empty: not set
  std::vector<os::PassedSocket> passed_sockets_{os::take_passed_sockets()};
  const std::optional<std::int64_t> watchdog_timeout_ns_;
  log::Hub hub_;
  sinks::SecretMask mask_;
  CoreDumps core_dumps_;
  const std::unique_ptr<os::EventLoop> loop_;
  os::ServiceManager service_manager_;
  os::SignalWatch signals_;
  UnusedSignals unused_signals_;
  const bool is_on_terminal_;
  StopPhases stop_phases_{*loop_, hub_, service_manager_};
  StopWatch stop_watch_{*loop_, hub_, service_manager_};
  Health health_;
  std::unique_ptr<CrashRecord> crash_record_;
  std::set<std::tuple<std::string, unsigned, unsigned, std::string>>
      warned_;  // already logged, by position and message
  std::unique_ptr<sinks::LogHistory> history_;
  std::unique_ptr<sinks::LogWriter> writer_;
  std::unique_ptr<sinks::HistoryFile> history_file_;
  std::unique_ptr<PluginExit> plugin_exit_;
  std::unique_ptr<CrashAccount> crash_account_;
  std::unique_ptr<config::Runtime> runtime_;
  actor::ConfigSnapshotPtr first_snapshot_;  // set from build_snapshot() to start()
  // Made together with the runtime, which they use. No request comes before: the loop runs later.
  std::unique_ptr<BackgroundReader> reader_;
  std::unique_ptr<PluginFolders> plugin_folders_;
  std::unique_ptr<Reloader> reloader_;
  std::unique_ptr<ActorStarts> actor_starts_;
  std::unique_ptr<ActorQuestions> actor_questions_;
  std::unique_ptr<ActorOrders> actor_orders_;
  std::unique_ptr<QuarantinedMessages> quarantined_messages_;
  std::unique_ptr<DaemonStatus> status_report_;
  std::unique_ptr<BusiestActors> busiest_actors_;
  std::unique_ptr<LogLevels> log_levels_;
  std::unique_ptr<ActorSpawns> actor_spawns_;
  std::unique_ptr<JournalDesk> journal_desk_;
  std::unique_ptr<AdminVerbs> admin_verbs_;
  const std::unique_ptr<StackProbe> stack_probe_;
  std::unique_ptr<MailboxWatch> mailbox_watch_;
  std::unique_ptr<ActorWatch> actor_watch_;
  std::unique_ptr<Watchdog> watchdog_;
  std::unique_ptr<DaemonMetrics> metrics_;
  std::unique_ptr<HttpAnswers> http_answers_;
  std::unique_ptr<AdminThread> admin_thread_;
  std::unique_ptr<HttpThread> http_thread_;
  std::optional<os::FileLock> state_lock_;
  std::unique_ptr<PluginWatch> plugin_watch_;         // from end() to finish()
  std::optional<loader::PluginCode> ending_plugins_;  // from destroy_runtime() to finish()

  Phase phase_ = Phase::booting;
  bool is_ready_ = false;
  bool is_draining_ = false;  // an operator wants no more work to be sent here
  bool is_aborted_ = false;   // the phases of the shutdown were
  bool is_orderly_ = false;   // nothing has gone wrong; set in end()
  bool is_log_closing_ = false;
  // time of the first stop request on the monotonic clock
  std::optional<std::int64_t> stop_requested_ns_;
  std::string reason_ = "boot-failed";
  std::optional<config::BootError> boot_error_;
  int status_ = 0;  // the exit status; set in end()

  // The daemon whose end() has called exit(); null: if there is an exit(), others call it.
  static inline Daemon* exiting_ = nullptr;
};

}  // namespace actord::app
