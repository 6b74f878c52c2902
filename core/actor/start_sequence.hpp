// SPDX-License-Identifier: Apache-2.0
//
// The configured children of one actor, started in the order of the file: each when the one before
// has settled, that is has returned from its start hook with all its own configured children
// settled, or has had its first failure judged. A restart that stops them starts them again.
//
// An actor that is going down or waits for its restart starts none; the restart begins the sequence
// anew.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "actor/reconfiguration.hpp"
#include "actor/turn.hpp"

namespace actord::actor {

/// True if the behaviour spawns its configured children itself, by spawn_configured().
inline bool starts_own_children(const Turn& turn) noexcept {
  return (turn.table().flags & ACTORD_STARTS_OWN_CHILDREN) != 0;
}

/// Spawns the child that the configuration gives this actor under that name.
base::Result<Ref> spawn_configured(Turn& turn, std::string_view name);

/// Only the actor's own turn calls it.
class StartSequence {
 public:
  /// After a start or a restart of an actor that has a node in the configuration.
  static void start(Turn& turn);
  /// A restart begins, and with it the sequence anew.
  void reset() { *this = {}; }

  /// True if the sequence waits for `child` to settle.
  bool awaits(Ref child) const noexcept { return awaited_ != nobody && awaited_ == child; }
  bool awaits_nobody() const noexcept { return awaited_ == nobody; }
  /// The child that it waited for has settled, has been judged, or is gone.
  void go_on(Turn& turn);
  /// Goes on where it waited for a name that was taken, or for the end of the actor's own
  /// suspension.
  void unblock(Turn& turn);
  /// A configured child could not be created. Where the boot ends with that, the rest is not
  /// started, and the parent is not told that this actor has settled.
  void lose(Turn& turn, std::string_view child_path, const Failure& failure);

  /// The children still to be started, by their place among the node's; the next one last.
  const std::vector<std::uint32_t>& due() const noexcept { return due_; }
  /// By a reload: what is to be started instead. `pending_ack` is done when the last has settled.
  void replace_due(Turn& turn, std::vector<std::uint32_t> due, PendingAck pending_ack);
  /// By a reload, as the actor is about to be built anyway.
  void clear_due() noexcept { due_.clear(); }
  /// The reload that it is for cannot be carried out whole.
  void fail_pending_ack() noexcept { pending_ack_.fail(); }

 private:
  static void report_subtree_started(Turn& turn);
  bool start_one(Turn& turn, const NodeSpec& wanted);

  std::vector<std::uint32_t> due_;
  Ref awaited_ = nobody;
  PendingAck pending_ack_;
};

}  // namespace actord::actor
