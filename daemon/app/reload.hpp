// SPDX-License-Identifier: Apache-2.0
//
// The configuration is read again and takes the place of the one that holds, while actors run.
//
// By the same code as a start: read, check, load the plugins that are new, draw. That happens
// elsewhere and changes nothing; only when all of it is well it is carried out, on the loop's
// thread, where nothing can go wrong any more. One reload at a time; wishes that come meanwhile
// wait, and those of signals become one.
//
// Not here: where it is read (background_reader), what running actors do about it
// (actor/reconfigure), and who asks (admin_verbs, daemon).
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/background_reader.hpp"
#include "app/configuration.hpp"
#include "app/reload_report.hpp"
#include "app/runtime.hpp"
#include "log/hub.hpp"
#include "os/service_manager.hpp"
#include "settings/plan.hpp"

namespace actord::app {

/// The loop's thread.
class Reloads {
 public:
  using Reply = std::function<void(const ReloadReport&)>;

  /// How long actors have to take a configuration over before the report tells who has not.
  static constexpr std::chrono::seconds patience{30};

  /// All of it outlives this. `status` is what the service manager is told of the actors.
  struct Target {
    boost::asio::io_context& loop;
    log::Hub& hub;
    const os::ServiceManager& service_manager;
    BackgroundReader& reader;
    std::function<Runtime&()> runtime;
    std::function<std::string()> status;
  };

  Reloads(Target target, const Configuration& started_with);

  /// Answers once, now or later. Before the start is over it waits for that.
  void ask(ReloadRequest request, Reply reply);
  /// The same without an answer; several that wait are one.
  void ask_by_signal();
  /// The actors have started: from now on it is done.
  void begin();
  /// The way down has begun: from now on it is refused. What is being read is thrown away when the
  /// reader is stopped, which comes next.
  void stop();

  void on_child_lost(const system::LostChild& lost);

  /// The configuration that holds, and how many have held.
  const Configuration& running() const noexcept { return *running_; }
  std::uint64_t generation() const noexcept { return generation_; }
  /// Keys of it that wait for a restart of actord.
  std::vector<std::string> pending() const { return pending_of(*running_); }

 private:
  struct Asked {
    ReloadRequest request;
    Reply reply;  // none: by a signal
  };

  void next();
  void begin_reading();
  void on_read(BackgroundReader::Read read);
  void carry_out(BackgroundReader::Read read);
  void on_taken_over(std::uint64_t which);
  void finish();
  std::vector<std::string> pending_of(const Configuration& configuration) const;
  void refuse();
  void reject(ExitCode code, std::string reason);
  void tell_log() const;
  bool has_changed(const Configuration& wanted) const;

  const Target target_;
  const Configuration& started_with_;
  std::shared_ptr<const Configuration> running_;
  std::uint64_t generation_ = 1;
  bool may_begin_ = false, is_stopping_ = false;

  std::deque<Asked> waiting_;
  // ---- the one under way
  std::optional<Asked> current_;
  ReloadReport report_;
  settings::Plan plan_;
  std::int64_t began_ns_ = 0;
  actor::ReconfigurationPtr taking_over_;
  std::uint64_t take_overs_ = 0;
  boost::asio::steady_timer deadline_;
};

}  // namespace actord::app
