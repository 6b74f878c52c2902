// SPDX-License-Identifier: Apache-2.0
#include "system/event_stream.hpp"

#include <algorithm>

#include "actor/thread_state.hpp"

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
  std::erase_if(groups_, [subscriber](const auto& each) { return each.subscriber == subscriber; });
}

void EventStream::note(actor::Ref subscriber, const actor::TypeGroup& group) {
  std::lock_guard lock(mutex_);
  GroupSubscription wanted{subscriber, group.kind, std::string{group.text}};
  if (std::ranges::find(groups_, wanted) == groups_.end()) groups_.push_back(std::move(wanted));
}

void EventStream::forget(actor::Ref subscriber, const actor::TypeGroup& group) {
  std::lock_guard lock(mutex_);
  std::erase(groups_, GroupSubscription{subscriber, group.kind, std::string{group.text}});
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

namespace {

/// As long as it exists, no full mailbox costs the actor that sends anything.
class Publishing {
 public:
  explicit Publishing(actor::ThreadState& thread)
      : thread_(thread), was_publishing_(std::exchange(thread.is_publishing, true)) {}
  ~Publishing() { thread_.is_publishing = was_publishing_; }
  Publishing(const Publishing&) = delete;
  Publishing& operator=(const Publishing&) = delete;

 private:
  actor::ThreadState& thread_;
  const bool was_publishing_;
};

}  // namespace

void EventStream::publish(actor::ThreadState& thread, message::TypeId type, void* message,
                          actor::Ref sender) const {
  const std::vector<actor::Ref> to = subscribers(thread.environment.types.first_layout(type));
  const Publishing publishing(thread);
  for (std::size_t i = 0; i < to.size(); ++i) {
    const bool is_last = i + 1 == to.size();
    if (is_last) thread.tell(to[i], type, message, sender);
    else static_cast<void>(thread.tell_copy(to[i], type, message, sender));
  }
}

}  // namespace actord::system
