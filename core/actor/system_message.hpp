// SPDX-License-Identifier: Apache-2.0
//
// The messages with which the runtime controls actors. An actor looks for system messages before
// each user message and handles them even while it is suspended.
#pragma once

#include "actor/failure.hpp"
#include "actor/request.hpp"
#include "message/envelope.hpp"

namespace actord::actor {

/// The reason why an actor stopped. Terminated and the log line of the end name it.
enum class StopReason : std::uint8_t {
  stopped,
  parent,
  poison,
  killed,
  failed,
  init_failed,
  limit,
  shutdown,
  no_such_actor,
  config  // a reload removes the actor or replaces it
};
std::string_view name_of(StopReason reason) noexcept;

struct NodeSpec;

/// Stored in the inline part of an envelope. Sending a message passes on its counted failure and
/// request. A message that is made but not sent leaks them, so create it in the call that sends it.
struct SystemMessage {
  enum class Kind : std::uint8_t {
    suspend,
    resume,    // failure: the one that is resumed; none if the actor's parent is resumed
    recreate,  // failure: the cause; delay_ns; flag collateral
    // failure: the cause, or none; reason; flag collateral; subject: who has asked for it, unless
    // that is the parent or no actor
    terminate,
    failed,            // subject: the child; failure
    child_terminated,  // to the parent; subject: the child; reason; flag existence_confirmed
    // to a watcher; subject: the watched actor; reason; token of the watch; flag
    // existence_confirmed
    terminated,
    watch,            // subject: the watcher; token of its ask, or 0
    unwatch,          // subject: the watcher; token of the watch
    stop_child,       // subject: the child to stop
    backoff_over,     // token of the back-off; 0: of any
    subtree_started,  // subject: a configured child whose own subtree has started
    start_child,      // request: a StartRequest from outside the tree
    spawn,            // request: a SpawnRequest from outside the tree
    reconfigure,      // request: a Reconfiguration; node: new node of the actor; flag with_parent
    count,            // request: a Census
    inspect,          // request: an Inspection
    order,            // request: an Order
    wait_for_room,    // to itself; subject: the receiver whose mailbox is full; delay_ns: how long
    room_wanted,      // subject: an actor that waits for room in the mailbox
    room,             // subject: a receiver that has room, or has ended; or token: the wait is over
    // The process of the actor's instance has ended. failure: what the actor fails with; token: the
    // incarnation that lived there
    instance_lost,
    // request: a JournalRequest that the journal answers; or token: the recovery takes too long
    journal,
    handled  // to a router; subject: a routee that has handled a credited message, or lost it
  };
  static constexpr std::uint32_t collateral = 1;           // the failure is another actor's
  static constexpr std::uint32_t existence_confirmed = 2;  // the subject has existed
  static constexpr std::uint32_t with_parent = 4;  // the parent is about to restart its children

  static SystemMessage suspend() noexcept { return {.kind = Kind::suspend}; }
  static SystemMessage resume() noexcept { return {.kind = Kind::resume}; }
  /// The verdict Resume. `judged_id` is the id of the failure that the receiver has reported. It is
  /// not that of `failure` if a decider failed over it.
  static SystemMessage resume(FailurePtr failure, std::uint64_t judged_id) noexcept {
    return {.kind = Kind::resume, .failure = failure.release(), .argument = {.token = judged_id}};
  }
  static SystemMessage recreate(FailurePtr cause, std::int64_t delay_ns,
                                bool is_collateral) noexcept {
    return {.kind = Kind::recreate,
            .flags = is_collateral ? collateral : 0,
            .failure = cause.release(),
            .argument = {.delay_ns = delay_ns}};
  }
  static SystemMessage terminate(StopReason reason = StopReason::stopped, FailurePtr cause = {},
                                 bool is_collateral = false, Ref by = nobody) noexcept {
    return {.kind = Kind::terminate,
            .reason = reason,
            .flags = is_collateral ? collateral : 0,
            .subject = by,
            .failure = cause.release()};
  }
  static SystemMessage failed(Ref child, FailurePtr failure) noexcept {
    return {.kind = Kind::failed, .subject = child, .failure = failure.release()};
  }
  static SystemMessage child_terminated(Ref child, StopReason reason) noexcept {
    return {.kind = Kind::child_terminated,
            .reason = reason,
            .flags = existence_confirmed,
            .subject = child};
  }
  static SystemMessage terminated(Ref watched, StopReason reason, bool has_existed,
                                  std::uint64_t token) noexcept {
    return {.kind = Kind::terminated,
            .reason = reason,
            .flags = has_existed ? existence_confirmed : 0,
            .subject = watched,
            .argument = {.token = token}};
  }
  static SystemMessage watch(Ref watcher, std::uint64_t token = 0) noexcept {
    return {.kind = Kind::watch, .subject = watcher, .argument = {.token = token}};
  }
  static SystemMessage unwatch(Ref watcher, std::uint64_t token = 0) noexcept {
    return {.kind = Kind::unwatch, .subject = watcher, .argument = {.token = token}};
  }
  static SystemMessage stop_child(Ref child) noexcept {
    return {.kind = Kind::stop_child, .subject = child};
  }
  static SystemMessage backoff_over(std::uint64_t token) noexcept {
    return {.kind = Kind::backoff_over, .argument = {.token = token}};
  }
  static SystemMessage start_child(RequestPtr request) noexcept {
    return {.kind = Kind::start_child, .request = request.release()};
  }
  static SystemMessage subtree_started(Ref child) noexcept {
    return {.kind = Kind::subtree_started, .subject = child};
  }
  static SystemMessage spawn(RequestPtr request) noexcept {
    return {.kind = Kind::spawn, .request = request.release()};
  }
  static SystemMessage count(RequestPtr census) noexcept {
    return {.kind = Kind::count, .request = census.release()};
  }
  static SystemMessage inspect(RequestPtr inspection) noexcept {
    return {.kind = Kind::inspect, .request = inspection.release()};
  }
  static SystemMessage order(RequestPtr order) noexcept {
    return {.kind = Kind::order, .request = order.release()};
  }
  static SystemMessage wait_for_room(Ref receiver, std::int64_t timeout_ns) noexcept {
    return {.kind = Kind::wait_for_room, .subject = receiver, .argument = {.delay_ns = timeout_ns}};
  }
  static SystemMessage room_wanted(Ref by) noexcept {
    return {.kind = Kind::room_wanted, .subject = by};
  }
  static SystemMessage room(Ref receiver) noexcept {
    return {.kind = Kind::room, .subject = receiver};
  }
  static SystemMessage wait_over(std::uint64_t token) noexcept {
    return {.kind = Kind::room, .argument = {.token = token}};
  }
  static SystemMessage instance_lost(FailurePtr failure, std::uint32_t incarnation) noexcept {
    return {.kind = Kind::instance_lost,
            .failure = failure.release(),
            .argument = {.token = incarnation}};
  }
  static SystemMessage journal(RequestPtr answer) noexcept {
    return {.kind = Kind::journal, .request = answer.release()};
  }
  static SystemMessage journal_timeout(std::uint64_t token) noexcept {
    return {.kind = Kind::journal, .argument = {.token = token}};
  }
  static SystemMessage handled(Ref routee) noexcept {
    return {.kind = Kind::handled, .subject = routee};
  }
  static SystemMessage reconfigure(RequestPtr request, const NodeSpec* node,
                                   bool is_with_parent) noexcept {
    return {.kind = Kind::reconfigure,
            .flags = is_with_parent ? with_parent : 0,
            .argument = {.node = node},
            .request = request.release()};
  }

  Kind kind;
  StopReason reason = StopReason::stopped;
  std::uint32_t flags = 0;
  Ref subject = nobody;
  Failure* failure = nullptr;  // counted
  union Argument {
    std::uint64_t token = 0;
    std::int64_t delay_ns;
    const NodeSpec* node;
  };
  Argument argument = {};
  Request* request = nullptr;  // counted

  bool has(std::uint32_t flag) const noexcept { return (flags & flag) != 0; }
  std::uint64_t token() const noexcept { return argument.token; }
  std::int64_t delay_ns() const noexcept { return argument.delay_ns; }
  const NodeSpec* node() const noexcept { return argument.node; }
};
static_assert(sizeof(SystemMessage) <= message::Envelope::inline_size);

inline SystemMessage& system_message_in(message::Envelope& envelope) noexcept {
  return *std::launder(reinterpret_cast<SystemMessage*>(envelope.bytes));
}

}  // namespace actord::actor
