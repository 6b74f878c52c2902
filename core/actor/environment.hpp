// SPDX-License-Identifier: Apache-2.0
//
// What a cell asks of its system. The system room fills it in; nothing here is called per message.
#pragma once

#include <actord/plugin.h>

#include "actor/cell_pool.hpp"
#include "actor/failure.hpp"
#include "actor/reconfiguration.hpp"
#include "actor/system_message.hpp"
#include "base/base32.hpp"
#include "base/block_pool.hpp"
#include "base/result.hpp"
#include "log/hub.hpp"
#include "message/envelope_pool.hpp"
#include "message/type_registry.hpp"
#include "sched/executor.hpp"

namespace actord::actor {

class ThreadState;

/// The dispatcher of actors of which nothing else is said.
inline constexpr std::uint16_t default_dispatcher = 1;

/// Types that the runtime itself sends or obeys. Their ids come before all others.
struct BuiltinTypes {
  message::TypeId poison_pill = 0, kill = 0, terminated = 0, receive_timeout = 0, identify = 0;
  message::TypeId last = 0;
  message::TypeId actor_identity = 0;
};

/// Lines at level debug that are written only if somebody asked for them (supervision.md 179h).
struct DebugSwitches {
  bool receive = false;       // each message that reaches a handler
  bool autoreceive = false;   // each that the runtime obeys: PoisonPill, Kill, Terminated, Identify
  bool lifecycle = false;     // started, restarted, stopped, supervised, watched …
  bool unhandled = false;     // each that no handler takes
  bool event_stream = false;  // each subscription
};

/// The same while actors run: each is a relaxed load, and any thread may set them.
struct LiveSwitches {
  base::Atomic<bool> receive{false}, autoreceive{false}, lifecycle{false}, unhandled{false},
      event_stream{false};

  void set(const DebugSwitches& to) noexcept {
    receive.store(to.receive, base::relaxed);
    autoreceive.store(to.autoreceive, base::relaxed);
    lifecycle.store(to.lifecycle, base::relaxed);
    unhandled.store(to.unhandled, base::relaxed);
    event_stream.store(to.event_stream, base::relaxed);
  }
};

/// Steps of an actor's life that the event stream tells of, once each (supervision.md 179i).
enum class LifeStep : std::uint8_t { started, restarted, stopped };

/// Why a message did not arrive; the texts are part of the log schema.
enum class Undelivered : std::uint8_t {
  no_actor,
  stopped,
  mailbox_full,
  backoff_full,
  timeout,
  unhandled
};
std::string_view name_of(Undelivered reason) noexcept;

struct DeadMessage {
  Ref recipient = nobody;
  Ref sender = nobody;
  message::TypeId type = 0;
  Undelivered reason = Undelivered::no_actor;
  std::string_view path = {};  // of the recipient, where there is no ref
};

class Environment {
 public:
  struct Parts {
    const actord_host* host;
    actord_system* handle;
    CellPool& cells;
    message::EnvelopeDepots& envelopes;
    message::TypeRegistry& types;
    TypeChains& chains;
    log::Hub& log;
    sched::Executor& executor;
  };

  explicit Environment(const Parts& parts)
      : host(parts.host),
        handle(parts.handle),
        cells(parts.cells),
        envelopes(parts.envelopes),
        types(parts.types),
        chains(parts.chains),
        log(parts.log),
        executor(parts.executor) {}
  virtual ~Environment() = default;
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  const actord_host* const host;
  actord_system* const handle;
  CellPool& cells;
  message::EnvelopeDepots& envelopes;
  base::BlockDepots blocks{std::size_t{1} << 34};  // instances, and what else actors are made of
  message::TypeRegistry& types;
  TypeChains& chains;
  log::Hub& log;
  sched::Executor& executor;
  BuiltinTypes builtin;
  base::Atomic<bool> has_deployments{false};     // false: snapshot() says nothing of unnamed actors
  base::Atomic<std::int64_t> stash_capacity{0};  // where neither path nor code says one; 0: none
  std::string failure_id_prefix;                 // tells this run from others
  LiveSwitches debug;
  base::Atomic<bool> hears_of_lives{false};  // false: tell_of_life() need not be called

  // ---- any thread ----
  /// `spawner` is whose code names the table.
  virtual base::Result<const Behaviour*> behaviour(const actord_behaviour& table,
                                                   const Behaviour& spawner) = 0;
  virtual base::Result<const Behaviour*> behaviour(std::string_view name) = 0;
  /// The newest: whoever has taken one over is answered with that one or a newer one.
  virtual ConfigSnapshotPtr snapshot() = 0;
  virtual base::Result<std::uint16_t> dispatcher_named(std::string_view name) = 0;
  virtual sched::Dispatcher& dispatcher(std::uint16_t id) = 0;
  /// Named actors can be found by their path, from spawn to the parent's notice of their end.
  virtual void register_path(std::string path, Ref ref) = 0;
  virtual void unregister_path(const std::string& path) = 0;
  /// The same without memory for the path; looks at every name.
  virtual void unregister_path(Ref ref) = 0;
  /// The named actors whose paths match; in the order of their paths.
  virtual std::vector<Ref> select(std::string_view pattern) = 0;
  /// The first of `count` numbers that nobody else is given.
  virtual std::uint64_t reserve_failure_ids(std::uint64_t count) = 0;
  std::string failure_id_text(std::uint64_t id) const {
    return failure_id_prefix + base::base32(id);
  }

  /// Constructs the payload of a built-in message.
  virtual void construct_terminated(void* at, Ref who, bool existence_confirmed,
                                    StopReason reason) = 0;
  virtual void construct_receive_timeout(void* at, std::int64_t after_ns) = 0;
  virtual void construct_identity(void* at, const void* identify, Ref who) = 0;

  virtual void undelivered(ThreadState& thread, const DeadMessage& message) = 0;
  virtual void subscribe(Ref subscriber, message::TypeId type) = 0;
  virtual void subscribe_prefix(Ref subscriber, std::string_view prefix) = 0;
  virtual void unsubscribe(Ref subscriber, message::TypeId type) = 0;  // 0: everything
  virtual void publish(ThreadState& thread, message::TypeId type, void* message, Ref sender) = 0;

  /// `detail`: the cause of a restart, the reason of a stop.
  virtual void tell_of_life(ThreadState& thread, LifeStep step, Ref who,
                            std::string_view detail) = 0;

  // ---- milestones, on the thread of the cell concerned ----
  /// All configured children of a guardian have settled.
  virtual void configured_children_started(const Cell& guardian) = 0;
  /// A configured actor could not be created and is being stopped for it.
  /// False: the boot ends here, no further configured child is to be started.
  virtual bool configured_child_lost(std::string_view path, const Failure& failure) = 0;
  /// The root or a child of it begins to stop, whoever wanted that.
  virtual void guardian_stopping(std::string_view path) = 0;
  virtual void root_failed(const FailurePtr& failure) = 0;
  virtual void root_stopped() = 0;
  /// A child of the root failed and is being stopped: the system goes down.
  virtual void guardian_failed(std::string_view path, const Failure& failure) = 0;
};

}  // namespace actord::actor
