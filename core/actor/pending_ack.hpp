// SPDX-License-Identifier: Apache-2.0
//
// The acknowledgement that an actor owes to a request whose consequences last longer than a turn,
// such as a restart.
#pragma once

#include <utility>

#include "actor/ref.hpp"
#include "actor/request.hpp"

namespace actord::actor {

/// A request that actors acknowledge.
struct AwaitedRequest : Request {
  /// `who` has done everything that follows from the request, or has ended.
  virtual void done(Ref who) = 0;
  /// `who` could not do all of it, because memory was short. done() follows.
  virtual void failed(Ref who) noexcept = 0;
};

/// What one actor still owes. The destructor calls done().
class PendingAck {
 public:
  PendingAck() = default;
  PendingAck(AwaitedRequest& of, Ref who) : of_(&of), who_(who) {}
  PendingAck(PendingAck&& other) noexcept = default;
  PendingAck& operator=(PendingAck&& other) noexcept {
    std::swap(of_, other.of_);
    std::swap(who_, other.who_);
    return *this;
  }
  ~PendingAck() {
    if (of_) of_->done(who_);
  }
  /// Calls failed(). The actor remains awaited.
  void fail() noexcept {
    if (of_) of_->failed(who_);
  }

 private:
  base::IntrusivePtr<AwaitedRequest> of_;  // null: nothing is pending
  Ref who_ = nobody;
};

}  // namespace actord::actor
