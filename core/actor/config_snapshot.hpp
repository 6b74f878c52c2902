// SPDX-License-Identifier: Apache-2.0
//
// The operator's configuration of all actors: the configured tree and the deployment patterns. A
// snapshot is immutable; a reload replaces it with another one.
//
// Not here: how running actors take a snapshot over (reconfigurer.hpp), and how the operator's text
// is read and checked (daemon/settings).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "actor/actor_options.hpp"
#include "actor/behaviour.hpp"
#include "actor/isolator.hpp"
#include "base/result.hpp"

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
  ActorOptions options;
  std::string origin;              // "file:line"
  std::uint32_t flags = 0;         // ACTORD_ROUTEE, ACTORD_COUNTED_MAILBOX
  bool is_permanent = false;       // a normal end of the actor is a loss
  Props::Create create = nullptr;  // called with `args`; null: the behaviour's own
  std::shared_ptr<const void> args;
  std::vector<NodeSpec> children;  // in the order of the file
  // What holds for the actor: its own options, and for each that is not configured that of the
  // deployment pattern. The snapshot sets it when it is built.
  ActorSettings settings;
};

/// What happens to an actor when its node changes. A change of only the strategy or the stash
/// capacity counts as none, because these are replaced while the actor runs.
enum class NodeChange : std::uint8_t {
  none,
  // The actor is restarted, because an instance is built from other content, or in another host
  // process.
  rebuilt,
  // A new actor gets its name: behaviour, dispatcher and mailbox are fixed for life, and with them
  // whether the actor is isolated, because an isolated one has another behaviour and dispatcher.
  replaced
};
NodeChange change_between(const NodeSpec& was, const NodeSpec& is) noexcept;

/// Reference-counted: the props of an actor hold the snapshot that configures the actor, and the
/// snapshot that its instance was built from. Threads: any.
class ConfigSnapshot final : public base::RefCounted<ConfigSnapshot> {
 public:
  /// Returns the id of the dispatcher of that name, or an error if there is none.
  using FindDispatcher = std::function<base::Result<std::uint16_t>(std::string_view name)>;

  /// `deployments` are sorted, the most specific pattern first: the first match holds. `keeper`
  /// owns the objects that values in `root` point to. `types` are those that mailboxes with an
  /// order may name, and outlive the snapshot. `isolator` says which nodes live in host processes;
  /// null: none. Fails if a node or a pattern names a dispatcher that does not exist, or a node
  /// cannot be isolated.
  static base::Result<base::IntrusivePtr<const ConfigSnapshot>> build(
      std::uint64_t number, NodeSpec root, std::vector<Deployment> deployments,
      std::shared_ptr<const void> keeper, const FindDispatcher& find_dispatcher,
      const message::TypeRegistry& types, Isolator* isolator = nullptr);
  ~ConfigSnapshot();
  ConfigSnapshot(const ConfigSnapshot&) = delete;
  ConfigSnapshot& operator=(const ConfigSnapshot&) = delete;

  /// The settings of an actor that has no node: those of the most specific pattern that matches its
  /// path.
  ActorSettings settings_at(std::string_view path) const;
  /// The settings of an actor. `node` is null if it has none; then `path()` returns its path.
  template <class Path>
  ActorSettings settings_of(const NodeSpec* node, Path path) const {
    return node != nullptr ? node->settings : settings_at(path());
  }

  /// The node of "/", with all configured nodes below it.
  const NodeSpec& root() const noexcept { return root_; }
  /// The node of /user.
  const NodeSpec& user() const noexcept { return root_.children.back(); }
  bool has_deployments() const noexcept { return !deployments_.empty(); }

  const std::uint64_t number;  // higher than that of every earlier snapshot

 private:
  // A pattern and what its options come to.
  struct ResolvedDeployment {
    Deployment deployment;
    ActorSettings settings = {};
  };

  ConfigSnapshot(std::uint64_t number_, NodeSpec root, std::shared_ptr<const void> keeper);
  /// What settings are looked up in.
  struct Known {
    const FindDispatcher& find_dispatcher;
    const message::TypeRegistry& types;
    Isolator* isolator;
  };
  base::Result<void> resolve(std::vector<Deployment> deployments, const Known& known);
  base::Result<void> resolve(NodeSpec& node, const std::string& path, const Known& known);
  // Makes the ranks for the order that the settings name.
  void rank(ActorSettings& settings, const message::TypeRegistry& types);

  NodeSpec root_;
  std::vector<ResolvedDeployment> deployments_;
  std::vector<base::IntrusivePtr<const MessageRanks>> ranks_;  // of the settings
  const std::shared_ptr<const void> keeper_;
};

}  // namespace actord::actor
