// SPDX-License-Identifier: Apache-2.0
//
// What the runtime and a host process say to each other. Both are of one build, and a host of
// another is not started, so that the numbers may change from one version to the next.
//
// A frame from the runtime begins with a Call and the number of the instance. Requests of the host
// begin with a Request. After a request that asks for something, the host gives the turn to the
// runtime, which answers with Call::answer. The last request of a call is Request::returned.
#pragma once

#include <cstdint>

namespace actord::link {

/// Frames begin with it in the welcome; both ends compare it.
inline constexpr std::uint32_t protocol_version = 1;

enum class Call : std::uint8_t {
  answer,  // to the last request
  create,
  destroy,
  receive,
  pre_start,
  post_stop,
  pre_restart,
  post_restart,
  decide,
  review,
  log_failure,
  child_terminated,
  reply,    // the answer to an ask
  restore,  // the functions of actord_persistence
  replay,
  recovered,
  persisted,
  drop_args  // of an actor of which no more instances are created
};

enum class Request : std::uint8_t {
  returned,  // from the call; its status, and its failure
  // ---- of the actor that is called ----
  tell,
  tell_from,
  reply,
  reply_failure,
  fail_ask,
  forward,
  forward_from,
  ask,
  ask_selection,
  tell_selection,
  forward_selection,
  publish,
  spawn,
  spawn_configured,
  stop,
  stop_children,
  graceful_stop,
  children,
  child,
  watch,
  unwatch,
  become,
  unbecome,
  stash,
  unstash_all,
  unstash,
  start_timer,
  cancel_timer,
  has_timer,
  receive_timeout,
  schedule_once,
  now,
  random,
  log,
  log_supervision,
  subscribe,
  unsubscribe,
  asker,
  budget,
  reply_read,
  traceparent,
  continue_trace,
  route,
  add_routee,
  remove_routee,
  routees,
  tell_routees,
  spawn_like,
  hash_of_field,
  breaker,
  admit_call,
  settle_call,
  breaker_state,
  persistence_id,
  persist,
  save_snapshot,
  delete_events,
  persistence_state,
  add_shutdown_task,
  await_end,
  refuse,
  offer,
  // ---- of any thread ----
  system_tell,
  system_try_tell,
  system_log,
  schedule,
  cancel_scheduled,
  path,
  find,
  type_name,
  spawn_system
};
inline constexpr Request first_outside = Request::system_tell;

/// What subscribe and unsubscribe are about.
enum class Topic : std::uint8_t { type, prefix, family };

/// How a message lies in a frame.
enum class Form : std::uint8_t {
  none,    // there is no message, or one whose type the plugin does not know
  bytes,   // its bytes, as they lie in memory
  packed,  // MessagePack
};

/// How an instance is created.
enum class Creation : std::uint8_t {
  configured,  // by the behaviour's own create()
  by_address,  // by a function of the process, with arguments that lie there
  remade       // by props that the plugin makes there from those of an actor in actord
};

}  // namespace actord::link
