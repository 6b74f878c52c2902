// SPDX-License-Identifier: Apache-2.0
#include "app/reload.hpp"

#include <algorithm>
#include <utility>

#include "app/core_dumps.hpp"
#include "app/health.hpp"
#include "app/kept_files.hpp"
#include "app/plugin_folders.hpp"
#include "app/throw_sites.hpp"
#include "base/clock.hpp"
#include "base/counted.hpp"
#include "config/configuration.hpp"
#include "config/runtime.hpp"
#include "os/service_manager.hpp"
#include "os/signal_watch.hpp"
#include "settings/plan_json.hpp"

namespace actord::app {

using log::Level;
using Outcome = ReloadReport::Outcome;

namespace {

constexpr std::size_t texts_logged_max = 50;  // limit for a list in one log line

/// The finding as "file:line:column: message".
std::string text_of(const hocon::Diagnostic& finding) {
  std::string text = finding.file;
  for (const unsigned number : {finding.line, finding.column}) {
    if (number != 0) text += ':' + std::to_string(number);
  }
  return text.empty() ? finding.message : text + ": " + finding.message;
}

std::vector<std::string_view> first_of(const std::vector<std::string>& texts) {
  const auto n = static_cast<std::ptrdiff_t>(std::min(texts.size(), texts_logged_max));
  return {texts.begin(), texts.begin() + n};
}

/// The text of the configuration file at `path`; null: the file was not read.
const std::string* text_of(const config::Configuration& configuration, const std::string& path) {
  const hocon::SourceFiles& sources = configuration.settings.tree.sources();
  for (std::uint32_t file = 1; file <= sources.size(); ++file) {
    if (sources[file].name == path) return &sources[file].text;
  }
  return nullptr;
}

/// Errors for files that have become empty. An editor that rewrites a file in place truncates it
/// first, and a pipe can be read only once; neither is a request to stop every actor.
hocon::Diagnostics emptied_files(const config::Configuration& running,
                                 const config::Configuration& wanted) {
  hocon::Diagnostics errors;
  for (const std::string& path : wanted.options.config_files) {
    const std::string* const before = text_of(running, path);
    const std::string* const now = text_of(wanted, path);
    if (before == nullptr || now == nullptr || before->empty() || !now->empty()) continue;
    hocon::Diagnostic error;
    error.file = path;
    error.code = hocon::codes::unreadable;
    error.message = "the file is empty now";
    error.help = "write {} into it for an empty configuration";
    errors.push_back(std::move(error));
  }
  return errors;
}

std::vector<std::string> keys_of(const std::vector<settings::Step>& steps) {
  std::vector<std::string> keys;
  for (const settings::Step& step : steps) keys.push_back(step.subject);
  return keys;
}

}  // namespace

Reloader::Reloader(os::EventLoop& loop, log::Hub& hub, os::ServiceManager& service_manager,
                   Health& health, CoreDumps& core_dumps, BackgroundReader& reader,
                   PluginFolders& plugin_folders, config::Runtime& runtime,
                   const config::Configuration& started_with)
    : loop_(loop),
      hub_(hub),
      service_manager_(service_manager),
      health_(health),
      core_dumps_(core_dumps),
      reader_(reader),
      plugin_folders_(plugin_folders),
      runtime_(runtime),
      started_with_(started_with),
      running_(std::make_shared<const config::Configuration>(started_with)),
      confirmation_(loop),
      history_(KeyHistory::moment_of(generation_)),
      deadline_(loop) {}

// ---- requests -----------------------------------------------------------------------------------

void Reloader::request_reload(ReloadRequest request, Reply reply) {
  waiting_.push_back({std::move(request), std::move(reply)});
  if (!current_) start_next();
}

void Reloader::request_reload_by_signal(const os::Signal& signal) {
  const auto is_by_signal = [](const QueuedRequest& queued) { return !queued.reply; };
  if (std::ranges::any_of(waiting_, is_by_signal)) return;
  ReloadRequest request{.asked_by = std::string{os::signal_name(signal.number)}};
  if (signal.sender) request.peer.emplace(*signal.sender);
  request_reload(std::move(request), {});
}

bool Reloader::confirm() {
  if (!unconfirmed_) return false;
  wait_no_more();
  keep_good();
  return true;
}

void Reloader::wait_no_more() {
  unconfirmed_.reset();
  confirmation_.cancel();
}

/// The configuration in effect is good: actord has started with it, or a reload has applied it and
/// is not to be confirmed.
void Reloader::keep_good() {
  const auto kept = keep_files(*running_);
  if (kept) return;
  hub_.shared().emit(Level::warning, "config.not-kept",
                     "the files of the configuration are not kept in the state directory",
                     {{"error", kept.error()}});
}

std::chrono::milliseconds Reloader::confirmation_left() const {
  if (!unconfirmed_) return std::chrono::milliseconds{0};
  return std::max(std::chrono::ceil<std::chrono::milliseconds>(confirmation_.left()),
                  std::chrono::milliseconds{1});
}

/// Remembers the configuration before the one that has just taken effect. A reload that asks for no
/// confirmation confirms those before it, too.
void Reloader::keep(std::shared_ptr<const config::Configuration> before) {
  previous_ = before;
  const ReloadRequest& request = current_->request;
  if (request.confirm_within.count() == 0) return wait_no_more();
  if (!unconfirmed_) unconfirmed_ = std::move(before);
  report_.confirm_within = request.confirm_within;
  confirmation_.start(request.confirm_within, [this] {
    if (!unconfirmed_) return;
    request_reload({.takes_back = true, .asked_by = "actord, as nothing has confirmed it"},
                   [](const ReloadReport&) {});
  });
}

void Reloader::start() {
  is_started_ = true;
  keep_good();
  if (!current_) start_next();
}

void Reloader::stop() {
  is_stopping_ = true;
  confirmation_.cancel();
  if (reconfiguration_) finish();  // the report covers the actors reconfigured so far
  if (!current_) start_next();
}

void Reloader::on_child_lost(const system::LostChild& lost) {
  if (reconfiguration_)
    report_.lost.push_back(lost.path + ": " + lost.what + " (" + lost.type + ')');
}

// ---- reading ------------------------------------------------------------------------------------

void Reloader::start_next() {
  while (!current_ && !waiting_.empty() && (is_started_ || is_stopping_)) {
    current_.emplace(std::move(waiting_.front()));
    waiting_.pop_front();
    report_ = {};
    plan_ = {};
    began_ns_ = base::monotonic_ns();
    if (is_stopping_) {
      reject_as_stopping();
      continue;
    }
    if (!current_->request.is_dry_run)
      service_manager_.reloading(began_ns_ / 1'000, "reloading the configuration");
    begin_reading();
  }
}

void Reloader::begin_reading() {
  using ReadMode = BackgroundReader::ReadMode;
  const ReadMode mode = current_->request.is_dry_run ? ReadMode::load_only : ReadMode::attach;
  auto then = [this](BackgroundReader::ReadResult read) { on_read(std::move(read)); };
  if (!current_->request.takes_back) return reader_.read(running_->options, mode, std::move(then));
  if (!earlier())
    return reject(config::ExitCode::command_line, "there is no configuration before this one");
  reader_.read_again(earlier(), mode, std::move(then));
}

void Reloader::on_read(BackgroundReader::ReadResult read) {
  if (is_stopping_) return reject_as_stopping();
  if (read.error) {
    report_.findings = std::move(read.error->findings);
    return reject(read.error->code, std::move(read.error->reason));
  }
  const config::Configuration& wanted = *read.configuration;
  report_.findings = emptied_files(*running_, wanted);
  if (!report_.findings.empty())
    return reject(config::ExitCode::config_wrong, report_.findings.front().file + " is empty now");
  report_.findings = config::warnings_of(wanted);
  report_.findings.insert(report_.findings.end(), read.built.warnings.begin(),
                          read.built.warnings.end());
  plan_ = settings::plan_between(running_->settings, wanted.settings);
  is_new_configuration_ = !plan_.is_empty();
  const bool is_same = !has_changed(wanted);
  add_retries(read.built.retries);
  const bool is_nothing_due = is_same && plan_.is_empty();
  report_.pending = pending_of(wanted);
  for (settings::Step& step : plan_.steps) {  // the value of the start is back
    const bool waited = step.action == settings::Step::Action::needs_restart;
    if (!waited || std::ranges::find(report_.pending, step.subject) != report_.pending.end())
      continue;
    step.action = settings::Step::Action::live;
    step.note = "it is the value of the start, so no restart is needed";
  }
  report_.plan = settings::json_of(plan_);
  report_.is_forced = is_same && current_->request.is_forced;
  if (current_->request.is_dry_run) {
    report_.outcome = plan_.is_empty() ? Outcome::unchanged : Outcome::planned;
    return finish();
  }
  const auto needs_restart = [](const auto& step) {
    return step.action == settings::Step::Action::needs_restart;
  };
  if (current_->request.all_or_nothing && std::ranges::any_of(plan_.steps, needs_restart)) {
    std::string keys;
    for (const settings::Step& step : plan_.steps) {
      if (needs_restart(step)) keys += (keys.empty() ? "" : ", ") + step.subject;
    }
    return reject(config::ExitCode::config_wrong,
                  "all_or_nothing is set, and these keys need a restart of actord: " + keys);
  }
  report_.outcome = is_new_configuration_ ? Outcome::applied
                    : plan_.is_empty()    ? Outcome::unchanged
                                          : Outcome::retried;
  if (is_nothing_due && !report_.is_forced) return finish();
  carry_out(std::move(read));
}

/// Actors that are lost are started again, also if their keys are unchanged; with --force those
/// that have ended in peace, too. `refused`: those that a check keeps from being created, and that
/// may not have been given up yet.
void Reloader::add_retries(const std::vector<config::BuiltSnapshot::Retry>& refused) {
  using State = system::ConfiguredActor::State;
  for (const system::ConfiguredActor& each : runtime_.actors().configured_actors().list()) {
    if (each.state != State::stopped || !each.is_below_running) continue;
    if (runtime_.actors().crash_charges().is_quarantined(each.path)) continue;
    if (each.is_lost() || current_->request.is_forced)
      add_retry(each.path, each.origin, "it" + text_of(each).substr(each.path.size()));
  }
  for (const auto& [path, origin] : refused)
    add_retry(path, origin, "it could not be created before");
}

void Reloader::add_retry(const std::string& path, const std::string& origin,
                         const std::string& note) {
  const auto is_planned = [&](const settings::Step& step) { return step.subject == path; };
  if (std::ranges::any_of(plan_.steps, is_planned)) return;
  plan_.steps.push_back(
      {.action = settings::Step::Action::create, .subject = path, .origin = origin, .note = note});
}

std::vector<std::string> Reloader::pending_of(const config::Configuration& configuration) const {
  return keys_of(settings::pending_between(started_with_.settings, configuration.settings));
}

/// True also if only comments in the files changed: log lines name lines of the files, and the
/// numbers must be right.
bool Reloader::has_changed(const config::Configuration& wanted) const {
  const hocon::SourceFiles& before = running_->settings.tree.sources();
  const hocon::SourceFiles& after = wanted.settings.tree.sources();
  if (before.size() != after.size()) return true;
  for (std::uint32_t file = 1; file <= after.size(); ++file) {
    if (before[file].name != after[file].name || before[file].text != after[file].text) return true;
  }
  return is_new_configuration_;  // environment variables may have changed
}

// ---- carrying out -------------------------------------------------------------------------------

/// Cannot fail. From here on the new configuration is in effect.
void Reloader::carry_out(BackgroundReader::ReadResult read) {
  const auto before = std::exchange(running_, std::move(read.configuration));
  const settings::Settings& wanted = running_->settings;
  if (is_new_configuration_) {
    ++generation_;
    keep(before);
  }
  history_.record(before->settings.tree, wanted.tree, KeyHistory::moment_of(generation_));
  hub_.set_level(wanted.log.level);
  core_dumps_.apply(*running_);
  apply_throw_sites(wanted.throw_sites);
  plugin_folders_.apply(wanted.plugin_autoload);
  reconfiguration_ =
      runtime_.reconfigure(std::move(read.built.snapshot), settings::live_settings(wanted),
                           current_->request.is_forced, [this, number = ++reconfiguration_number_] {
                             os::post(loop_, [this, number] { on_reconfigured(number); });
                           });
  deadline_.start(reconfigure_timeout, [this] {
    if (!reconfiguration_) return;
    const std::vector<actor::Ref> late = reconfiguration_->awaited();
    const system::ActorSystem& actors = runtime_.actors();
    for (const actor::Ref each : late) {
      if (report_.late.size() < texts_logged_max) report_.late.push_back(actors.path(each));
    }
    report_.code = config::ExitCode::boot_failed;
    report_.reason = base::counted(late.size(), "actor") +
                     std::string{base::by_number(late.size(), " has", " have")} +
                     " not applied the configuration yet";
    finish();
  });
}

void Reloader::on_reconfigured(std::uint64_t number) {
  if (!reconfiguration_ || number != reconfiguration_number_) return;
  if (!report_.lost.empty()) {
    report_.code = config::ExitCode::boot_failed;
    report_.reason = base::counted(report_.lost.size(), "actor") + " could not be created";
  }
  if (const auto shortfall = reconfiguration_->shortfall(); shortfall.actors != 0) {
    report_.code = config::ExitCode::operating_system;
    report_.reason = "there was not enough memory for " + base::counted(shortfall.actors, "actor") +
                     " to apply the configuration, the first is " +
                     runtime_.actors().path(shortfall.first) +
                     "; free memory and reload with --force";
  }
  finish();
}

void Reloader::reject_as_stopping() {
  report_.outcome = Outcome::busy;
  report_.code = config::ExitCode::boot_failed;
  report_.reason = "actord is stopping";
  finish();
}

void Reloader::reject(config::ExitCode code, std::string reason) {
  report_.outcome = Outcome::rejected;
  if (report_.pending.empty()) report_.pending = pending();  // of earlier reloads
  report_.code = code;
  report_.reason = std::move(reason);
  finish();
}

void Reloader::finish() {
  reconfiguration_ = {};
  deadline_.cancel();
  report_.generation = generation_;
  report_.duration_ms = (base::monotonic_ns() - began_ns_) / base::ns_per_ms;
  log_report();
  count_report();
  const QueuedRequest done = std::move(*current_);
  current_.reset();
  if (done.request.takes_back) wait_no_more();
  if (report_.outcome == Outcome::applied && !unconfirmed_) keep_good();
  if (!done.request.is_dry_run && !is_stopping_) {
    const std::string generation = "generation " + std::to_string(generation_);
    health_.reloaded(running_->settings.on_actor_lost,
                     report_.outcome == Outcome::rejected
                         ? "reload failed: " + report_.reason + "; " + generation
                         : generation);
  }
  if (done.reply) done.reply(report_);
  start_next();
}

void Reloader::count_report() {
  if (current_->request.is_dry_run) return;
  reloads_.was_last_rejected =
      report_.outcome == Outcome::rejected || report_.outcome == Outcome::busy;
  ++(reloads_.was_last_rejected ? reloads_.rejected : reloads_.applied);
  reloads_.last_wall_ns = KeyHistory::moment_of(generation_).wall_ns;
}

void Reloader::log_report() const {
  if (current_->request.is_dry_run) return;
  const std::vector<std::string_view> pending = first_of(report_.pending);
  std::vector<log::Field> fields{{"asked_by", current_->request.asked_by},
                                 {"generation", generation_},
                                 {"duration_ms", report_.duration_ms}};
  if (current_->request.peer) current_->request.peer->add_to(fields);
  if (report_.outcome == Outcome::rejected || report_.outcome == Outcome::busy) {
    std::vector<std::string> errors;
    for (const hocon::Diagnostic& finding : report_.findings) {
      if (!finding.warning) errors.push_back(text_of(finding));
    }
    const std::vector<std::string_view> first_errors = first_of(errors);
    fields.push_back({"reason", report_.reason});
    fields.push_back({"errors", std::span<const std::string_view>(first_errors)});
    hub_.shared().audit(Level::error, "config.rejected",
                        "the new configuration is rejected: the running one stays", fields);
    return;
  }
  std::vector<std::string> changes;
  for (const settings::Step& step : plan_.steps) changes.push_back(text_of(step));
  const std::vector<std::string_view> first_changes = first_of(changes);
  const std::vector<std::string_view> lost = first_of(report_.lost), late = first_of(report_.late);
  fields.push_back({"changed", changes.size()});
  fields.push_back({"changes", std::span<const std::string_view>(first_changes)});
  fields.push_back({"pending", std::span<const std::string_view>(pending)});
  if (report_.is_forced) fields.push_back({"forced", true});
  if (!lost.empty()) fields.push_back({"lost", std::span<const std::string_view>(lost)});
  if (!late.empty()) fields.push_back({"late", std::span<const std::string_view>(late)});
  if (!report_.reason.empty()) fields.push_back({"reason", report_.reason});
  if (report_.confirm_within.count() != 0)
    fields.push_back({"confirm_within", report_.confirm_within});
  const bool is_all_well = lost.empty() && report_.reason.empty();
  hub_.shared().audit(is_all_well ? Level::info : Level::warning, "config.reloaded",
                      is_new_configuration_ ? "the new configuration applies"
                      : plan_.is_empty()
                          ? "the configuration is unchanged"
                          : "the configuration is unchanged; actors were started again",
                      fields);
}

}  // namespace actord::app
