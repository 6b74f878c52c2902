// SPDX-License-Identifier: Apache-2.0
//
// Tells the log and the service manager that messages wait faster than actors handle them, before
// the kernel kills the process for want of memory: mailbox.highwater and mailbox.relieved.
//
// It looks at two figures. Messages: the memory of envelopes, of which a quarter, half and all of
// actord.actor.message-memory-max are told. What messages own besides is not in it, so the memory
// of the process is looked at as well, of which half and three quarters are told, if messages wait.
// Which actors they wait for, a census tells (actor/census.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "actor/census.hpp"
#include "base/intrusive_ptr.hpp"
#include "log/hub.hpp"
#include "os/event_loop.hpp"

namespace actord::system {
class ActorSystem;
}  // namespace actord::system

namespace actord::app {

/// A figure that is told when it passes one of some shares of its limit.
class Highwater {
 public:
  /// In eighths of the limit, ascending. The figure is low again when it is below half of the
  /// first.
  explicit Highwater(std::vector<unsigned> eighths) : eighths_(std::move(eighths)) {}

  /// True if the figure has passed a share that it had not passed since it was low.
  bool rises(std::size_t figure, std::size_t limit);
  /// True if it has passed a share and has not been low since.
  bool is_high() const noexcept { return passed_ != 0; }

 private:
  const std::vector<unsigned> eighths_;
  std::size_t passed_ = 0;
};

/// Threads: only the event loop's.
class MailboxWatch {
 public:
  /// How long actors have for their answers to the census. The report waits for the last one, or
  /// so long.
  static constexpr std::chrono::milliseconds answer_time{200};

  /// The memory that the process takes up, and may.
  struct Memory {
    std::function<std::size_t()> resident;
    std::size_t limit;
  };

  /// All of them outlive the object. `on_status` gets a text for operators; empty: nothing to tell.
  MailboxWatch(os::EventLoop& loop, log::Hub& hub, system::ActorSystem& actors, Memory memory,
               std::function<void(std::string)> on_status);

  /// To be called some times a second while workers run or messages come from outside.
  void look();
  /// The timers let the event loop end.
  void stop();

 private:
  struct Figures {
    std::size_t messages, messages_max, resident, memory;
  };

  using CensusPtr = base::IntrusivePtr<actor::Census>;

  Figures figures() const;
  static std::vector<log::Field> fields_of(const Figures& figures);
  void look_in(std::chrono::milliseconds delay);
  void await(CensusPtr census, bool is_for_memory, std::chrono::milliseconds rest);
  void report(const actor::Census& census, bool is_for_memory);
  void relieve();

  log::Hub& hub_;
  system::ActorSystem& actors_;
  const Memory memory_;
  const std::function<void(std::string)> on_status_;
  os::Timer answers_, next_look_;
  Highwater messages_{{2, 4, 8}}, process_{{4, 6}};
  std::size_t last_resident_ = 0;  // at the last look
  bool is_asking_ = false, is_told_ = false, is_stopped_ = false;
};

}  // namespace actord::app
