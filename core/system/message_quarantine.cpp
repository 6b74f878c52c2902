// SPDX-License-Identifier: Apache-2.0
#include "system/message_quarantine.hpp"

#include <algorithm>
#include <utility>

#include "actor/thread_state.hpp"

namespace actord::system {

using actor::Failure;

namespace {

auto with_id(const std::vector<QuarantinedMessagePtr>& messages, std::string_view id) {
  return std::ranges::find_if(messages, [id](const auto& each) { return each->id == id; });
}

void describe_failure(const actor::ThreadState& thread, const Failure& failure,
                      QuarantinedMessage& to) {
  to.incarnation = failure.incarnation;
  to.failure_id = thread.environment.failure_id_text(failure.id);
  to.phase = actor::name_of(failure.phase);
  for (const Failure* each = &failure; each != nullptr; each = each->cause.get())
    to.causes.push_back({std::string{each->types->type()}, std::string{each->what.view()}});
  to.stack = failure.throw_site_texts();
}

std::size_t size_of(const QuarantinedMessage& it) {
  std::size_t bytes = sizeof it + it.id.size() + it.path.size() + it.type.size() +
                      it.sender_path.size() + it.failure_id.size();
  for (const auto& [type, what] : it.causes) bytes += type.size() + what.size();
  for (const std::string& each : it.stack) bytes += each.size();
  return bytes;
}

}  // namespace

void MessageQuarantine::set_limit(const QuarantineLimit& limit) {
  std::lock_guard lock(mutex_);
  limit_ = limit;
  is_full_told_ = false;
}

QuarantineLimit MessageQuarantine::limit() const {
  std::lock_guard lock(mutex_);
  return limit_;
}

bool MessageQuarantine::has_room_for(std::size_t bytes) const {
  return messages_.size() < limit_.messages && bytes <= limit_.bytes &&
         bytes_ <= limit_.bytes - bytes;
}

QuarantinedMessagePtr MessageQuarantine::add(actor::ThreadState& thread,
                                             const actor::PoisonMessage& poison) {
  const actor::DeadMessage& message = poison.message;
  const actor::Environment& environment = thread.environment;
  const auto added = std::make_shared<QuarantinedMessage>();
  added->at_ns = thread.now_ns();
  added->path = thread.path(message.recipient);
  added->type = environment.types.name(message.type);
  if (message.sender != actor::nobody) added->sender_path = thread.path(message.sender);
  added->actor = message.recipient;
  added->sender = message.sender;
  added->attempts = poison.attempts;
  describe_failure(thread, poison.failure, *added);
  auto owned =
      std::make_unique<message::OwnedMessage>(message.type, environment.types.at(message.type));
  {
    std::lock_guard lock(mutex_);
    const std::uint64_t number = total_.load(base::relaxed) + 1;
    std::string run = environment.failure_id_prefix;
    if (run.ends_with('-')) run.pop_back();
    added->id = run + ".q" + std::to_string(number);
    const std::size_t bytes = size_of(*added) + message::bytes_of(owned->type(), message.content);
    messages_.reserve(messages_.size() + 1);
    if (!has_room_for(bytes)) {
      if (!std::exchange(is_full_told_, true)) log_full(thread, poison);
      return nullptr;
    }
    is_full_told_ = false;
    added->bytes = bytes;
    owned->take(message.content);
    added->message = std::move(owned);
    total_.store(number, base::relaxed);
    push(added);
  }
  thread.log.emit(log::Level::warning, "message.quarantined",
                  "an actor has failed on a message as often as it may: the message is kept apart",
                  {{"actor.path", added->path},
                   {"message.type", added->type},
                   {"message.sender", added->sender_path},
                   {"message.attempts", added->attempts},
                   {"quarantine.id", added->id},
                   {"failure.id", added->failure_id},
                   {"failure.type", added->causes.front().type},
                   {"failure.message", added->causes.front().what},
                   {"help", "actorctl quarantine show " + added->id}});
  return added;
}

void MessageQuarantine::log_full(actor::ThreadState& thread, const actor::PoisonMessage& poison) {
  thread.log.emit(
      log::Level::warning, "quarantine.full",
      "the quarantine of messages is full: what comes now becomes a dead letter",
      {{"actor.path", thread.path(poison.message.recipient)},
       {"message.type", thread.environment.types.name(poison.message.type)},
       {"quarantine.messages", static_cast<std::uint64_t>(messages_.size())},
       {"quarantine.bytes", static_cast<std::uint64_t>(bytes_)},
       {"help", "actorctl quarantine replay and drop make room; or raise actord.quarantine"}});
}

void MessageQuarantine::restore(std::shared_ptr<QuarantinedMessage> message) {
  std::lock_guard lock(mutex_);
  push(std::move(message));
}

void MessageQuarantine::push(std::shared_ptr<QuarantinedMessage> message) {
  message->number = ++last_;
  bytes_ += message->bytes;
  messages_.push_back(std::move(message));
}

std::vector<QuarantinedMessagePtr> MessageQuarantine::all() const {
  std::lock_guard lock(mutex_);
  return messages_;
}

QuarantinedMessagePtr MessageQuarantine::find(std::string_view id) const {
  std::lock_guard lock(mutex_);
  const auto found = with_id(messages_, id);
  return found != messages_.end() ? *found : nullptr;
}

// The message is destroyed without the lock, because that calls code of its plugin.
bool MessageQuarantine::remove(std::string_view id) {
  QuarantinedMessagePtr gone;
  std::lock_guard lock(mutex_);
  const auto found = with_id(messages_, id);
  if (found == messages_.end()) return false;
  gone = *found;
  bytes_ -= gone->bytes;
  messages_.erase(found);
  is_full_told_ = false;
  return true;
}

std::size_t MessageQuarantine::size() const {
  std::lock_guard lock(mutex_);
  return messages_.size();
}

}  // namespace actord::system
