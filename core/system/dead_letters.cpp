// SPDX-License-Identifier: Apache-2.0
#include "system/dead_letters.hpp"

#include <actord/builtin_messages.hpp>

#include <algorithm>

#include "actor/thread_state.hpp"

namespace actord::system {

namespace {

// The bubble-walker accepts no message (supervision.md 107).
void log_message_to_bubble_walker(actor::ThreadState& thread, std::string_view type) {
  thread.log.emit(log::Level::error, "guardian.message-ignored",
                  "the bubble-walker handles no messages: this one is ignored",
                  {{"message.type", type}});
}

}  // namespace

void DeadLetters::find_types() {
  dead_letter_type_ = types_.find("actord.DeadLetter/1");
  suppressed_type_ = types_.find("actord.SuppressedDeadLetter/1");
  unhandled_type_ = types_.find("actord.Unhandled/1");
}

// A dead letter about a dead letter is dropped, so that there are no loops (supervision.md 152).
void DeadLetters::publish(actor::ThreadState& thread, const actor::DeadMessage& dead) {
  const message::TypeId about[] = {0, dead_letter_type_, suppressed_type_, unhandled_type_};
  if (std::ranges::find(about, types_.first_layout(dead.type)) != std::end(about)) return;
  if (dead.recipient == actor::bubble_walker)
    return log_message_to_bubble_walker(thread, types_.name(dead.type));
  const bool is_unhandled = dead.reason == actor::Undelivered::unhandled;
  const bool is_suppressed = types_.at(dead.type).has(ACTORD_NO_DEAD_LETTER);
  const message::TypeId published = is_suppressed  ? suppressed_type_
                                    : is_unhandled ? unhandled_type_
                                                   : dead_letter_type_;
  const bool is_kept = box_.is_open() && !is_suppressed && dead.content != nullptr;
  const bool is_published = events_.has_subscribers(published);
  if (!is_kept && !is_published) return;
  const std::string where{dead.path.empty() ? thread.path(dead.recipient) : std::string{dead.path}};
  if (is_kept) keep(thread, dead, where);
  if (!is_published) return;
  const std::string type{types_.name(dead.type)};
  const std::string reason{actor::name_of(dead.reason)};
  if (is_suppressed) {
    SuppressedDeadLetter event{{dead.recipient}, {dead.sender}, type, reason, where};
    events_.publish(thread, published, &event, dead.recipient);
  } else if (is_unhandled) {
    Unhandled event{{dead.recipient}, {dead.sender}, type};
    events_.publish(thread, published, &event, dead.recipient);
  } else {
    DeadLetter event{{dead.recipient}, {dead.sender}, type, reason, where};
    events_.publish(thread, published, &event, dead.recipient);
  }
}

void DeadLetters::keep(actor::ThreadState& thread, const actor::DeadMessage& dead,
                       const std::string& where) {
  const auto letter = std::make_shared<KeptLetter>(dead.type, types_.at(dead.type));
  letter->at_ns = thread.now_ns();
  letter->recipient = dead.recipient;
  letter->sender = dead.sender;
  letter->recipient_path = where;
  if (dead.sender != actor::nobody) letter->sender_path = thread.path(dead.sender);
  letter->reason = dead.reason;
  letter->message.take(dead.content);
  letter->bytes =
      sizeof(KeptLetter) + letter->message.bytes() + where.size() + letter->sender_path.size();
  box_.add(letter);
}

void DeadLetters::set_limit(const DeadLetterLimit& to) {
  logged_.store(to.logged, base::relaxed);
  silence_ns_.store(to.silence_ns, base::relaxed);
  logs_during_shutdown_.store(to.during_shutdown, base::relaxed);
  box_.set_bytes_max(to.kept_bytes);
}

DeadLetterLimit DeadLetters::limit() const noexcept {
  return {logged_.load(base::relaxed), silence_ns_.load(base::relaxed),
          logs_during_shutdown_.load(base::relaxed), box_.bytes_max()};
}

}  // namespace actord::system
