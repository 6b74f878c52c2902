// SPDX-License-Identifier: Apache-2.0
//
// What actorctl can ask of a running daemon: config.reload, config.show, config.diff.
//
// Not here: how requests arrive (admin) and what a reload does (reload.hpp).
#pragma once

#include <functional>

#include "admin/admin_session.hpp"
#include "app/background_reader.hpp"
#include "app/configuration.hpp"
#include "app/reload_report.hpp"
#include "log/hub.hpp"

namespace actord::app {

/// What the verbs act on. All of it is called on the loop's thread.
struct AdminTarget {
  /// Calls back once, at once or later, on the loop's thread.
  std::function<void(const ReloadRequest&, std::function<void(const ReloadReport&)>)> reload;
  /// The configuration that the daemon runs by; another one after a reload.
  std::function<const Configuration&()> running;
  std::function<std::uint64_t()> generation;
  /// Keys of it that wait for a restart of actord.
  std::function<std::vector<std::string>()> pending;
  /// As BackgroundReader::read() without a trial.
  std::function<void(options::Options, BackgroundReader::Done)> read;
};

/// Answers requests, and tells of those that change something in an event `admin.command`. The
/// loop's thread.
class AdminVerbs {
 public:
  /// The hub outlives it.
  AdminVerbs(AdminTarget target, log::Hub& hub) : target_(std::move(target)), hub_(hub) {}

  /// As an admin::Handler.
  void answer(const wire::Request& request, const os::Peer& peer, const admin::Respond& respond);

 private:
  void reload(const wire::Request& request, const os::Peer& peer, const admin::Respond& respond);
  void show(const wire::Request& request, const admin::Respond& respond);
  void diff(const wire::Request& request, const admin::Respond& respond);

  AdminTarget target_;
  log::Hub& hub_;
};

}  // namespace actord::app
