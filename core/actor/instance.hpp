// SPDX-License-Identifier: Apache-2.0
//
// The instance of a behaviour: how the first one and the later ones are created, how an instance is
// destroyed, and what ends with it. A creation that fails leaves no instance behind, and later
// system messages recognise the failed creation by that (supervision.md 41-50).
//
// Not here: what follows from a failed creation. create() and recreate() return the failure, and
// Recovery acts on it.
#pragma once

#include "actor/turn.hpp"

namespace actord::actor {

/// Only the actor's own turn calls it, except release(), which the parent also calls for a child
/// that never ran. The functions are static, because the instance itself is in the cell. The
/// members hold what outlives one instance.
class Instance {
 public:
  /// The result of create() and recreate().
  struct Failed {
    FailurePtr failure;  // null: the creation succeeded
    /// the hook that failed
    Phase phase = Phase::constructor;
  };
  /// Calls the constructor and pre_start of the first incarnation.
  static Failed create(Turn& turn) {
    if (FailurePtr failure = construct(turn)) return {std::move(failure), Phase::constructor};
    return {turn.call_hook(turn.table().pre_start), Phase::pre_start};
  }
  /// Calls the constructor and post_restart of a later incarnation; without post_restart,
  /// pre_start.
  static Failed recreate(Turn& turn, const Failure& cause);
  /// Destroys the instance and keeps its block for the next incarnation.
  static void destroy(Turn& turn);
  /// Destroys the instance for good. Returns its block, else the spare block, else null.
  static void* destroy_and_take_block(Turn& turn);
  /// Frees the props and the block of an actor that has ended. `block` is the result of
  /// destroy_and_take_block(). If the actor never ran, it is the block that holds its arguments.
  static void release(ThreadState& thread, Cell& of, void* block);

  /// Ends what belongs to one incarnation: timers, asks, the receive timeout and become(). Called
  /// before pre_restart and post_stop, and again after them for what they have begun.
  static void end_incarnation(Turn& turn);

  /// Whether the instance lived in a process that has ended.
  static bool is_lost(const Turn& turn) {
    const Cell& cell = turn.cell();
    const Remoting* const remoting = cell.props->behaviour.remoting;
    return remoting != nullptr && cell.instance != nullptr && remoting->is_lost(cell.instance);
  }

  /// The age of the incarnation in ns. It is -1 until the actor's first delayed restart, because
  /// only the back-off uses it.
  static std::int64_t lived_ns(const Turn& turn);
  /// A delayed restart begins: from now on the age of each incarnation is recorded.
  void begin_lifetime(Turn& turn) { alive_since_ns_ = turn.thread().now_ns(); }

 private:
  /// Calls the constructor in the actor's block. Returns null if it succeeded.
  static FailurePtr construct(Turn& turn);
  /// The block in which the next incarnation is constructed.
  static void* block_for(Turn& turn);

  void* spare_block_ = nullptr;  // block for the next incarnation; null while there is an instance
  /// begin of the current incarnation; 0: not recorded
  std::int64_t alive_since_ns_ = 0;
};

}  // namespace actord::actor
