// SPDX-License-Identifier: Apache-2.0
//
// The subscribers of each message type, to which events are published. A type is named by its first
// layout: a subscriber gets messages of all layouts. Any thread.
#pragma once

#include <string>
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
  /// Notes a subscription to a group, for types that come later.
  void note(actor::Ref subscriber, const actor::TypeGroup& group);
  void forget(actor::Ref subscriber, const actor::TypeGroup& group);
  /// The actors that have noted a group for which matches(group) is true.
  template <class Matches>
  std::vector<actor::Ref> group_subscribers(Matches&& matches) const {
    std::shared_lock lock(mutex_);
    std::vector<actor::Ref> found;
    for (const GroupSubscription& each : groups_) {
      if (matches(actor::TypeGroup{each.kind, each.text})) found.push_back(each.subscriber);
    }
    return found;
  }
  bool has_subscribers(message::TypeId type) const;
  /// Sends the message to each subscriber of its type: the original to the last one, copies to the
  /// others. `thread` is the calling thread's.
  void publish(actor::ThreadState& thread, message::TypeId type, void* message,
               actor::Ref sender) const;

 private:
  struct GroupSubscription {
    actor::Ref subscriber;
    actor::TypeGroup::Kind kind;
    std::string text;

    bool operator==(const GroupSubscription&) const = default;
  };

  // In the order of subscription.
  std::vector<actor::Ref> subscribers(message::TypeId type) const;

  mutable base::SharedMutex mutex_;
  std::unordered_map<message::TypeId, std::vector<actor::Ref>> by_type_;
  std::vector<GroupSubscription> groups_;
};

}  // namespace actord::system
