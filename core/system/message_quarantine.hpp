// SPDX-License-Identifier: Apache-2.0
//
// The quarantine of messages: those on which their actors have failed as often as they may
// (supervision.md 185), with all that an operator wants to know of them.
//
// Not here: when a message gets here (actor/redelivery.hpp), and the files in which the messages
// outlive the process (daemon/app).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "actor/environment.hpp"
#include "base/sync.hpp"
#include "message/owned_message.hpp"
#include "system/message_limits.hpp"

namespace actord::system {

/// A message in the quarantine.
struct QuarantinedMessage {
  struct Cause {
    std::string type, what;
  };

  std::uint64_t number = 0;             // from 1, in the order in which they have come
  std::string id;                       // "h5e6qavf.q3": the run of the daemon, and a number in it
  std::int64_t at_ns = 0;               // ActorSystem::now_ns(); of an earlier run: since 1970
  std::string path, type, sender_path;  // the sender's is empty if there was none
  actor::Ref actor = actor::nobody, sender = actor::nobody;  // of this run
  std::uint32_t incarnation = 0, attempts = 0;
  std::string failure_id, phase;
  std::vector<Cause> causes;  // the failure, and then what has caused it
  // The calls up to the throw, the innermost first: addresses; functions if of an earlier run.
  std::vector<std::string> stack;
  std::size_t bytes = 0;                           // that it is counted for
  std::unique_ptr<message::OwnedMessage> message;  // null: it is of an earlier run
  std::string content;                             // of an earlier run: the message as JSON
  std::string left_out;  // why not all of the message is there; empty: all is
};
using QuarantinedMessagePtr = std::shared_ptr<const QuarantinedMessage>;

/// Threads: any.
class MessageQuarantine {
 public:
  void set_limit(const QuarantineLimit& limit);
  QuarantineLimit limit() const;

  /// Moves the message here and logs that. If there is no room, logs that once, until there was
  /// room again, and returns null: the message is as it was.
  QuarantinedMessagePtr add(actor::ThreadState& thread, const actor::PoisonMessage& poison);
  /// A message of an earlier run, whatever the limit is now. The ids are different.
  void restore(std::shared_ptr<QuarantinedMessage> message);
  /// All of them, the oldest first.
  std::vector<QuarantinedMessagePtr> all() const;
  /// Null: it is not here, or not any more.
  QuarantinedMessagePtr find(std::string_view id) const;
  /// False: it was not here.
  bool remove(std::string_view id);
  std::size_t size() const;
  /// How many messages of this run have come here.
  std::uint64_t total() const noexcept { return total_.load(base::relaxed); }

 private:
  void push(std::shared_ptr<QuarantinedMessage> message);  // under the lock
  bool has_room_for(std::size_t bytes) const;              // under the lock
  void log_full(actor::ThreadState& thread, const actor::PoisonMessage& poison);

  mutable base::Mutex mutex_;
  QuarantineLimit limit_;
  std::vector<QuarantinedMessagePtr> messages_;  // the oldest first
  std::size_t bytes_ = 0;
  std::uint64_t last_ = 0;
  bool is_full_told_ = false;
  base::Atomic<std::uint64_t> total_{0};  // written under the lock
};

}  // namespace actord::system
