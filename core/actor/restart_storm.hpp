// SPDX-License-Identifier: Apache-2.0
//
// The storm guard: it delays the restarts of an actor that is restarted again and again under a
// strategy that limits nothing (supervision.md, section 4).
//
// Not here: the decision to restart (supervisor.cpp), and the delay itself, which is that of a
// back-off (recovery.cpp).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "actor/ref.hpp"
#include "actor/supervision.hpp"
#include "base/sync.hpp"

namespace actord::actor {

/// An actor, or the children of an all-for-one supervisor, in a storm.
struct RestartStorm {
  Ref subject = nobody;  // the actor; with all-for-one the supervisor
  std::string actor_path, supervisor_path;
  std::string rule, origin;     // of the decision that began it
  std::int64_t calm_at_ns = 0;  // the storm is over if there is no restart until then
  std::uint64_t restarts = 0;   // that were delayed
  bool is_announced = false;    // a line has told of its begin
};

/// The setting, and the storms of the system. Any thread.
class RestartStorms {
 public:
  void set_guard(const StormGuard& guard) noexcept;
  StormGuard guard() const noexcept;
  bool is_guarded() const noexcept { return threshold_.load(base::relaxed) >= 0; }

  /// One more restart was delayed. False if no storm of this subject lasts.
  bool prolong(Ref subject, std::int64_t calm_at_ns);
  /// A storm begins. Returns whether a line may tell of it: of the storms that last at one time 16
  /// are announced, and the others are counted.
  bool begin(RestartStorm storm);
  /// The number of storms since the last call that no line has told of.
  std::uint64_t take_unannounced();
  /// The storms that are over, and those whose subject has stopped.
  std::vector<RestartStorm> take_over(std::int64_t now_ns,
                                      const std::function<bool(Ref)>& is_alive);
  bool is_calm() const;

 private:
  base::Atomic<std::int64_t> threshold_{-1}, within_ns_{0}, delay_min_ns_{0}, delay_max_ns_{0};
  mutable base::Mutex mutex_;
  std::unordered_map<Ref, RestartStorm> lasting_;
  std::size_t announced_ = 0;  // of those that last
  std::uint64_t unannounced_ = 0;
};

}  // namespace actord::actor
