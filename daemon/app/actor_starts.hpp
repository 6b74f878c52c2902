// SPDX-License-Identifier: Apache-2.0
//
// The operator's requests to start configured actors that are not running. Each is answered when
// the actor is up, or when it is known that it does not come up.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>

#include "config/exit_codes.hpp"
#include "os/event_loop.hpp"
#include "system/configured_actors.hpp"

namespace actord::system {
class ActorSystem;
}  // namespace actord::system

namespace actord::app {

/// Threads: only the event loop's.
class ActorStarts {
 public:
  struct Outcome {
    config::ExitCode code = config::ExitCode::ok;
    std::string reason;        // why the actor is not up; empty: it is
    bool was_running = false;  // it was up before
    std::string help = {};
  };
  using Done = std::function<void(const Outcome&)>;

  /// How long an actor may take. Its start goes on afterwards.
  static constexpr std::chrono::seconds timeout{30};

  /// Both outlive this object.
  ActorStarts(os::EventLoop& loop, system::ActorSystem& actors) noexcept
      : loop_(loop), actors_(actors) {}

  /// Calls `done` once, now or later.
  void start(const std::string& path, Done done);
  /// The table of configured actors has changed.
  void on_changed();
  /// The daemon is stopping: answers all requests, pending and future ones.
  void stop();

 private:
  struct Pending {
    std::string path;
    std::uint64_t steps;  // of the actor when it was asked for
    Done done;
    os::Timer deadline;
  };
  using Position = std::list<Pending>::iterator;

  /// The outcome that stands without a start; nullopt: the actor must be started.
  std::optional<Outcome> standing(const std::string& path,
                                  const std::optional<system::ConfiguredActor>& actor) const;
  Outcome unknown(const std::string& path) const;
  std::optional<Outcome> outcome_of(const Pending& request) const;
  void answer(Position request, const Outcome& outcome);

  os::EventLoop& loop_;
  system::ActorSystem& actors_;
  std::list<Pending> pending_;
  bool is_stopping_ = false;
};

}  // namespace actord::app
