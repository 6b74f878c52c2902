// SPDX-License-Identifier: Apache-2.0
//
// Publishes a DeadLetter, a SuppressedDeadLetter or an Unhandled for each message that no handler
// received (supervision.md 105, 107, 146, 150, 152), has them kept, and keeps the limit for their
// log lines.
//
// Not here: what becomes of the message itself (actor/undelivered.cpp), those that are kept
// (system/dead_letter_box.hpp), and /system/log, which writes the lines and counts them
// (system/log_actor.hpp).
#pragma once

#include <cstdint>

#include "actor/environment.hpp"
#include "base/sync.hpp"
#include "system/dead_letter_box.hpp"
#include "system/event_stream.hpp"
#include "system/message_limits.hpp"

namespace actord::system {

class DeadLetters {
 public:
  DeadLetters(const message::TypeRegistry& types, const EventStream& events)
      : types_(types), events_(events) {}

  /// Those that are kept. Any thread.
  DeadLetterBox& box() noexcept { return box_; }

  /// Looks up the types of the events. Start-up only, after the built-in messages were registered.
  void find_types();

  // ---- any thread ----
  /// Publishes an event about the message, and keeps it if it is not suppressed; `thread` is the
  /// calling thread's. A message to the bubble-walker is logged instead.
  void publish(actor::ThreadState& thread, const actor::DeadMessage& dead);
  void set_limit(const DeadLetterLimit& to);
  DeadLetterLimit limit() const noexcept;

 private:
  // Moves the message into the box. `where` is the recipient's path.
  void keep(actor::ThreadState& thread, const actor::DeadMessage& dead, const std::string& where);

  const message::TypeRegistry& types_;
  const EventStream& events_;
  DeadLetterBox box_;
  message::TypeId dead_letter_type_ = 0, suppressed_type_ = 0, unhandled_type_ = 0;
  base::Atomic<std::int64_t> logged_{0}, silence_ns_{0};
  base::Atomic<bool> logs_during_shutdown_{false};
};

}  // namespace actord::system
