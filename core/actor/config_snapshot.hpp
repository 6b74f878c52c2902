// SPDX-License-Identifier: Apache-2.0
//
// What the operator says of all actors, whole: the configured tree and what path patterns say. A
// reload puts another one in its place; nothing in one is ever changed.
//
// Not here: how running actors take it over (reconfigurer.hpp), and what the operator wrote
// (daemon/settings).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "actor/behaviour.hpp"

namespace actord::actor {

/// A node of actord.user, as the settings have checked it.
struct NodeSpec {
  std::string name;
  const Behaviour* behaviour = nullptr;
  actord_value config{nullptr, nullptr};
  // What an instance is built from, in one form; empty: nothing. Where another snapshot has
  // another text, the actor is restarted.
  std::string content;
  std::optional<Strategy> strategy;
  std::string dispatcher;             // empty: the default one
  std::int64_t mailbox_capacity = 0;  // 0: does not say; negative: no limit
  std::int64_t stash_capacity = 0;    // the same
  std::string origin;                 // "file:line"
  Props::Create create = nullptr;     // in place of the behaviour's own, with these arguments
  std::shared_ptr<const void> args;
  std::vector<NodeSpec> children;  // in the order of the file
};

/// What a change of its node means for an actor. What can be swapped while it runs is no change.
enum class NodeChange : std::uint8_t {
  none,
  rebuilt,  // by a restart: it is built from something else
  replaced  // by another actor of its name: behaviour, dispatcher and mailbox are for life
};
NodeChange change_between(const NodeSpec& was, const NodeSpec& is) noexcept;

/// A pattern of paths and what the operator says of the actors it matches.
struct Deployment {
  std::string pattern;  // "/user/crawler/*"
  std::optional<Strategy> strategy;
  std::uint16_t dispatcher = 0;       // 0: does not say
  std::int64_t mailbox_capacity = 0;  // the same
  std::int64_t stash_capacity = 0;    // the same
};

/// What holds for one actor; points into its snapshot.
struct Terms {
  const Strategy* strategy = nullptr;  // null: nothing is said
  std::uint16_t dispatcher = 0;        // 0, here and below: the same
  std::int64_t mailbox_capacity = 0;
  std::int64_t stash_capacity = 0;
};

/// Counted by the props of every actor that something is said of, and so by those that were built
/// from it. Threads: any.
class ConfigSnapshot final : public base::RefCounted<ConfigSnapshot> {
 public:
  /// `deployments` stand in the order of their claim: the first that matches is the most specific.
  /// `keeper` owns what the values in `root` point to.
  ConfigSnapshot(std::uint64_t number_, NodeSpec root_, std::vector<Deployment> deployments_,
                 std::shared_ptr<const void> keeper)
      : number(number_),
        root(std::move(root_)),
        deployments(std::move(deployments_)),
        keeper_(std::move(keeper)) {}
  ConfigSnapshot(const ConfigSnapshot&) = delete;
  ConfigSnapshot& operator=(const ConfigSnapshot&) = delete;

  /// The actor's own node, if it has one, first, then the most specific pattern. The node's
  /// dispatcher is known by name only and is not looked at.
  Terms terms_of(const NodeSpec* node, std::string_view path) const;

  /// The node of /user.
  const NodeSpec& user() const noexcept { return root.children.back(); }

  const std::uint64_t number;  // each has a higher one than those before it
  const NodeSpec root;         // "/", with all that is configured below it
  const std::vector<Deployment> deployments;

 private:
  const std::shared_ptr<const void> keeper_;
};

}  // namespace actord::actor
