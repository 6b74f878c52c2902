// SPDX-License-Identifier: Apache-2.0
//
// The configured children of one actor. They are started in the order of the configuration file,
// each one when the start of the previous one is over. The start of a child is over when its
// subtree has started: its start hook has returned, and the starts of its own configured children
// are over. It is also over when the child's supervisor has decided about the child's first
// failure, and when the child has terminated. A restart that stops these children starts them
// again.
//
// An actor that stops or waits for its restart starts none. The restart begins the sequence anew.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "actor/reconfiguration.hpp"
#include "actor/request.hpp"
#include "actor/spawning.hpp"

namespace actord::actor {

/// True if the behaviour itself spawns its configured children, by spawn_configured().
inline bool starts_own_children(const Behaviour& behaviour) noexcept {
  return (behaviour.table.flags & ACTORD_STARTS_OWN_CHILDREN) != 0;
}
inline bool starts_own_children(const Turn& turn) noexcept {
  return starts_own_children(turn.cell().props->behaviour);
}

/// Spawns the child that the configuration gives this actor under `name`.
base::Result<Ref, SpawnError> spawn_configured(Turn& turn, std::string_view name);

/// The request of a thread outside the tree to start a configured child that is not running. What
/// comes of it is told by the steps of the child (configured_step.hpp).
struct StartRequest final : Request {
  explicit StartRequest(std::string name_) : name(std::move(name_)) {}
  const std::string name;  // of the child
};

/// Only the actor's own turn calls it.
class StartSequence {
 public:
  /// Starts the sequence after a start or restart of an actor that has a node in the configuration.
  /// `restarted_for` is the failure that the children start again for; null: none.
  static void start(Turn& turn, FailurePtr restarted_for);
  /// Forgets the sequence, because a restart begins. The next incarnation starts a new one.
  void reset() {
    due_.clear();
    restarted_for_ = {};
    awaited_ = nobody;
    pending_ack_ = {};
  }

  /// True if the sequence waits until the start of `child` is over.
  bool awaits(Ref child) const noexcept { return awaited_ != nobody && awaited_ == child; }
  /// True if the sequence waits for no child.
  bool awaits_nobody() const noexcept { return awaited_ == nobody; }
  /// Starts the next child. Called when the start of the awaited child is over, or if no child is
  /// awaited.
  void start_next(Turn& turn);
  /// Continues a sequence that had to wait until a name was free or the actor was resumed.
  void unblock(Turn& turn) {
    if (!due_.empty()) [[unlikely]]
      continue_if_possible(turn);
  }
  /// Starts the configured child that is asked for. If it waits for the end of its back-off, the
  /// wait is over. Does nothing if it runs, or if a restart of this actor will start it anyway.
  static void start_requested(Turn& turn, StartRequest& request);
  /// A configured child could not be created. If that ends the boot, the remaining children are not
  /// started, and the parent does not hear that this actor's subtree has started.
  void on_child_lost(Turn& turn, std::string_view child_path, const Failure& failure);

  /// The children still to be started, as positions among the children of the node, the next one
  /// last.
  const std::vector<std::uint32_t>& due() const noexcept { return due_; }
  /// A reload replaces the children to be started. `pending_ack` is released when the
  /// start of the last one is over.
  void replace_due(Turn& turn, std::vector<std::uint32_t> due, PendingAck pending_ack);
  /// A reload forgets the children still to be started, because the next incarnation starts a new
  /// sequence.
  void clear_due() noexcept { due_.clear(); }
  /// The reload that waits for this sequence cannot be completed.
  void fail_pending_ack() noexcept { pending_ack_.fail(); }

 private:
  void continue_if_possible(Turn& turn);
  /// Tells the parent, once, that this actor and its configured children have started.
  static void report_subtree_started(Turn& turn);
  /// Starts one configured child and waits for it. False if it could not be created and is lost, or
  /// is in quarantine.
  bool start_one(Turn& turn, const NodeSpec& wanted);

  std::vector<std::uint32_t> due_;
  FailurePtr restarted_for_;
  // the child whose start must be over before the next one is started
  Ref awaited_ = nobody;
  // ack of the reload that these children are part of
  PendingAck pending_ack_;
};

}  // namespace actord::actor
