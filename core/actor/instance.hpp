// SPDX-License-Identifier: Apache-2.0
//
// The instance of a behaviour: how it comes into being, the first one and the later ones, how it
// goes, and what goes with it. A creation that fails leaves no instance behind, and that is how
// every later order recognises it (supervision.md 41-50).
//
// Not here: what follows from a failed creation. create() and recreate() return the failure, and
// Recovery acts on it.
#pragma once

#include "actor/turn.hpp"

namespace actord::actor {

/// Only the actor's own turn calls it; release() also its parent, for a child that never ran. The
/// functions are static, because the instance itself lies in the cell; here lies what outlives it.
class Instance {
 public:
  /// A creation that failed, with the hook it failed in.
  struct Failed {
    FailurePtr failure;  // null: it succeeded
    Phase phase = Phase::constructor;
  };
  /// Constructor and pre_start of a first incarnation.
  static Failed create(Turn& turn) {
    if (FailurePtr failure = construct(turn)) return {std::move(failure), Phase::constructor};
    return {turn.call_hook(turn.table().pre_start), Phase::pre_start};
  }
  /// Constructor and post_restart of a later one; by default post_restart is pre_start.
  static Failed recreate(Turn& turn, const Failure& cause);
  /// The instance is destroyed; its block is kept for the next incarnation.
  static void destroy(Turn& turn);
  /// The instance is destroyed for good. Answers its block, null if there is none.
  static void* take_apart(Turn& turn);
  /// The end of what an actor was built from, and in. `block` is what take_apart() answered.
  static void release(ThreadState& thread, Cell& of, void* block);

  /// What belongs to one incarnation ends: timers, asks, the receive timeout and become(). Called
  /// before pre_restart and post_stop, and again after them for what they began.
  static void end_incarnation(Turn& turn);

  /// How long the incarnation has lived; -1 until the first delayed restart, as the back-off alone
  /// uses it.
  static std::int64_t lived_ns(const Turn& turn);
  /// A delayed restart begins: lifetimes count from now on.
  void begin_lifetime(Turn& turn) { alive_since_ns_ = turn.thread().now_ns(); }

 private:
  static FailurePtr construct(Turn& turn);
  static void* block_for(Turn& turn);

  void* spare_block_ = nullptr;  // where the next incarnation is built, while there is none
  std::int64_t alive_since_ns_ = 0;
};

}  // namespace actord::actor
