// SPDX-License-Identifier: Apache-2.0
//
// Keeps the newest dead letters and unhandled messages with their content, so that an operator can
// look at them and send them again.
//
// Not here: the events about them, and their log lines (dead_letters.hpp).
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "actor/environment.hpp"
#include "base/sync.hpp"
#include "message/owned_message.hpp"

namespace actord::system {

/// A dead letter that is kept.
struct KeptLetter {
  KeptLetter(message::TypeId id, const message::MessageType& type) : message(id, type) {}

  std::uint64_t number = 0;  // from 1, in the order in which they were kept
  std::int64_t at_ns = 0;    // ActorSystem::now_ns()
  actor::Ref recipient = actor::nobody, sender = actor::nobody;
  std::string recipient_path, sender_path;  // the sender's is empty if there was none
  actor::Undelivered reason{};
  message::OwnedMessage message;
  std::size_t bytes = 0;  // that it is counted for
};
using KeptLetterPtr = std::shared_ptr<const KeptLetter>;

/// Threads: any.
class DeadLetterBox {
 public:
  /// The memory for the letters, in bytes; 0: none are kept. The oldest ones make room.
  void set_bytes_max(std::size_t bytes);
  std::size_t bytes_max() const noexcept { return bytes_max_.load(base::relaxed); }
  bool is_open() const noexcept { return bytes_max() != 0; }

  /// Keeps a letter and numbers it, unless it is larger than all of the memory.
  void add(std::shared_ptr<KeptLetter> letter);
  /// All of them, the oldest first.
  std::vector<KeptLetterPtr> all() const;
  /// Null: it is not here, or not any more.
  KeptLetterPtr find(std::uint64_t number) const;
  /// False: it was not here.
  bool remove(std::uint64_t number);

 private:
  // Takes out the oldest letters until the others fit. Under the lock; the caller destroys what it
  // gets when it has given up the lock, because that calls code of plugins.
  std::vector<KeptLetterPtr> make_room();

  mutable base::Mutex mutex_;
  base::Atomic<std::size_t> bytes_max_{0};  // written under the lock
  std::deque<KeptLetterPtr> letters_;       // by number
  std::size_t bytes_ = 0;
  std::uint64_t last_ = 0;
};

}  // namespace actord::system
