// SPDX-License-Identifier: Apache-2.0
//
// The end of the daemon, when its actors have stopped or are not waited for.
#include <unistd.h>

#include <boost/asio/io_context.hpp>

#include "app/actor_watch.hpp"
#include "app/admin_thread.hpp"
#include "app/admin_verbs.hpp"
#include "app/background_reader.hpp"
#include "app/busiest_actors.hpp"
#include "app/crash_account.hpp"
#include "app/daemon.hpp"
#include "app/daemon_metrics.hpp"
#include "app/daemon_status.hpp"
#include "app/http_answers.hpp"
#include "app/http_thread.hpp"
#include "app/log_levels.hpp"
#include "app/mailbox_watch.hpp"
#include "app/plugin_folders.hpp"
#include "app/plugin_watch.hpp"
#include "app/quarantined_messages.hpp"
#include "app/reload.hpp"
#include "app/stack_probe.hpp"
#include "app/watchdog.hpp"
#include "base/clock.hpp"
#include "config/configuration.hpp"
#include "config/runtime.hpp"
#include "hocon/printable.hpp"
#include "os/exit_watch.hpp"
#include "os/process.hpp"
#include "sinks/fd_writer.hpp"
#include "sinks/history_file.hpp"
#include "sinks/journal_stream.hpp"
#include "sinks/log_writer.hpp"
#include "system/actor_system.hpp"

namespace actord::app {

using log::Level;

namespace {

/// How long the log's last lines may take to be written when the process ends at once.
constexpr std::int64_t last_lines_timeout_ns = 2 * base::ns_per_s;
constexpr std::chrono::milliseconds last_events_timeout{200};
/// The same for the events of the history, if the process ends in order.
constexpr std::chrono::milliseconds history_stop_timeout{1000};

}  // namespace

void Daemon::end() {
  using Kind = system::TerminationCause::Kind;
  config::ExitCode code = config::ExitCode::ok;
  if (boot_error_) {
    code = boot_error_->code;
  } else if (const system::TerminationCause& termination_cause =
                 runtime_->actors().termination_cause();
             termination_cause.kind == Kind::root_failed ||
             (termination_cause.kind == Kind::guardian_failed && !stop_requested_ns_)) {
    code = termination_cause.kind == Kind::root_failed ? config::ExitCode::internal
           : is_ready_                                 ? config::ExitCode::actors_stopped
                                                       : config::ExitCode::boot_failed;
    const bool is_boot = code == config::ExitCode::boot_failed;
    boot_error_ =
        config::boot_error(code, "the guardian " + termination_cause.path + " failed" +
                                     (is_boot ? " while the actors were being created" : "") +
                                     "; the log event guardian.terminated has the failure");
  }
  status_ = wanted_status(code);
  is_orderly_ = code == config::ExitCode::ok;
  if (admin_thread_) admin_thread_->close();
  if (http_thread_) http_thread_->close();
  if (runtime_) {
    plugin_watch_ = std::make_unique<PluginWatch>(
        PluginWatch::Stage::end, hub_, service_manager_, *stack_probe_,
        [this](int signal, const loader::PluginCode::Running& plugin_code) {
          on_signal_at_end(signal, plugin_code);
        });
    if (!reader_->is_using_runtime()) runtime_->detach_plugins();
    if (reader_->is_still_running() ||
        plugin_folders_->is_still_running()) {  // it may use whatever a destructor destroys
      finish();
      os::exit_at_once(status_);
    }
    ending_plugins_.emplace(std::string{}, loader::PluginCode::Phase::end);
    destroy_runtime();
  }
  exiting_ = this;
  os::exit_normally(status_);
}

/// What the configuration makes of the exit status of a stop.
int Daemon::wanted_status(config::ExitCode code) const {
  const settings::ShutdownSettings& shutdown = configuration_.settings.shutdown;
  if (is_aborted_) return static_cast<int>(code);
  if (const auto own = shutdown.exit_codes.find(reason_); own != shutdown.exit_codes.end())
    return own->second;
  return code == config::ExitCode::ok ? shutdown.exit_code : static_cast<int>(code);
}

/// Destroys what plugins have given to the actor system, before exit() destroys their static
/// objects. Handlers of the event loop that are ready now may use the runtime, so they run before.
/// Later ones do not, since no worker, reader, timer or client is left.
void Daemon::destroy_runtime() {
  phase_ = Phase::stopping;
  stop_watch_.end();
  loop_->restart();
  loop_->poll();
  if (status_report_) status_report_->stop();
  if (busiest_actors_) busiest_actors_->stop();
  if (log_levels_) log_levels_->stop();
  watchdog_.reset();
  actor_watch_.reset();
  mailbox_watch_.reset();
  admin_verbs_.reset();
  quarantined_messages_.reset();
  http_answers_.reset();
  metrics_.reset();
  reloader_.reset();
  plugin_folders_.reset();
  reader_.reset();
  first_snapshot_ = {};
  runtime_.reset();
}

void Daemon::finish() {
  ending_plugins_.reset();
  plugin_watch_.reset();
  if (crash_account_ && is_orderly_) crash_account_->on_stopped();
  if (writer_) {
    log_stopped(status_);
    close_log();
  }
  if (boot_error_) print_error(hocon::printable(boot_error_->screen));
}

/// Writes the rest of the log. The event loop runs meanwhile, so that a second signal ends the wait
/// for a slow reader of the log.
void Daemon::close_log() {
  phase_ = Phase::stopping;
  is_log_closing_ = true;
  stop_watch_.end();
  loop_->restart();
  writer_->begin_stop([this] { os::post(*loop_, [this] { loop_->stop(); }); });
  loop_->run();
  writer_->stop();
  if (history_file_) history_file_->stop_within(history_stop_timeout);
}

/// Gives up after a time limit: standard error may be a pipe without a reader.
void Daemon::print_error(std::string_view text) const {
  sinks::FdWriter writer(STDERR_FILENO);
  writer.set_timeout(sinks::LogWriter::stop_timeout_ns);
  writer.write(sinks::error_text_for(STDERR_FILENO, journal_stream_, mask_.masked(text)));
}

void Daemon::log_stopped(int status) {
  log_stopped(status, reason_, boot_error_ ? &*boot_error_ : nullptr);
}

void Daemon::log_stopped(int status, std::string_view reason, const config::BootError* error) {
  const Level level = status == 0 ? Level::info : Level::error;
  std::vector<log::Field> fields{{"reason", reason}, {"exit", status}};
  if (error != nullptr) fields.push_back({"error", error->reason});
  hub_.shared().emit(level, "daemon.stopped", "actord has stopped", fields);
}

void Daemon::end_at_once(int status, std::string reason) {
  reason_ = std::move(reason);
  hub_.set_level(Level::error);  // running actors go on logging; this leaves room for the last line
  if (!is_log_closing_) log_stopped(status);
  if (writer_) writer_->stop_within(last_lines_timeout_ns);
  if (history_file_) history_file_->stop_within(last_events_timeout);
  os::exit_at_once(status);
}

/// Called on any thread, from within the plugin's code. Nothing is cleaned up.
void Daemon::report_plugin_exit(const config::BootError& error) {
  log_stopped(static_cast<int>(error.code), "plugin-exited", &error);
  writer_->stop_within(last_lines_timeout_ns);
  if (history_file_) history_file_->stop_within(last_events_timeout);
  print_error(hocon::printable(error.screen));
}

}  // namespace actord::app
