// SPDX-License-Identifier: Apache-2.0
#include "system/event_stream.hpp"

#include <algorithm>

namespace actord::system {

bool EventStream::subscribe(actor::Ref subscriber, message::TypeId type) {
  std::lock_guard lock(mutex_);
  auto& subscribers = by_type_[type];
  if (std::ranges::find(subscribers, subscriber) != subscribers.end()) return false;
  subscribers.push_back(subscriber);
  return true;
}

void EventStream::unsubscribe(actor::Ref subscriber, message::TypeId type) {
  std::lock_guard lock(mutex_);
  if (const auto found = by_type_.find(type); found != by_type_.end())
    std::erase(found->second, subscriber);
}

void EventStream::unsubscribe_all(actor::Ref subscriber) {
  std::lock_guard lock(mutex_);
  for (auto& [type, subscribers] : by_type_) std::erase(subscribers, subscriber);
}

std::vector<actor::Ref> EventStream::subscribers(message::TypeId type) const {
  std::shared_lock lock(mutex_);
  const auto found = by_type_.find(type);
  return found == by_type_.end() ? std::vector<actor::Ref>{} : found->second;
}

bool EventStream::has_subscribers(message::TypeId type) const {
  std::shared_lock lock(mutex_);
  const auto found = by_type_.find(type);
  return found != by_type_.end() && !found->second.empty();
}

}  // namespace actord::system
