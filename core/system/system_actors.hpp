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
  /// start_kept(). Fails if the name is not valid or taken; if it is taken at the same time, the
  /// log says so later. A request to a /system that has stopped is dropped.
  base::Result<void> spawn(std::string name, actor::PropsPtr props);

  /// Spawns what was requested before. `guardian` is the turn of /system, which has started.
  void start_kept(actor::Turn& guardian);

 private:
  bool is_taken(const std::string& name) const;

  ActorSystem& system_;
  base::Mutex mutex_;
  bool has_started_ = false;
  std::vector<base::IntrusivePtr<actor::SpawnRequest>> kept_;  // in the order of the requests
};

}  // namespace actord::system
