// SPDX-License-Identifier: Apache-2.0
//
// A new snapshot on its way down the tree, and who has yet to take it over.
//
// Not here: what an actor does with it (reconfigurer.hpp).
#pragma once

#include <functional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "actor/config_snapshot.hpp"
#include "actor/ref.hpp"
#include "actor/request.hpp"
#include "base/sync.hpp"

namespace actord::actor {

using ConfigSnapshotPtr = base::IntrusivePtr<const ConfigSnapshot>;

/// Threads: any.
class Reconfiguration final : public Request {
 public:
  /// `on_done` is called once, by whoever is the last, on its thread: it must be quick and call
  /// nothing of the system.
  Reconfiguration(ConfigSnapshotPtr snapshot_, std::function<void()> on_done)
      : snapshot(std::move(snapshot_)), on_done_(std::move(on_done)) {}

  const ConfigSnapshotPtr snapshot;

  /// `who` is about to be told; by one who is awaited itself, or by the first. All or, without
  /// memory, none.
  void await(Ref who);
  void await(const std::vector<Ref>& all);
  /// `who` has taken it over, with everything that it had to do for it, or is no more.
  void done(Ref who);
  /// Those who have not, in no order.
  std::vector<Ref> awaited() const;
  /// `who`, which is awaited, could not take it over, or not all of it, for want of memory.
  void failed(Ref who) noexcept;
  struct Shortfall {
    std::uint32_t actors = 0;
    Ref first = nobody;
  };
  Shortfall shortfall() const;

 private:
  mutable base::Mutex mutex_;
  std::unordered_set<Ref> awaited_;
  Shortfall shortfall_;
  const std::function<void()> on_done_;
};
using ReconfigurationPtr = base::IntrusivePtr<Reconfiguration>;

/// What one actor has yet to do; done when this goes.
class PendingAck {
 public:
  PendingAck() = default;
  PendingAck(Reconfiguration& of, Ref who) : of_(&of), who_(who) {}
  PendingAck(PendingAck&& other) noexcept = default;
  PendingAck& operator=(PendingAck&& other) noexcept {
    std::swap(of_, other.of_);
    std::swap(who_, other.who_);
    return *this;
  }
  ~PendingAck() {
    if (of_) of_->done(who_);
  }
  void fail() noexcept {
    if (of_) of_->failed(who_);
  }

 private:
  ReconfigurationPtr of_;
  Ref who_ = nobody;
};

}  // namespace actord::actor
