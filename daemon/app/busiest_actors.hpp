// SPDX-License-Identifier: Apache-2.0
//
// Which actors do the most, or have the most to do: messages a second, how busy they keep a worker,
// messages that wait, failures and restarts. It looks for some time and then answers.
//
// How each figure is known, and of which actors: core/decisions/0008-counts-per-actor.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "os/event_loop.hpp"
#include "wire/control_message.hpp"

namespace actord::system {
class ActorSystem;
}  // namespace actord::system

namespace actord::app {

/// Threads: only the event loop's.
class BusiestActors {
 public:
  using Done = std::function<void(wire::Json)>;

  /// What the actors are sorted by, the greatest first.
  enum class By : std::uint8_t { busy, rate, mailbox, failures, restarts };
  /// nullopt: there is no such word.
  static std::optional<By> by_named(std::string_view word) noexcept;

  struct Question {
    std::chrono::milliseconds time{1000};  // how long to look
    By by = By::busy;
    std::size_t most = 100;  // number of actors in the answer
  };

  /// Both outlive this object.
  BusiestActors(os::EventLoop& loop, system::ActorSystem& actors) noexcept
      : loop_(loop), actors_(actors) {}

  void look(const Question& question, Done done);
  /// Ends all looks without an answer, so that the timers let the event loop end.
  void stop() noexcept { is_stopped_ = true; }

 private:
  struct Look;

  void sample(const std::shared_ptr<Look>& look);
  wire::Json json_of(Look& look) const;

  os::EventLoop& loop_;
  system::ActorSystem& actors_;
  bool is_stopped_ = false;
};

}  // namespace actord::app
