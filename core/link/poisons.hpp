// SPDX-License-Identifier: Apache-2.0
//
// The messages that have killed the process of their receiver. One that does so twice is poison: it
// is not given to that actor any more (supervision.md 181j).
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>

#include "actor/ref.hpp"
#include "base/sync.hpp"
#include "message/message_type.hpp"

namespace actord::link {

/// Any thread.
class Poisons {
 public:
  /// What a message is recognised by: its receiver, its type and its content.
  static std::uint64_t key_of(actor::Ref receiver, message::TypeId type,
                              std::string_view content) noexcept;

  /// The message has killed once more; returns how often it has by now. Only the last 256 messages
  /// that did are known.
  std::uint32_t count(std::uint64_t key);
  bool is_poison(std::uint64_t key) const;
  /// False: no message is poison, and there is nothing to compare.
  bool has_any() const noexcept { return has_any_.load(base::relaxed); }

 private:
  struct Killer {
    std::uint64_t key;
    std::uint32_t times;
  };
  static constexpr std::size_t capacity = 256;

  mutable base::Mutex mutex_;
  std::deque<Killer> killers_;
  base::Atomic<bool> has_any_{false};  // set before the first poison is looked for; a hint
};

}  // namespace actord::link
