// SPDX-License-Identifier: Apache-2.0
//
// The subscribers of each message type. Any thread.
#pragma once

#include <unordered_map>
#include <vector>

#include "actor/ref.hpp"
#include "base/sync.hpp"
#include "message/message_type.hpp"

namespace actord::system {

class EventStream {
 public:
  /// False if the subscriber already had a subscription to the type.
  bool subscribe(actor::Ref subscriber, message::TypeId type);
  void unsubscribe(actor::Ref subscriber, message::TypeId type);
  void unsubscribe_all(actor::Ref subscriber);
  /// In the order of subscription.
  std::vector<actor::Ref> subscribers(message::TypeId type) const;
  /// Like subscribers(), without a copy of the list.
  bool has_subscribers(message::TypeId type) const;

 private:
  mutable base::SharedMutex mutex_;
  std::unordered_map<message::TypeId, std::vector<actor::Ref>> by_type_;
};

}  // namespace actord::system
