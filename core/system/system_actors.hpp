// SPDX-License-Identifier: Apache-2.0
//
// The actors that plugins put below /system (supervision.md 101).
#pragma once

#include <string>
#include <vector>

#include "actor/spawn_request.hpp"
#include "actor/turn.hpp"
#include "base/result.hpp"

namespace actord::system {

class ActorSystem;

/// Any thread.
class SystemActors {
 public:
  explicit SystemActors(ActorSystem& system) : system_(system) {}

  /// Spawns a child of /system. Before the start of the system the request is kept until
  /// start_kept(). Fails if the name is not valid or taken, and if the system is shutting down. If
  /// the name is taken at the same time, the log says so later.
  base::Result<void> spawn(std::string name, std::string_view dispatcher, actor::PropsPtr props);

  /// Until end_attach(), the requests of this thread are those of a plugin that is being attached.
  /// One thread at a time.
  void begin_attach();
  /// Passes these requests on, or drops them if the plugin has refused to start.
  void end_attach(bool is_attached);
  /// Spawns what was requested before. `guardian` is the turn of /system, which has started.
  void start_kept(actor::Turn& guardian);
  /// Drops what was requested and not spawned, and further requests.
  void close();

 private:
  using Requests = std::vector<base::IntrusivePtr<actor::SpawnRequest>>;
  enum class Stage : std::uint8_t { before_start, started, closed };

  bool is_taken(const std::string& name) const;
  // Sends the request to /system, or keeps it for the start.
  void pass_on(const base::IntrusivePtr<actor::SpawnRequest>& request);

  ActorSystem& system_;
  base::Mutex mutex_;
  Stage stage_ = Stage::before_start;
  base::ThreadId attaching_;
  Requests of_attach_, kept_;  // in the order of the requests
};

}  // namespace actord::system
