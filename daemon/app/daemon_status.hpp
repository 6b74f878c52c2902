// SPDX-License-Identifier: Apache-2.0
//
// What an operator asks first: what is up, what is not, where messages wait, and how much memory
// they take up.
//
// Not here: what failed lately and the last reload, which the log's history has (log_reading.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "os/event_loop.hpp"
#include "wire/control_message.hpp"

namespace actord::actor {
struct Census;
}  // namespace actord::actor

namespace actord::system {
class ActorSystem;
}  // namespace actord::system

namespace actord::app {

class Reloader;

/// Threads: only the event loop's.
class DaemonStatus {
 public:
  using Done = std::function<void(wire::Json)>;

  /// How long actors have to say how many messages wait; the answer comes then, or before.
  static constexpr std::chrono::milliseconds answer_time{200};
  /// The rate of messages is measured for so long.
  static constexpr std::chrono::milliseconds rate_time{100};
  /// So many mailboxes are told, the fullest.
  static constexpr std::size_t mailboxes_max = 5;

  struct Process {
    std::string boot;          // the id of this run
    std::int64_t started_ns;   // on the monotonic clock
    std::size_t memory_limit;  // bytes
    const bool& is_draining;
  };

  /// All of them outlive this object.
  DaemonStatus(os::EventLoop& loop, system::ActorSystem& actors, const Reloader& reloader,
               Process process)
      : loop_(loop), actors_(actors), reloader_(reloader), process_(std::move(process)) {}

  void tell(Done done);
  /// Answers in the making are dropped: the actors end, and the event loop goes on for the log.
  void stop() noexcept { is_stopped_ = true; }

 private:
  struct Look;

  void wait(const std::shared_ptr<Look>& look);
  wire::Json json_of(const Look& look) const;
  void add_actors(wire::Json& json) const;
  /// Only of a journal that cannot be used.
  void add_journal(wire::Json& json) const;
  void add_mailboxes(const actor::Census& census, wire::Json& json) const;

  os::EventLoop& loop_;
  system::ActorSystem& actors_;
  const Reloader& reloader_;
  const Process process_;
  bool is_stopped_ = false;
};

}  // namespace actord::app
