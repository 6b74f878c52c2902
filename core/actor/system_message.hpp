// SPDX-License-Identifier: Apache-2.0
//
// What cells say to each other behind their behaviours' backs. Checked before every user message,
// handled even while the actor is suspended.
#pragma once

#include "actor/failure.hpp"
#include "message/envelope.hpp"

namespace actord::actor {

enum class Order : std::uint32_t {
  suspend,
  resume,            // failure: the one it answers, or none for a descendant that only goes along
  recreate,          // failure: the cause; number: the delay in ns
  terminate,         // failure: the cause, or none; reason
  failed,            // subject: the child; failure
  child_terminated,  // subject: the child, to its parent; reason
  terminated,        // subject: the watched one, to a watcher; flag existence_confirmed; reason;
                     // number: of watch
  watch,             // subject: the watcher; number: the token of its ask, or 0
  unwatch,           // subject: the watcher; number: of watch
  stop_child,        // subject: the child
  backoff_over,      // number: the timer's token
  settled,     // subject: a configured child that has started, with all its configured children
  spawn,       // request: from outside the tree
  reconfigure  // request: the new blueprint; node: the actor's own in it; flag with_parent
};

/// Why an actor stopped; told by Terminated and in the log.
enum class StopReason : std::uint8_t {
  stopped,
  parent,
  poison,
  killed,
  failed,
  init_failed,
  limit,
  restart,
  shutdown,
  no_such_actor,
  config  // it stands there no more, or is another one now
};
std::string_view name_of(StopReason reason) noexcept;

struct NodeSpec;
struct Request;

struct SystemBody {
  static constexpr std::uint32_t collateral = 1;  // for somebody else's failure
  static constexpr std::uint32_t existence_confirmed = 2;
  static constexpr std::uint32_t with_parent = 4;  // which is about to be built, and restarts it

  Ref subject = nobody;
  Failure* failure = nullptr;  // counted
  union {
    std::int64_t number = 0;
    const NodeSpec* node;
  };
  Request* request = nullptr;  // counted
  std::uint32_t flags = 0;
  StopReason reason = StopReason::stopped;

  bool has(std::uint32_t flag) const noexcept { return (flags & flag) != 0; }
};
static_assert(sizeof(SystemBody) <= message::Envelope::inline_size);

inline Order order_of(const message::Envelope& envelope) noexcept {
  return static_cast<Order>(envelope.type_and_flags);
}
inline SystemBody& body_of(message::Envelope& envelope) noexcept {
  return *std::launder(reinterpret_cast<SystemBody*>(envelope.bytes));
}

}  // namespace actord::actor
