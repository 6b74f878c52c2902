// SPDX-License-Identifier: Apache-2.0
#include "app/daemon.hpp"

#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "app/actor_orders.hpp"
#include "app/actor_questions.hpp"
#include "app/actor_spawns.hpp"
#include "app/actor_starts.hpp"
#include "app/actor_watch.hpp"
#include "app/admin_thread.hpp"
#include "app/admin_verbs.hpp"
#include "app/background_reader.hpp"
#include "app/busiest_actors.hpp"
#include "app/core_dumps.hpp"
#include "app/crash_account.hpp"
#include "app/crash_record.hpp"
#include "app/daemon_metrics.hpp"
#include "app/daemon_status.hpp"
#include "app/http_answers.hpp"
#include "app/http_thread.hpp"
#include "app/journal_desk.hpp"
#include "app/log_levels.hpp"
#include "app/log_options.hpp"
#include "app/mailbox_watch.hpp"
#include "app/plugin_exit.hpp"
#include "app/plugin_folders.hpp"
#include "app/plugin_watch.hpp"
#include "app/quarantined_messages.hpp"
#include "app/reload.hpp"
#include "app/stack_probe.hpp"
#include "app/state_version.hpp"
#include "app/throw_sites.hpp"
#include "app/unsafe_start.hpp"
#include "app/watchdog.hpp"
#include "base/base32.hpp"
#include "base/clock.hpp"
#include "config/configuration.hpp"
#include "config/isolation.hpp"
#include "config/plugin_secrets.hpp"
#include "config/runtime.hpp"
#include "config/trust_rule.hpp"
#include "hocon/printable.hpp"
#include "os/exit_watch.hpp"
#include "os/files.hpp"
#include "os/process.hpp"
#include "sinks/history_file.hpp"
#include "sinks/log_history.hpp"
#include "sinks/log_writer.hpp"
#include "system/actor_system.hpp"

namespace actord::app {

using log::Level;

namespace {

/// A second stop signal within this time is the same request. timeout(1) sends one signal to the
/// process and one to its process group, and so does a terminal with a wrapper that forwards
/// signals.
constexpr std::int64_t duplicate_signal_ns = 250 * base::ns_per_ms;

/// How long the start waits until the event of a crash is kept: its actor may crash at once again.
constexpr std::chrono::milliseconds crash_event_timeout{200};

}  // namespace

Daemon::Daemon(const config::Configuration& configuration)
    : configuration_(configuration),
      started_ns_(base::monotonic_ns()),
      started_wall_ns_(KeyHistory::moment_of(1).wall_ns),
      boot_id_(os::new_boot_id()),
      journal_stream_(os::environment_variable("JOURNAL_STREAM").value_or("")),
      watchdog_timeout_ns_(os::take_watchdog_timeout_ns()),
      hub_(&base::monotonic_ns, hub_options_of(configuration.settings)),
      loop_(std::make_unique<os::EventLoop>(1)),
      service_manager_(*loop_, os::environment_variable("NOTIFY_SOCKET")),
      signals_(*loop_, {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGPOLL, SIGPWR}),
      unused_signals_(hub_),
      is_on_terminal_(os::is_on_terminal()),
      health_(*loop_, hub_, service_manager_, mask_,
              [this](const std::string& text) { on_actor_lost(text); }),
      stack_probe_(std::make_unique<StackProbe>()) {}

Daemon::~Daemon() = default;

// ---- boot -----------------------------------------------------------------------------------

std::span<const Daemon::Step> Daemon::boot_steps() {
  static constexpr Step steps[] = {
      &Daemon::open_log,          &Daemon::make_state_directory,
      &Daemon::open_admin_socket, &Daemon::lock_state_directory,
      &Daemon::keep_history,      &Daemon::account_for_crash,
      &Daemon::serve_http,        &Daemon::make_runtime,
      &Daemon::build_snapshot,    &Daemon::start,
  };
  return steps;
}

void Daemon::run() {
  // Before any plugin is loaded: exit() runs its handlers in reverse order, so this one runs after
  // the static destructors of all plugins. In an exit() that others call it does nothing.
  std::atexit([] {
    if (exiting_ != nullptr) exiting_->finish();
  });
  signals_.listen([this](const os::Signal& signal) { on_signal(signal); });
  for (const Step step : boot_steps()) {
    auto done = run_step(step);
    if (done.ok()) continue;
    boot_error_ = std::move(done).error();
    end();
  }
  loop_->run();  // returns when the root guardian has stopped
  runtime_->actors().join();
  actor_watch_->stop();
  mailbox_watch_->stop();
  watchdog_->stop();
  end();
}

/// A want of memory or threads is an error of the start, too.
Daemon::Done Daemon::run_step(Step step) {
  try {
    return (this->*step)();
  } catch (const std::bad_alloc& error) {
    return config::boot_error(config::ExitCode::operating_system,
                              std::string{"the memory does not suffice: "} + error.what());
  } catch (const std::system_error& error) {
    return config::boot_error(config::ExitCode::operating_system, error.what(),
                              error.code() == std::errc::resource_unavailable_try_again
                                  ? "the limit on threads must be raised: TasksMax= of the unit, "
                                    "or ulimit -u"
                                  : "");
  }
}

Daemon::Done Daemon::make_state_directory() {
  const settings::Settings& settings = configuration_.settings;
  const auto made = os::make_directory(settings.state_directory);
  if (!made) return config::state_directory_error(settings, made.error());
  log_unsafe_start(hub_, settings.state_directory);
  return {};
}

Daemon::Done Daemon::open_log() {
  sinks::LogWriterOptions wanted = log_options_of(configuration_.settings);
  wanted.boot_id = base::base32(boot_id_);
  wanted.error_fd = STDERR_FILENO;
  wanted.journal_stream = journal_stream_;
  wanted.mask = &mask_;
  history_ = std::make_unique<sinks::LogHistory>(sinks::envelope_of(wanted),
                                                 configuration_.settings.log.history_bytes);
  wanted.history = history_.get();
  writer_ = std::make_unique<sinks::LogWriter>(hub_, wanted);
  crash_record_ = std::make_unique<CrashRecord>(wanted, writer_->output().output);
  writer_->start();
  plugin_exit_ = std::make_unique<PluginExit>(
      hub_, *crash_record_, [this](const config::BootError& error) { report_plugin_exit(error); });

  const std::vector<std::string> files = config::files_read(configuration_);
  const std::vector<std::string_view> names(files.begin(), files.end());
  hub_.shared().emit(
      Level::info, "daemon.starting", "actord is starting",
      {{"version", ACTORD_VERSION},
       {"abi", ACTORD_TEXT_OF(ACTORD_ABI_MAJOR) "." ACTORD_TEXT_OF(ACTORD_ABI_MINOR)},
       {"config.files", std::span<const std::string_view>(names)},
       {"state_dir", configuration_.settings.state_directory},
       {"plugins.trust", loader::name_of(config::plugin_trust(configuration_).rule)}});
  if (const int error = writer_->output().journal_error; error != 0)
    log_unusable_journal(wanted.journal_socket, error);
  log_warnings(config::warnings_of(configuration_));
  return {};
}

void Daemon::log_unusable_journal(const std::string& socket, int error) {
  hub_.shared().emit(
      Level::warning, "log.journal-unusable",
      "the journal's socket cannot be used; the log goes to standard output",
      {{"journal.socket", socket}, {"journal.error", std::system_category().message(error)}});
}

void Daemon::log_warnings(const hocon::Diagnostics& warnings) {
  for (const hocon::Diagnostic& warning : warnings) {
    if (!warned_.insert({warning.file, warning.line, warning.column, warning.message}).second)
      continue;
    hub_.shared().emit(warning.remark ? Level::info : Level::warning,
                       warning.remark ? "config.note" : "config.warning", warning.message,
                       {{"config.file", warning.file},
                        {"config.line", warning.line},
                        {"config.column", warning.column},
                        {"help", warning.help}});
  }
}

/// Runs before any file in the state directory is used, so that a second daemon stops here.
Daemon::Done Daemon::open_admin_socket() {
  const settings::Settings& settings = configuration_.settings;
  if (settings.admin_socket.empty()) return {};
  admin_thread_ = std::make_unique<AdminThread>(
      *loop_, hub_, [this](const auto& request, const auto& peer, const auto& responder) {
        // A start that failed early has none.
        if (admin_verbs_) admin_verbs_->answer(request, peer, responder);
      });
  if (auto passed = os::take_socket(passed_sockets_, os::SocketKind::unix_stream)) {
    admin_thread_->open(std::move(*passed));
    return {};
  }
  const auto opened = admin_thread_->open(settings.admin_socket);
  if (opened) return {};
  if (opened.error().number == EWOULDBLOCK) {
    return config::boot_error(
        config::ExitCode::boot_failed,
        "the admin socket: another process holds the lock " + settings.admin_socket + ".lock",
        "another actord may be starting or stopping there: try again");
  }
  if (opened.error().number != EADDRINUSE) {
    return config::boot_error(config::exit_code_of(opened.error()),
                              "the admin socket: " + opened.error().what,
                              "it is set by " + settings.admin_socket_source);
  }
  return config::boot_error(
      config::ExitCode::boot_failed,
      "another actord is running and answers at " + settings.admin_socket,
      "stop it, or give this one a state directory of its own: actord.state-dir");
}

/// Two daemons that keep their state in the same files would overwrite each other's. If the other
/// daemon also uses the same socket, open_admin_socket() has already reported it.
Daemon::Done Daemon::lock_state_directory() {
  const std::string& directory = configuration_.settings.state_directory;
  auto lock = os::FileLock::take(directory + "/actord.lock");
  if (lock) {
    state_lock_.emplace(std::move(lock).value());
    return claim_state_directory(directory, own_state_version());
  }
  if (lock.error().number != EWOULDBLOCK)
    return config::boot_error(config::exit_code_of(lock.error()),
                              "the state directory: " + lock.error().what, {});
  return config::boot_error(
      config::ExitCode::boot_failed,
      "another actord uses the state directory " + directory + " and holds the lock " + directory +
          "/actord.lock",
      "stop it, or give this one a state directory of its own: actord.state-dir");
}

/// The events of earlier runs, and the file for those of this one.
Daemon::Done Daemon::keep_history() {
  sinks::HistoryFile::Options wanted;
  wanted.directory = configuration_.settings.state_directory + "/history";
  wanted.bytes_max = configuration_.settings.log.history_bytes;
  wanted.on_error = [this](const std::string& what) {
    hub_.shared().emit(Level::warning, "log.history-unwritable",
                       "the events of the log are not kept beyond a restart",
                       {{"history.error", what}});
  };
  wanted.open_file = &crash_record_->history_file();
  history_file_ = std::make_unique<sinks::HistoryFile>(*history_, std::move(wanted));
  return {};
}

Daemon::Done Daemon::account_for_crash() {
  crash_account_ = std::make_unique<CrashAccount>(hub_, configuration_.settings, *crash_record_);
  // The actor may crash at once again, and what the log has in memory by then is lost.
  if (crash_account_->has_found())
    history_->wait_for_event_named("daemon.crash-found", crash_event_timeout);
  return {};
}

/// Requests wait until the event loop runs.
Daemon::Done Daemon::serve_http() {
  const settings::HttpSettings& http = configuration_.settings.http;
  auto passed = os::take_socket(passed_sockets_, os::SocketKind::tcp);
  if (http.address.empty() && !passed) return {};
  http_thread_ =
      std::make_unique<HttpThread>(*loop_, http.hosts, [this](const web::HttpRequest& request) {
        web::HttpReply reply =
            http_answers_ ? http_answers_->answer(request) : web::HttpReply{503, {}, {}};
        reply.body = mask_.masked(reply.body);
        return reply;
      });
  if (passed) http_thread_->open(std::move(*passed));
  else if (const auto opened = http_thread_->open(http.address, http.port); !opened)
    return config::boot_error(opened.error().is_not_permitted() ? config::ExitCode::not_permitted
                                                                : config::ExitCode::boot_failed,
                              opened.error().what, "the address is set at " + http.source);
  hub_.shared().emit(Level::info, "daemon.listening", "HTTP is served",
                     {{"http.address", http_thread_->address()}});
  return {};
}

Daemon::Done Daemon::make_runtime() {
  runtime_ = std::make_unique<config::Runtime>(configuration_, hub_, boot_id_);
  runtime_->respect_quarantine(
      [this](const std::string& file) { return crash_account_->quarantine_of(file); });
  runtime_->isolation().ask_for_crashes(
      [this](const std::string& file) { return crash_account_->has_crashed(file); });
  crash_account_->charge(runtime_->actors().crash_charges());
  reader_ = std::make_unique<BackgroundReader>(*loop_, *runtime_, mask_);
  plugin_folders_ = std::make_unique<PluginFolders>(*loop_, hub_, *runtime_, *reader_);
  reloader_ = std::make_unique<Reloader>(*loop_, hub_, service_manager_, health_, core_dumps_,
                                         *reader_, *plugin_folders_, *runtime_, configuration_);
  actor_starts_ = std::make_unique<ActorStarts>(*loop_, runtime_->actors());
  actor_questions_ = std::make_unique<ActorQuestions>(*loop_, runtime_->actors());
  actor_orders_ = std::make_unique<ActorOrders>(*loop_, runtime_->actors(), *actor_questions_);
  quarantined_messages_ = std::make_unique<QuarantinedMessages>(
      *loop_, hub_, mask_, *actor_questions_, runtime_->actors(),
      configuration_.settings.state_directory + "/quarantine");
  metrics_ = std::make_unique<DaemonMetrics>(runtime_->actors(), *reloader_, hub_, *writer_,
                                             runtime_->isolation(), started_wall_ns_);
  http_answers_ = std::make_unique<HttpAnswers>(runtime_->actors(), *metrics_, [this] {
    return HttpAnswers::State{is_ready_, phase_ == Phase::stopping, is_draining_};
  });
  status_report_ =
      std::make_unique<DaemonStatus>(*loop_, runtime_->actors(), *reloader_,
                                     DaemonStatus::Process{base::base32(boot_id_), started_ns_,
                                                           os::available_memory(), is_draining_});
  busiest_actors_ = std::make_unique<BusiestActors>(*loop_, runtime_->actors());
  log_levels_ = std::make_unique<LogLevels>(*loop_, hub_);
  actor_spawns_ = std::make_unique<ActorSpawns>(*loop_, runtime_->actors());
  journal_desk_ = std::make_unique<JournalDesk>(*loop_, runtime_->actors(),
                                                configuration_.settings.persistence.folder);
  admin_verbs_ = std::make_unique<AdminVerbs>(
      AdminVerbs::Parts{*reloader_,
                        *actor_starts_,
                        *actor_spawns_,
                        *actor_questions_,
                        *actor_orders_,
                        *status_report_,
                        *busiest_actors_,
                        *log_levels_,
                        is_draining_,
                        [this](const std::string& from) { return shut_down_from(from); },
                        *metrics_,
                        *reader_,
                        *plugin_folders_,
                        *runtime_,
                        *crash_account_,
                        *journal_desk_,
                        *quarantined_messages_,
                        hub_,
                        *history_,
                        mask_});
  mailbox_watch_ = std::make_unique<MailboxWatch>(
      *loop_, hub_, runtime_->actors(),
      MailboxWatch::Memory{&os::resident_memory, os::available_memory()},
      [this](std::string text) { health_.warn(std::move(text)); });
  actor_watch_ = std::make_unique<ActorWatch>(*loop_, hub_, runtime_->actors(), *stack_probe_,
                                              [this] { mailbox_watch_->look(); });
  watchdog_ = std::make_unique<Watchdog>(*loop_, hub_, service_manager_, *actor_watch_,
                                         watchdog_timeout_ns_);
  return {};
}

Daemon::Done Daemon::build_snapshot() {
  const PluginWatch watch(PluginWatch::Stage::start, hub_, service_manager_, *stack_probe_,
                          [this](int signal, const loader::PluginCode::Running& code) {
                            end_at_once(config::exit_status_of_signal(signal),
                                        std::string{os::signal_name(signal)} +
                                            " while the plugin " + code.file + " was being loaded");
                          });
  protect_secrets();
  auto built = runtime_->build_snapshot({configuration_, {}}, config::Runtime::Use::attach);
  // Again, because plugins have declared further secrets.
  protect_secrets();
  log_warnings(config::warnings_of(configuration_));
  if (!built) return std::move(built).error();
  log_warnings(built->warnings);
  first_snapshot_ = std::move(built->snapshot);
  return {};
}

/// For the secrets that are known so far.
void Daemon::protect_secrets() {
  mask_.add(config::secret_texts(configuration_));
  core_dumps_.apply(configuration_);
  apply_throw_sites(configuration_.settings.throw_sites);
}

void Daemon::post(std::function<void()> call) { os::post(*loop_, std::move(call)); }

Daemon::Done Daemon::start() {
  service_manager_.status("starting the actors");
  system::SystemListener listener;
  listener.on_ready = [this] { post([this] { on_ready(); }); };
  listener.on_child_lost = [this](const system::LostChild& lost) {
    post([this, lost] { on_child_lost(lost); });
  };
  listener.on_configured_actors_changed = [this] {
    post([this] { on_configured_actors_changed(); });
  };
  listener.on_stopping_by_itself = [this](const system::TerminationCause& termination_cause) {
    post([this, kind = termination_cause.kind] { on_stopping_by_itself(kind); });
  };
  listener.on_quarantined = [this](const system::QuarantinedMessagePtr& message) {
    post([this, message] { quarantined_messages_->keep(*message); });
  };
  listener.on_shutdown_phase = [this](const system::ShutdownPhase& phase, std::size_t tasks) {
    post([this, phase, tasks] { stop_phases_.on_phase(phase, tasks); });
  };
  listener.on_shutdown_over = [this](const system::ShutdownOutcome& outcome) {
    post([this, aborted_in = outcome.aborted_in] { stop_phases_.on_over(aborted_in); });
  };
  listener.on_journal_changed = [this] { post([this] { on_journal_changed(); }); };
  listener.on_stopped = [this] { post([this] { on_stopped(); }); };
  listener.on_worker = &os::use_crash_stack;
  listener.on_busy = [this] { post([this] { actor_watch_->on_busy(); }); };
  quarantined_messages_->open();
  runtime_->start(std::move(first_snapshot_), std::move(listener));
  actor_watch_->start();
  return {};
}

// ---- events of the loop -------------------------------------------------------------------------

void Daemon::on_ready() {
  if (phase_ != Phase::booting) return;
  phase_ = Phase::running;
  is_ready_ = true;
  crash_account_->on_ready();
  admin_verbs_->begin();
  // Before the line that says so: a file that is put there after it is a new one.
  plugin_folders_->begin(configuration_.settings.plugin_autoload);
  const HealthReport report = health_.begin(runtime_->actors().configured_actors());
  hub_.shared().emit(Level::info, "daemon.ready", "actord is ready",
                     {{"actors", report.actors},
                      {"lost", report.lost},
                      {"duration_ms", (base::monotonic_ns() - started_ns_) / base::ns_per_ms}});
  health_.ready(report, configuration_.settings.on_actor_lost);
  watchdog_->start();
  reloader_->start();
}

void Daemon::on_child_lost(const system::LostChild& lost) {
  reloader_->on_child_lost(lost);
  if (phase_ != Phase::booting) return;
  if (configuration_.settings.on_boot_failure == schema::OnBootFailure::degrade) return;
  boot_error_ = config::lost_child_error(lost, runtime_->origin_of(lost.path));
  begin_stopping("boot-failed");
}

void Daemon::on_configured_actors_changed() {
  actor_starts_->on_changed();
  health_.on_changed();
}

void Daemon::on_actor_lost(const std::string& text) {
  boot_error_ = config::boot_error(config::ExitCode::actors_stopped, text,
                                   "actord.on-actor-lost = exit makes actord stop for it");
  begin_stopping("actor-lost");
}

/// On a terminal SIGHUP means that the terminal was closed, and actord stops. Elsewhere it means a
/// reload.
void Daemon::on_signal(const os::Signal& received) {
  const int signal = received.number;
  if (signal == SIGUSR1 && writer_->reopen_files()) return;
  if (signal != SIGHUP && signal != SIGTERM && signal != SIGINT)
    return unused_signals_.log(received);
  if (signal == SIGHUP && !is_on_terminal_) {
    if (phase_ != Phase::stopping) reloader_->request_reload_by_signal(received);
    return;
  }
  if (!stop_requested_ns_) begin_stopping(os::signal_name(signal));
  if (is_second_request())
    end_at_once(
        config::exit_status_of_signal(signal),
        "second signal: " + std::string{os::signal_name(signal)} + "; actors were not stopped");
}

/// After a second request the operator does not want to wait.
bool Daemon::is_second_request() {
  const std::int64_t now_ns = base::monotonic_ns();
  if (!stop_requested_ns_) stop_requested_ns_ = now_ns;
  return now_ns - *stop_requested_ns_ >= duplicate_signal_ns;
}

void Daemon::on_signal_at_end(int signal, const loader::PluginCode::Running& code) {
  if (!is_second_request()) return;
  const bool is_detach = code.phase == loader::PluginCode::Phase::detach;
  end_at_once(config::exit_status_of_signal(signal),
              "second signal: " + std::string{os::signal_name(signal)} + "; " +
                  (is_detach ? "the detach of the plugin " + code.file + " has"
                             : "static destructors of plugins have") +
                  " not returned");
}

void Daemon::on_journal_changed() {
  const system::JournalReport report = runtime_->actors().event_journal()->report();
  health_.tell_journal(report.fault ? "the journal is unusable: " + report.fault->what
                                    : std::string{});
}

void Daemon::on_stopping_by_itself(system::TerminationCause::Kind kind) {
  using Kind = system::TerminationCause::Kind;
  begin_stopping(kind == Kind::root_failed       ? "root-failed"
                 : kind == Kind::guardian_failed ? "guardian-failed"
                                                 : "guardian-stopped");
  stop_phases_.on_over({});  // the actors that would run them are ending
}

bool Daemon::shut_down_from(const std::string& phase) {
  if (phase_ == Phase::stopping) return false;
  begin_stopping("operator", phase);
  return true;
}

void Daemon::begin_stopping(std::string_view reason, const std::string& from) {
  if (phase_ == Phase::stopping) return;
  phase_ = Phase::stopping;
  reason_ = reason;
  hub_.shared().emit(Level::info, "daemon.stopping", "actord is stopping", {{"reason", reason_}});
  service_manager_.stopping(reason_);
  health_.stop();
  watchdog_->begin_stopping();
  reloader_->stop();
  actor_starts_->stop();
  plugin_folders_->stop();
  reader_->stop({});
  stop_phases_.begin(runtime_->actors(), reason_, from, reloader_->running().settings.stop_timeout,
                     [this](const std::string& aborted_in) { on_phases_over(aborted_in); });
}

void Daemon::on_phases_over(const std::string& aborted_in) {
  if (!aborted_in.empty()) {
    is_aborted_ = true;
    boot_error_ = config::boot_error(
        config::ExitCode::internal, "the shutdown was aborted in its phase " + aborted_in,
        "the log event shutdown.aborted, and the one before it, tell why");
  }
  stop_watch_.begin(*runtime_, reason_, reloader_->running().settings.stop_timeout,
                    [this](const std::string& left) { on_stop_timeout(left); });
  runtime_->actors().terminate();
}

void Daemon::on_stopped() {
  reader_->stop([this] {
    if (reader_->is_still_running()) {
      const std::string_view read[] = {reader_->is_using_runtime() ? "plugins and their secrets"
                                                                   : "files of the configuration"};
      hub_.shared().emit(
          Level::warning, "daemon.stopping", "a reload or diff that is still reading is abandoned",
          {{"reason", reason_}, {"waits_for", std::span<const std::string_view>(read)}});
    }
    loop_->stop();
  });
}

/// Actors that do not stop are no reason to lose the end of the log to a SIGKILL.
void Daemon::on_stop_timeout(const std::string& left) {
  boot_error_ = config::boot_error(
      config::ExitCode::internal, "actors have not stopped in time: " + left,
      "actord.stop-timeout sets the time; TimeoutStopSec= of the unit must be longer");
  print_error(hocon::printable(boot_error_->screen));
  end_at_once(static_cast<int>(boot_error_->code), "stop-timeout");
}

}  // namespace actord::app
