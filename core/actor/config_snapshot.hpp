// SPDX-License-Identifier: Apache-2.0
//
// The operator's configuration of all actors: the configured tree and the deployment patterns. A
// snapshot is immutable; a reload replaces it with another one.
//
// Not here: how running actors take a snapshot over (reconfigurer.hpp), and how the operator's text
// is read and checked (daemon/settings).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "actor/behaviour.hpp"

namespace actord::actor {

/// A configured actor: a node of actord.user as the settings have checked it, or a built-in actor
/// such as a guardian.
struct NodeSpec {
  std::string name;
  const Behaviour* behaviour = nullptr;
  actord_value config{nullptr, nullptr};
  // The configuration that an instance is built from, as a canonical text; empty: none. If the text
  // differs in the next snapshot, the actor is restarted.
  std::string content;
  std::optional<Strategy> strategy;
  // Name of the dispatcher; empty: that of the deployment pattern, else the default dispatcher.
  std::string dispatcher;
  std::int64_t mailbox_capacity = 0;  // messages; 0: not configured; negative: no limit
  std::int64_t stash_capacity = 0;    // messages; 0: not configured; negative: no limit
  std::string origin;                 // "file:line"
  Props::Create create = nullptr;     // called with `args`; null: the behaviour's own
  std::shared_ptr<const void> args;
  std::vector<NodeSpec> children;  // in the order of the file
};

/// What happens to an actor when its node changes. A change of only the strategy or the stash
/// capacity counts as none, because these are replaced while the actor runs.
enum class NodeChange : std::uint8_t {
  none,
  rebuilt,  // the actor is restarted, because an instance is built from other content
  replaced  // a new actor gets its name: behaviour, dispatcher and mailbox are fixed for life
};
NodeChange change_between(const NodeSpec& was, const NodeSpec& is) noexcept;

/// A deployment pattern with the settings of the actors whose paths it matches.
struct Deployment {
  std::string pattern;  // "/user/crawler/*"
  std::optional<Strategy> strategy;
  std::uint16_t dispatcher = 0;       // id; 0: not configured
  std::int64_t mailbox_capacity = 0;  // messages; 0: not configured; negative: no limit
  std::int64_t stash_capacity = 0;    // messages; 0: not configured; negative: no limit
};

/// The settings that hold for one actor. `strategy` points into the snapshot.
struct ActorSettings {
  const Strategy* strategy = nullptr;  // null: not configured
  std::uint16_t dispatcher = 0;        // id; 0: not configured
  std::int64_t mailbox_capacity = 0;   // messages; 0: not configured; negative: no limit
  std::int64_t stash_capacity = 0;     // messages; 0: not configured; negative: no limit
};

/// Reference-counted: the props of an actor hold the snapshot that configures the actor, and the
/// snapshot that its instance was built from. Threads: any.
class ConfigSnapshot final : public base::RefCounted<ConfigSnapshot> {
 public:
  /// `deployments` are sorted, the most specific pattern first: the first match holds. `keeper`
  /// owns the objects that values in `root` point to.
  ConfigSnapshot(std::uint64_t number_, NodeSpec root_, std::vector<Deployment> deployments_,
                 std::shared_ptr<const void> keeper)
      : number(number_),
        root(std::move(root_)),
        deployments(std::move(deployments_)),
        keeper_(std::move(keeper)) {}
  ConfigSnapshot(const ConfigSnapshot&) = delete;
  ConfigSnapshot& operator=(const ConfigSnapshot&) = delete;

  /// The settings of the actor at `path`: each is that of `node` if it has one, else that of the
  /// most specific pattern. `node` is null for an actor that is not configured. The caller looks up
  /// the node's dispatcher, which the node only names.
  ActorSettings settings_of(const NodeSpec* node, std::string_view path) const;

  /// The node of /user.
  const NodeSpec& user() const noexcept { return root.children.back(); }

  const std::uint64_t number;  // higher than that of every earlier snapshot
  const NodeSpec root;         // the node of "/", with all configured nodes below it
  const std::vector<Deployment> deployments;

 private:
  const std::shared_ptr<const void> keeper_;
};

}  // namespace actord::actor
