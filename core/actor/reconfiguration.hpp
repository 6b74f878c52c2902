// SPDX-License-Identifier: Apache-2.0
//
// A reload in progress: the new snapshot, and the actors that have yet to take it over.
//
// Not here: what an actor does with the snapshot (reconfigurer.hpp).
#pragma once

#include <functional>
#include <unordered_set>
#include <vector>

#include "actor/config_snapshot.hpp"
#include "actor/pending_ack.hpp"
#include "actor/ref.hpp"
#include "base/sync.hpp"

namespace actord::actor {

using ConfigSnapshotPtr = base::IntrusivePtr<const ConfigSnapshot>;

/// An actor is *awaited* from the moment before the snapshot is sent to it until it has taken the
/// snapshot over or has ended. Threads: any.
class Reconfiguration final : public AwaitedRequest {
 public:
  /// `on_done` is called once, on the thread of the last awaited actor. It must be quick and must
  /// not call the system.
  Reconfiguration(ConfigSnapshotPtr snapshot_, bool is_forced_, std::function<void()> on_done);
  ~Reconfiguration() override;

  const ConfigSnapshotPtr snapshot;
  const bool is_forced;  // configured actors that have ended in peace are started again, too

  /// Makes `who` awaited, before the snapshot is sent to it. Called by an awaited actor for its
  /// children, or for the root before all others.
  void await(Ref who);
  /// The same for several actors. If it throws std::bad_alloc, none of them is awaited.
  void await(const std::vector<Ref>& all);
  /// `who` has taken the snapshot over and done everything that follows from it, or has ended.
  /// Calls `on_done` if no actor is awaited any more.
  void done(Ref who) override;
  /// The actors that are still awaited, in no order.
  std::vector<Ref> awaited() const;
  /// `who`, which is awaited, could not take over the whole snapshot, because memory was short.
  void failed(Ref who) noexcept override;
  struct Shortfall {
    std::uint32_t actors = 0;  // number of calls of failed()
    Ref first = nobody;        // the actor of the first call
  };
  Shortfall shortfall() const;

 private:
  mutable base::Mutex mutex_;
  std::unordered_set<Ref> awaited_;
  Shortfall shortfall_;
  const std::function<void()> on_done_;
};
using ReconfigurationPtr = base::IntrusivePtr<Reconfiguration>;

}  // namespace actord::actor
