// SPDX-License-Identifier: Apache-2.0
//
// A behaviour as it was loaded: the plugin's table with everything looked up that can be looked up
// once.
#pragma once

#include <memory>
#include <optional>

#include "actor/strategy.hpp"
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
    return slot < slots_.size() && slots_[slot] != nullptr ? slots_[slot] : table_->otherwise;
  }
  const actord_receive* table() const noexcept { return table_; }

 private:
  const actord_receive* table_ = nullptr;
  message::TypeId base_ = 0;
  std::vector<actord_handler> slots_;
};

class Behaviour;
struct NodeSpec;

/// What to build an actor from, kept for its restarts. Shared by all actors that were asked for
/// alike.
class Props final : public base::RefCounted<Props> {
 public:
  using Create = actord_status (*)(void*, actord_context*, actord_value, const void*,
                                   actord_errors*);

  explicit Props(const Behaviour& behaviour_) : behaviour(behaviour_) {}
  ~Props() {
    if (args_destroy != nullptr) args_destroy(args);
  }
  Props(const Props&) = delete;
  Props& operator=(const Props&) = delete;

  const Behaviour& behaviour;
  Create create = nullptr;  // null: the behaviour's own
  void* args = nullptr;
  void (*args_destroy)(void*) = nullptr;
  std::optional<Strategy> own_strategy;  // of this actor, in code; none: the behaviour's

  // What the operator says of the actor's path.
  const NodeSpec* node = nullptr;      // it stands in actord.user
  const Strategy* strategy = nullptr;  // null: the behaviour's own, else the default
  std::int64_t stash_capacity = 0;     // 0: does not say
  actord_value config{nullptr, nullptr};
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
  /// The props of an actor that needs nothing else.
  const PropsPtr& plain_props() const noexcept { return plain_props_; }

  const actord_behaviour table;  // complete, whatever minor version the plugin was built for
  const std::string name;        // "echo/Echo"
  const std::string plugin;
  const std::string version;
  std::optional<Strategy> strategy;  // declared in code

 private:
  Behaviour(const actord_behaviour& table_, std::string_view plugin_, std::string_view version_);

  std::vector<ReceiveTable> receives_;
  PropsPtr plain_props_;
};

/// A node of actord.user, as the settings have checked it. Lives as long as the system.
struct NodeSpec {
  std::string name;
  const Behaviour* behaviour = nullptr;
  actord_value config{nullptr, nullptr};
  std::optional<Strategy> strategy;
  std::string dispatcher;             // empty: the default one
  std::int64_t mailbox_capacity = 0;  // 0: does not say; negative: no limit
  std::int64_t stash_capacity = 0;    // the same
  std::string origin;                 // "file:line"
  Props::Create create = nullptr;     // in place of the behaviour's own, with these arguments
  std::shared_ptr<const void> args;
  std::vector<NodeSpec> children;  // in the order of the file
};

}  // namespace actord::actor
