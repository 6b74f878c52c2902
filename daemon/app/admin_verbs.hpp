// SPDX-License-Identifier: Apache-2.0
//
// The verbs of a running daemon that actorctl calls: config.reload, config.show, config.diff.
//
// Not here: how requests arrive (admin), and what a reload does (reload.hpp).
#pragma once

#include <functional>

#include "admin/admin_session.hpp"
#include "app/background_reader.hpp"
#include "app/reload_report.hpp"
#include "config/configuration.hpp"
#include "log/hub.hpp"

namespace actord::app {

/// What the verbs act on. All members are called on the event loop's thread.
struct AdminTarget {
  /// Calls back once, at once or later, on the event loop's thread.
  std::function<void(const ReloadRequest&, std::function<void(const ReloadReport&)>)> reload;
  /// The configuration in effect. A reload replaces it.
  std::function<const config::Configuration&()> running;
  std::function<std::uint64_t()> generation;
  /// Keys of the running configuration whose values need a restart of actord.
  std::function<std::vector<std::string>()> pending;
  /// BackgroundReader::read() with ReadMode::without_snapshot.
  std::function<void(options::Options, BackgroundReader::Done)> read;
};

/// Answers requests, and logs those that change something as event `admin.command`. Threads: only
/// the event loop's.
class AdminVerbs {
 public:
  /// `hub` outlives this object.
  AdminVerbs(AdminTarget target, log::Hub& hub) : target_(std::move(target)), hub_(hub) {}

  /// The admin::Handler of the admin socket.
  void answer(const wire::Request& request, const os::Peer& peer,
              const admin::Responder& responder);

 private:
  void reload(const wire::Request& request, const os::Peer& peer,
              const admin::Responder& responder);
  void show(const wire::Request& request, const admin::Responder& responder);
  void diff(const wire::Request& request, const admin::Responder& responder);

  AdminTarget target_;
  log::Hub& hub_;
};

}  // namespace actord::app
