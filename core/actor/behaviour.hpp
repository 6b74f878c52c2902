// SPDX-License-Identifier: Apache-2.0
//
// A loaded behaviour: the plugin's table, with the results of the look-ups that are done once, at
// loading. Also the props that actors are built from.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "actor/plugin_usage.hpp"
#include "actor/strategy.hpp"
#include "base/block_pool.hpp"
#include "base/intrusive_ptr.hpp"
#include "base/result.hpp"
#include "base/sync.hpp"
#include "log/record_codec.hpp"
#include "message/type_registry.hpp"

namespace actord::actor {

/// One state of a behaviour. Finds the handler for a message type by its dense id, with one
/// comparison and one load.
class ReceiveTable {
 public:
  /// `plugin` is the name and version of the plugin, in whose layouts its handlers take messages.
  /// Fails if a message type of `table` is not registered; the error names it.
  static base::Result<ReceiveTable> resolve(const actord_receive& table,
                                            const message::TypeRegistry& types,
                                            std::string_view plugin);

  /// Null if the behaviour has no handler for that type; also if only find_any() can tell, which is
  /// so for further layouts, and for all types that no case names if the plugin has any.
  actord_handler find(message::TypeId id) const noexcept {
    // An id below base_ wraps to a large number, so that one comparison is enough.
    const std::uint32_t slot = id - base_;
    return slot < n_slots_ ? slots_[slot] : otherwise_;
  }
  /// The handler of the case for exactly this layout; null: there is no such case.
  actord_handler find_case(message::TypeId id) const noexcept;
  /// The same, or the handler of all other types; null if the behaviour has none.
  actord_handler find_any(message::TypeId id) const noexcept {
    const actord_handler found = find_case(id);
    return found != nullptr ? found : table_->otherwise;
  }
  const actord_receive* table() const noexcept { return table_; }

 private:
  const actord_receive* table_ = nullptr;
  std::vector<message::TypeId> ids_;  // of the cases
  message::TypeId base_ = 0;          // the lowest id with a handler; slots_[0] is its handler
  std::uint32_t n_slots_ = 0;
  std::unique_ptr<actord_handler[]> slots_;
  // The handler of all other types; also in the slots of other types whose ids lie in the range.
  // Null if the plugin has further layouts: it may have to get another layout than the one sent.
  actord_handler otherwise_ = nullptr;
};

class Behaviour;
class ConfigSnapshot;
struct ActorSettings;
struct CrashCharge;
struct NodeSpec;
struct RouterRule;

class Failure;

/// The arguments of an actor's constructor. Every incarnation is constructed from the same ones.
struct Args {
  void* args = nullptr;
  void (*destroy)(void*) = nullptr;  // called when the actor has ended; null: nothing to destroy

  void drop() const {
    if (destroy != nullptr) destroy(args);
  }
};

/// What an actor and its restarts are built from. Most props belong to the behaviour and
/// are shared by all actors with the same `create`. Props of a single actor are counted by its
/// cell.
class Props final : public base::RefCounted<Props> {
 public:
  using Create = actord_status (*)(void*, actord_context*, actord_value, const void*,
                                   actord_errors*);

  explicit Props(const Behaviour& behaviour_);
  ~Props();
  Props(const Props&) = delete;
  Props& operator=(const Props&) = delete;

  /// Gives each actor arguments of its own, which lie in its block behind the instance.
  void keep_args_in_block() noexcept;
  /// Takes over `config`, `create` and `args` of a configured actor's node. They point into the
  /// node's snapshot, which the caller must store in `snapshot`.
  void build_from(const NodeSpec& node) noexcept;
  /// Takes over what a pattern says of a router that code has spawned; null: nothing.
  void build_from(const RouterRule* rule) noexcept;
  /// Takes over what the operator has chosen for the actor, and may change while it runs.
  void adopt(const ActorSettings& settings) noexcept;
  /// The arguments in the block at `at`, if keeps_args.
  Args& args_in(void* at) const noexcept {
    return *reinterpret_cast<Args*>(static_cast<std::byte*>(at) + block.size - sizeof(Args));
  }

  /// How the actor supervises its children: the operator's strategy for its path, else the one in
  /// the code, else the default.
  const Strategy& strategy_of_children() const;

  const Behaviour& behaviour;
  Create create = nullptr;  // null: the behaviour's own
  Args args;                // of a single actor; unused if keeps_args
  bool is_shared = false;   // lives as long as the behaviour; no cell counts it
  bool keeps_args = false;  // each actor's arguments lie in its block
  base::BlockShape block;   // of an actor's memory: the instance, and its arguments if keeps_args
  std::optional<Strategy> own_strategy;  // written in code for this actor; none: the behaviour's

  // The operator's configuration of the actor. After a reload the actor changes it in its own turn.
  // The snapshot that `node` and `strategy` point into; null: nothing is configured.
  base::IntrusivePtr<const ConfigSnapshot> snapshot;
  const NodeSpec* node = nullptr;      // of the actor; null: it is not configured
  const Strategy* strategy = nullptr;  // null: own_strategy, else the behaviour's, else default
  std::int64_t stash_capacity = 0;     // messages; 0: not configured; negative: no limit
  std::uint32_t attempts_max = 0;      // at a message; 0: one on which the actor fails is dropped
  std::optional<bool> asks_fail;       // with the handler that fails; none: not configured
  // For the constructor: of the node, or of the pattern for the path of a router.
  actord_value config{nullptr, nullptr};
  bool is_router = false;            // that code has spawned
  std::int64_t configured_size = 0;  // of its routees, by a pattern; 0: not configured
  // Owns `args`, if the actor is isolated and not configured.
  std::shared_ptr<const void> origin;
  // The snapshot that the instance was built from, which may keep values of its config.
  base::IntrusivePtr<const ConfigSnapshot> built_from;
  // The failure for which the supervisor was restarted, and started this actor; null: none. Cleared
  // when the actor has started.
  base::IntrusivePtr<Failure> started_for;
  // The crash of an earlier process that the actor fails with before it is created; null: none.
  std::shared_ptr<const CrashCharge> crash;
};
using PropsPtr = base::IntrusivePtr<Props>;

/// The log lines that a behaviour's actors write often. Only configured actors have an origin.
enum LifeForm : std::uint8_t { start, configured_start, stop };

/// A form made at first use. Any thread.
class LazyForm {
 public:
  /// `make` may be called by several threads; the form of the last one stays.
  template <class Make>
  const log::Form& get(Make&& make) const {
    const log::Form* form = form_.load(base::acquire);
    if (form == nullptr) [[unlikely]] {
      form = make();
      form_.store(form, base::release);
    }
    return *form;
  }

 private:
  // The release of `form_` in get() pairs with the acquire there: a thread that sees the form of
  // another thread also sees what it consists of.
  mutable base::Atomic<const log::Form*> form_{nullptr};
};

/// What an actor whose instance lives in a host process needs beside its table.
struct Remoting {
  /// Calls the handler of an answer, whose address is one of that process.
  actord_status (*answer)(void* self, actord_context* context, actord_reply_handler handler,
                          const void* message, const actord_failure* failure,
                          actord_errors* errors);
  /// Whether the instance has ended with its process.
  bool (*is_lost)(const void* self);
  /// The id of that process; 0: it has none.
  int (*process_of)(const void* self);
  /// The actor fails with this, because its process has ended while the actor was not busy there.
  void (*note_loss)(void* self, actord_context* context, const Failure& failure);
};

class Behaviour {
 public:
  /// The plugin that a behaviour belongs to.
  struct Plugin {
    std::string_view name;  // the first part of the behaviour's name
    std::string_view version;
    std::uint16_t abi_minor;    // of the interface that it was built against
    std::string_view declarer;  // as TypeRegistry knows it: "echo 1.0.0"
  };
  /// Fails if `table` is invalid or handles a message type that is not registered.
  static base::Result<std::unique_ptr<Behaviour>> load(const actord_behaviour& table,
                                                       const Plugin& plugin,
                                                       const message::TypeRegistry& types,
                                                       const Remoting* remoting = nullptr);

  const ReceiveTable& initial() const noexcept { return receives_.front(); }
  /// All states, the initial one first.
  std::span<const ReceiveTable> receives() const noexcept { return receives_; }
  /// Null if the behaviour did not declare `table`.
  const ReceiveTable* find(const actord_receive* table) const noexcept;
  /// The props of all actors without a `create`, arguments or strategy of their own. Any thread.
  Props& shared_props() const noexcept { return *plain_props_; }
  /// The props of all actors with that `create` and `keeps_args`, made at first use. Any thread.
  Props& shared_props(Props::Create create, bool keeps_args) const;

  /// What the actors of the plugin have; null if it has never had a limit. Any thread: the acquire
  /// pairs with the release in count_in().
  PluginUsage* usage() const noexcept { return usage_.load(base::acquire); }
  /// From now on its actors count in `usage`, which outlives the behaviour. The release pairs with
  /// the acquire in usage().
  void count_in(PluginUsage& usage) const noexcept { usage_.store(&usage, base::release); }

  const actord_behaviour table;  // fields that an older plugin does not know are null
  const std::string name;        // "echo/Echo"
  const std::string plugin;
  const std::string version;
  const std::uint16_t abi_minor;
  const std::string declarer;           // "echo 1.0.0", as TypeRegistry knows the plugin
  std::optional<Strategy> strategy;     // declared in code
  const std::array<LazyForm, 3> forms;  // by LifeForm
  const Remoting* const remoting;       // null: the instances live in this process

 private:
  Behaviour(const actord_behaviour& table_, const Plugin& plugin_, const Remoting* remoting_);

  std::vector<ReceiveTable> receives_;
  PropsPtr plain_props_;
  mutable base::Atomic<PluginUsage*> usage_{nullptr};
  mutable base::Mutex mutex_;
  mutable std::vector<PropsPtr> shared_;  // those with a `create` or arguments
};

}  // namespace actord::actor
