// SPDX-License-Identifier: Apache-2.0
//
// The subscribers of each message type, to which events are published. Any thread.
#pragma once

#include <unordered_map>
#include <vector>

#include "actor/environment.hpp"
#include "base/sync.hpp"

namespace actord::system {

class EventStream {
 public:
  /// False if the subscriber already had a subscription to the type.
  bool subscribe(actor::Ref subscriber, message::TypeId type);
  void unsubscribe(actor::Ref subscriber, message::TypeId type);
  void unsubscribe_all(actor::Ref subscriber);
  bool has_subscribers(message::TypeId type) const;
  /// Sends the message to each subscriber of its type: the original to the last one, copies to the
  /// others. `thread` is the calling thread's.
  void publish(actor::ThreadState& thread, message::TypeId type, void* message,
               actor::Ref sender) const;

 private:
  // In the order of subscription.
  std::vector<actor::Ref> subscribers(message::TypeId type) const;

  mutable base::SharedMutex mutex_;
  std::unordered_map<message::TypeId, std::vector<actor::Ref>> by_type_;
};

}  // namespace actord::system
