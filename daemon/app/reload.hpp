// SPDX-License-Identifier: Apache-2.0
//
// A reload: reads the configuration again and puts it into effect while actors run.
//
// A reload uses the code of a start: read, check, load and attach new plugins, build the snapshot.
// These steps run on another thread and do not affect running actors. Only if all succeed, the
// event loop's thread carries the reload out, which cannot fail. One reload runs at a time. Further
// requests wait, and waiting requests by signal are merged into one.
//
// Not here: reading (background_reader), what running actors do (actor/reconfigure), and where
// requests come from (admin_verbs, daemon).
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actor/reconfiguration.hpp"
#include "app/background_reader.hpp"
#include "app/key_history.hpp"
#include "app/reload_report.hpp"
#include "log/hub.hpp"
#include "os/event_loop.hpp"
#include "settings/plan.hpp"

namespace actord::config {
struct Configuration;
class Runtime;
}  // namespace actord::config

namespace actord::os {
class ServiceManager;
struct Signal;
}  // namespace actord::os

namespace actord::system {
struct LostChild;
}  // namespace actord::system

namespace actord::app {

class CoreDumps;
class Health;
class PluginFolders;

/// Threads: only the event loop's.
class Reloader {
 public:
  using Reply = std::function<void(const ReloadReport&)>;

  /// How long actors have to take over a configuration. Then the report is sent and lists the
  /// others as late.
  static constexpr std::chrono::seconds reconfigure_timeout{30};

  /// All arguments outlive this object.
  Reloader(os::EventLoop& loop, log::Hub& hub, os::ServiceManager& service_manager, Health& health,
           CoreDumps& core_dumps, BackgroundReader& reader, PluginFolders& plugin_folders,
           config::Runtime& runtime, const config::Configuration& started_with);

  /// Calls `reply` once, now or later. A request that comes before start() waits for it.
  void request_reload(ReloadRequest request, Reply reply);
  /// The same without a reply, for SIGHUP. Several waiting requests by signal count as one.
  void request_reload_by_signal(const os::Signal& signal);
  /// A reload that waits for it stays. False: none waits.
  bool confirm();
  /// How long a reload still waits to be confirmed; 0: none waits.
  std::chrono::milliseconds confirmation_left() const;
  /// The actors have started: carries out waiting and future requests.
  void start();
  /// The daemon is stopping: rejects waiting and future requests. The caller stops the reader next,
  /// which drops a read in progress.
  void stop();
  bool is_stopping() const noexcept { return is_stopping_; }

  void on_child_lost(const system::LostChild& lost);

  /// The configuration in effect, and its number, which starts at 1.
  const config::Configuration& running() const noexcept { return *running_; }
  std::uint64_t generation() const noexcept { return generation_; }
  /// Keys of the running configuration whose values need a restart of actord. Until then the values
  /// of the start are in effect.
  std::vector<std::string> pending() const { return pending_of(*running_); }
  const config::Configuration& started_with() const noexcept { return started_with_; }
  const KeyHistory& history() const noexcept { return history_; }
  /// What came of the reloads so far, without dry runs.
  struct Reloads {
    std::uint64_t applied = 0, rejected = 0;
    bool was_last_rejected = false;
    std::int64_t last_wall_ns = 0;  // since 1970; 0: there was none
  };
  const Reloads& reloads() const noexcept { return reloads_; }

 private:
  struct QueuedRequest {
    ReloadRequest request;
    Reply reply;  // empty: requested by a signal
  };

  /// Starts the next waiting request if no reload is in progress.
  void start_next();
  void begin_reading();
  void on_read(BackgroundReader::ReadResult read);
  void carry_out(BackgroundReader::ReadResult read);
  /// All actors have handled the reconfiguration of that number. Ignored if it is not the current
  /// one.
  void on_reconfigured(std::uint64_t number);
  /// Logs and sends the report of the current reload, and starts the next one.
  void finish();
  void add_retries(const std::vector<config::BuiltSnapshot::Retry>& refused);
  void add_retry(const std::string& path, const std::string& origin, const std::string& note);
  std::vector<std::string> pending_of(const config::Configuration& configuration) const;
  /// The configuration that a request to take one back wants; null: there is none.
  std::shared_ptr<const config::Configuration> earlier() const {
    return unconfirmed_ ? unconfirmed_ : previous_;
  }
  void keep(std::shared_ptr<const config::Configuration> before);
  void wait_no_more();
  void keep_good();
  void reject_as_stopping();
  void reject(config::ExitCode code, std::string reason);
  void log_report() const;
  void count_report();
  bool has_changed(const config::Configuration& wanted) const;

  os::EventLoop& loop_;
  log::Hub& hub_;
  os::ServiceManager& service_manager_;
  Health& health_;
  CoreDumps& core_dumps_;
  BackgroundReader& reader_;
  PluginFolders& plugin_folders_;
  config::Runtime& runtime_;
  const config::Configuration& started_with_;
  std::shared_ptr<const config::Configuration> running_;
  std::shared_ptr<const config::Configuration> previous_;  // before the last reload; null: none
  // The last one that was confirmed, while a later one waits for that; null: none waits.
  std::shared_ptr<const config::Configuration> unconfirmed_;
  os::Timer confirmation_;
  std::uint64_t generation_ = 1;
  KeyHistory history_;
  Reloads reloads_;
  bool is_started_ = false, is_stopping_ = false;

  std::deque<QueuedRequest> waiting_;
  // ---- the reload in progress
  std::optional<QueuedRequest> current_;
  ReloadReport report_;
  settings::Plan plan_;
  bool is_new_configuration_ = false;  // the plan has steps beside those that try actors again
  std::int64_t began_ns_ = 0;
  actor::ReconfigurationPtr reconfiguration_;
  std::uint64_t reconfiguration_number_ = 0;
  os::Timer deadline_;
};

}  // namespace actord::app
