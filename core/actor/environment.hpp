// SPDX-License-Identifier: Apache-2.0
//
// The interface from the actors to their system, which ActorSystem implements. Sending and handling
// a message calls no virtual function, except dispatcher() for a cell of another dispatcher.
#pragma once

#include <actord/plugin.h>

#include "actor/actor_counts.hpp"
#include "actor/cell_pool.hpp"
#include "actor/configured_step.hpp"
#include "actor/crash_charge.hpp"
#include "actor/failure.hpp"
#include "actor/failure_log_limit.hpp"
#include "actor/isolator.hpp"
#include "actor/journal.hpp"
#include "actor/live_switches.hpp"
#include "actor/mailbox_limits.hpp"
#include "actor/reconfiguration.hpp"
#include "actor/restart_storm.hpp"
#include "actor/routes.hpp"
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
class Turn;

/// The dispatcher of actors for which neither code nor configuration names one.
inline constexpr std::uint16_t default_dispatcher = 1;

/// Message types that the runtime itself sends or handles. Their ids come before all others.
struct BuiltinTypes {
  /// Fills in all ids. The builtin plugin has been added.
  void find_in(const message::TypeRegistry& types);

  message::TypeId poison_pill = 0, kill = 0, terminated = 0, receive_timeout = 0, identify = 0;
  message::TypeId last = 0;  // the greatest id of these
  message::TypeId actor_identity = 0;
  message::TypeId perform = 0;           // the order to a helper that works for an actor
  message::TypeId remove_routee = 0;     // its only field is the routee
  message::TypeId adjust_pool_size = 0;  // its only field is the change
};

/// Lifecycle steps that are published on the event stream, once each (supervision.md 179i).
enum class LifecycleStep : std::uint8_t { started, restarted, stopped };

/// The message types of one subscription, among them those of plugins that are loaded later.
struct TypeGroup {
  enum class Kind : std::uint8_t { prefix, family };

  Kind kind;
  std::string_view text;  // what the names begin with, or the name of the family
};

/// The reason why a message was not delivered. The texts of name_of() are part of the log schema.
enum class Undelivered : std::uint8_t {
  no_actor,
  stopped,
  mailbox_full,
  backoff_full,
  timeout,
  unhandled,
  not_translated,  // into the layout of the receiver's plugin
  // it has killed the process of its receiver twice, or was too much for the quarantine
  poison,
  no_routee  // of the router that got it
};
std::string_view name_of(Undelivered reason) noexcept;

/// A message that was not delivered.
struct DeadMessage {
  Ref recipient = nobody;
  Ref sender = nobody;
  message::TypeId type = 0;
  Undelivered reason = Undelivered::no_actor;
  // Its payload, which Environment::undelivered() may move elsewhere; null: it is not at hand.
  void* content = nullptr;
  std::string_view path = {};  // the recipient's, if there is no ref
};

/// A message on which its receiver has failed as often as it may. `reason` holds if there is no
/// room in the quarantine.
struct PoisonMessage {
  DeadMessage message;
  const Failure& failure;  // the last one
  std::uint32_t attempts;
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

  explicit Environment(const Parts& parts);
  virtual ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  const actord_host* const host;
  actord_system* const handle;
  CellPool& cells;
  message::EnvelopeDepots& envelopes;
  base::BlockDepots blocks{std::size_t{1} << 34};  // memory of instances, packets and the like
  message::TypeRegistry& types;
  TypeChains& chains;
  log::Hub& log;
  sched::Executor& executor;
  BuiltinTypes builtin;
  base::Atomic<bool> has_deployments{false};     // false: there are no rules for paths and plugins
  Isolator* isolator = nullptr;                  // set before the start; null: none is isolated
  Journal* journal = nullptr;                    // set before the start; null: none is persistent
  base::Atomic<std::int64_t> stash_capacity{0};  // if neither path nor code sets one; 0: no limit
  base::Atomic<bool> asks_fail{true};            // with the handler that fails, unless configured
  std::string failure_id_prefix;                 // differs in each run
  LiveSwitches debug;
  Tracing tracing;
  ActorCounts counts{cells};
  MailboxLimits mailbox_limits{cells};
  Routes routes{cells};
  FailureLogLimit failure_log;
  RestartStorms storms;
  base::Atomic<bool> has_lifecycle_subscribers{
      false};  // false: publish_lifecycle_step() need not be called

  // ---- any thread ----
  /// The behaviour of `table`, which the code of `spawner` names.
  virtual base::Result<const Behaviour*> behaviour(const actord_behaviour& table,
                                                   const Behaviour& spawner) = 0;
  virtual base::Result<const Behaviour*> behaviour(std::string_view name) = 0;
  /// The newest snapshot. An actor that was reconfigured gets the snapshot of that reload or a
  /// newer one.
  virtual ConfigSnapshotPtr snapshot() = 0;
  virtual base::Result<std::uint16_t> dispatcher_named(std::string_view name) = 0;
  virtual sched::Dispatcher& dispatcher(std::uint16_t id) = 0;
  /// Named actors are found by their path, from their spawn until their parent has been notified of
  /// their end. Called in the parent's turn. The first throws std::bad_alloc.
  virtual void list_by_name(const Cell& child) = 0;
  virtual void unlist_by_name(const Cell& child) noexcept = 0;
  /// The named actors with a path that matches `pattern`, in the order of their paths.
  virtual std::vector<Ref> select(std::string_view pattern) = 0;
  /// Unique in this run of the system, from 1, in the order of the calls.
  std::uint64_t next_failure_id() noexcept { return failure_ids_.fetch_add(1, base::relaxed) + 1; }
  std::string failure_id_text(std::uint64_t id) const {
    return failure_id_prefix + base::base32(id);
  }

  /// Constructs the payload of a built-in message.
  virtual void construct_terminated(void* at, Ref who, bool existence_confirmed,
                                    StopReason reason) = 0;
  virtual void construct_receive_timeout(void* at, std::int64_t after_ns) = 0;
  virtual void construct_identity(void* at, const void* identify, Ref who) = 0;

  /// /system/log is to write, a second later, what `failure_log` has counted and which storms are
  /// over. Requests before that are the same request.
  virtual void request_summary(ThreadState& thread) = 0;
  /// Publishes a dead letter or an unhandled message on the event stream.
  virtual void undelivered(ThreadState& thread, const DeadMessage& message) = 0;
  /// Keeps a message apart, for an operator, and moves its payload. False: there is no room; then
  /// the message is as it was.
  virtual bool quarantine(ThreadState& thread, const PoisonMessage& poison) = 0;
  virtual void subscribe(Ref subscriber, message::TypeId type) = 0;
  virtual void subscribe(Ref subscriber, const TypeGroup& group) = 0;
  virtual void unsubscribe(Ref subscriber, message::TypeId type) = 0;  // 0: from everything
  virtual void unsubscribe(Ref subscriber, const TypeGroup& group) = 0;
  virtual void publish(ThreadState& thread, message::TypeId type, void* message, Ref sender) = 0;

  /// Publishes a lifecycle step of `who`. `detail`: the cause of a restart, the reason of a stop.
  virtual void publish_lifecycle_step(ThreadState& thread, LifecycleStep step, Ref who,
                                      std::string_view detail) = 0;

  // ---- milestones, on the thread that runs the cell concerned ----
  /// The starts of all configured children of this actor are over (see StartSequence), and its
  /// parent has not been told yet.
  virtual void configured_children_started(Turn& turn) = 0;
  /// A configured actor could not be created and is being stopped. False: the boot has failed, and
  /// no further configured child may be started.
  virtual bool configured_child_lost(std::string_view path, const Failure& failure) = 0;
  /// A step in the life of the configured actor at `path`. Also called for the guardians.
  virtual void on_configured_step(std::string_view path, const ConfiguredStep& step) noexcept = 0;
  /// Whether a reload starts the configured actor at `path`, which is not running, although its
  /// node has not changed. `is_forced`: also if it has ended in peace.
  virtual bool is_due_again(std::string_view path, bool is_forced) = 0;
  /// What the configured actor at `path`, which is about to start, is charged with; null: nothing.
  virtual CrashChargePtr take_crash_charge(std::string_view path) = 0;
  /// Whether the configured actor at `path` has stopped; its parent may not know that yet.
  virtual bool has_stopped(std::string_view path) = 0;
  /// The root guardian or one of its children begins to stop, for any reason.
  virtual void guardian_stopping(std::string_view path) = 0;
  virtual void root_failed(const FailurePtr& failure) = 0;
  virtual void root_stopped() = 0;
  /// A child of the root failed and is being stopped. The system stops, too.
  virtual void guardian_failed(std::string_view path, const Failure& failure) = 0;

 private:
  base::Atomic<std::uint64_t> failure_ids_{0};
};

}  // namespace actord::actor
