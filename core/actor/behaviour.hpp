// SPDX-License-Identifier: Apache-2.0
//
// A behaviour as it was loaded: the plugin's table with everything looked up that can be looked up
// once.
#pragma once

#include <memory>
#include <optional>

#include "actor/strategy.hpp"
#include "base/block_pool.hpp"
#include "base/intrusive_ptr.hpp"
#include "base/result.hpp"
#include "message/type_registry.hpp"

namespace actord::actor {

/// One state of a behaviour: from dense message id to handler in one comparison and one load.
class ReceiveTable {
 public:
  /// An error names the message type that nobody has registered.
  static base::Result<ReceiveTable> resolve(const actord_receive& table,
                                            const message::TypeRegistry& types);

  /// Null: the behaviour has no handler for it.
  actord_handler find(message::TypeId id) const noexcept {
    const std::uint32_t slot = id - base_;  // wraps below base_, so that one comparison is enough
    return slot < n_slots_ ? slots_[slot] : otherwise_;
  }
  const actord_receive* table() const noexcept { return table_; }

 private:
  const actord_receive* table_ = nullptr;
  message::TypeId base_ = 0;
  std::uint32_t n_slots_ = 0;
  std::unique_ptr<actord_handler[]> slots_;
  actord_handler otherwise_ = nullptr;  // also in the slots of types between two of its own
};

class Behaviour;
class ConfigSnapshot;
struct NodeSpec;

/// What the constructor of an actor is given, each time.
struct Args {
  void* args = nullptr;
  void (*destroy)(void*) = nullptr;  // when the actor is gone for good

  void drop() const {
    if (destroy != nullptr) destroy(args);
  }
};

/// What to build an actor from, kept for its restarts. Most are the behaviour's own, shared by all
/// actors that code asked for alike; one who belongs to a single actor is counted.
class Props final : public base::RefCounted<Props> {
 public:
  using Create = actord_status (*)(void*, actord_context*, actord_value, const void*,
                                   actord_errors*);

  explicit Props(const Behaviour& behaviour_);
  ~Props();
  Props(const Props&) = delete;
  Props& operator=(const Props&) = delete;

  /// Each actor has arguments of its own, in its block behind the instance.
  void keep_args_in_block() noexcept;
  /// Those of a configured actor, which lives no longer than the node's snapshot.
  void build_from(const NodeSpec& node) noexcept;
  Args& args_in(void* at) const noexcept {
    return *reinterpret_cast<Args*>(static_cast<std::byte*>(at) + block.size - sizeof(Args));
  }

  const Behaviour& behaviour;
  Create create = nullptr;  // null: the behaviour's own
  Args args;                // of a single actor
  bool is_shared = false;   // lives as long as the behaviour; no cell counts it
  bool keeps_args = false;
  base::BlockShape block;                // of the memory for an instance and what is kept with it
  std::optional<Strategy> own_strategy;  // of this actor, in code; none: the behaviour's

  // What the operator says of the actor's path. Where a reload changes it, the actor does so in its
  // own turn.
  base::IntrusivePtr<const ConfigSnapshot>
      snapshot;                        // that all of it lies in; null: nothing is said
  const NodeSpec* node = nullptr;      // it stands in actord.user
  const Strategy* strategy = nullptr;  // null: the behaviour's own, else the default
  std::int64_t stash_capacity = 0;     // 0: does not say
  actord_value config{nullptr, nullptr};
  base::IntrusivePtr<const ConfigSnapshot> built_from;  // an instance may keep values of its config
};
using PropsPtr = base::IntrusivePtr<Props>;

class Behaviour {
 public:
  /// `plugin` and its version are for people. An error names a message type that is unknown.
  static base::Result<std::unique_ptr<Behaviour>> load(const actord_behaviour& table,
                                                       std::string_view plugin,
                                                       std::string_view version,
                                                       const message::TypeRegistry& types);

  const ReceiveTable& initial() const noexcept { return receives_.front(); }
  const ReceiveTable* find(const actord_receive* table) const noexcept;
  /// Any thread. The props of all actors that need nothing else.
  Props& shared_props() const noexcept { return *plain_; }
  Props& shared_props(Props::Create create, bool keeps_args) const;

  const actord_behaviour table;  // complete, whatever minor version the plugin was built for
  const std::string name;        // "echo/Echo"
  const std::string plugin;
  const std::string version;
  std::optional<Strategy> strategy;  // declared in code

 private:
  Behaviour(const actord_behaviour& table_, std::string_view plugin_, std::string_view version_);

  std::vector<ReceiveTable> receives_;
  PropsPtr plain_;
  mutable base::Mutex mutex_;
  mutable std::vector<PropsPtr> shared_;  // built by code of their own
};

}  // namespace actord::actor
