// SPDX-License-Identifier: Apache-2.0
#include "actor/turn.hpp"

#include "actor/cell_extras.hpp"

namespace actord::actor {

void Turn::make_extras() { cell_.extras = new CellExtras; }

// If there is no memory for the line, it is left out, so that the transition is always completed.
void Turn::log_transition(Stage from, Stage to) const noexcept try {
  const std::string_view text = log_text_of(from, to);
  if (!text.empty()) log().lifecycle(text, nobody);
} catch (const std::bad_alloc&) {}

void Turn::tell_configured_step(const ConfiguredStep& step) const noexcept try {
  environment_.on_configured_step(path(), step);
} catch (const std::bad_alloc&) {}  // there is no memory for the path

void Turn::stop_self(StopReason reason, Ref by) {
  if (is_stop_due_) return;
  if (cell_.system.has_mail()) {
    return thread_.send_system(self, SystemMessage::terminate(reason, {}, false, by));
  }
  is_stop_due_ = true;
  due_stop_ = {reason, by};
}

Envelope* Turn::keep_current() {
  ACTORD_ASSERT(current_ != nullptr);
  Envelope* kept = current_;
  if (cell_.inbox.is_marker(current_)) {
    kept = thread_.take_block();
    message::relocate(*kept, *current_, &environment_.types.at(current_->type()));
    current_ = kept;
    message = kept->payload();
  }
  mark_kept();
  return kept;
}

void Turn::finish(Envelope* envelope) {
  if (!is_kept()) release(thread_, cell_, envelope);
  clear_current();
}

// If the envelope is the mailbox's marker, its block must stay; then a copy goes to dead letters.
void Turn::end_undelivered(Envelope* envelope, Ref recipient, Undelivered reason) {
  if (!cell_.inbox.is_marker(envelope))
    return thread_.send_to_dead_letters(recipient, envelope, reason);
  Envelope* const copy = thread_.take_block();
  message::relocate(*copy, *envelope,
                    envelope->type() != 0 ? &environment_.types.at(envelope->type()) : nullptr);
  thread_.send_to_dead_letters(recipient, copy, reason);
}

void Turn::continue_trace(const message::TraceContext& from) {
  end_continued();
  thread_.continued = {from, thread_.now_ns()};
  thread_.carry(thread_.new_span(from));
  after_call_ |= trace_continued;
}

[[gnu::noinline]] void Turn::finish_continued() {
  after_call_ &= static_cast<std::uint8_t>(~unsigned{trace_continued});
  log().span(thread_.continued, {}, message_type, sending_actor());
  thread_.carry_nothing();
}

Envelope* Turn::copy_of(Envelope& from) {
  const message::TypeId type = from.type();
  const message::MessageType& message_of = environment_.types.at(type);
  const bool has_token = from.has(Envelope::correlated);
  Envelope* const to = thread_.take_block();
  const std::uint32_t flags = from.type_and_flags & (Envelope::correlated | Envelope::ask);
  void* const at = message::prepare(*to, type, message_of, flags, has_token ? from.token() : 0);
  to->sender = from.sender;
  const auto passed_on = [&] {
    if (&from == current_) mark_sender_taken();
    return to;
  };
  if (message_of.is_trivial) {
    std::memcpy(at, from.payload(), message_of.size);
    return passed_on();
  }
  // These are of the handler that copies, and that goes on.
  FailurePtr over_limit = std::exchange(thread_.over_limit, {});
  const std::uint8_t after_call = std::exchange(after_call_, std::uint8_t{0});
  FailurePtr failure = call_plugin([&](actord_context*, actord_errors* errors) {
    return message_of.table->copy(at, from.payload(), errors);
  });
  thread_.over_limit = std::move(over_limit);
  after_call_ = after_call;
  if (!failure) return passed_on();
  if (to->has(Envelope::outside)) ::operator delete(at, std::align_val_t{message_of.table->align});
  thread_.free_block(to);
  log().hook_failed("message.copy-failed", *failure, Phase::receive);
  return nullptr;
}

Turn::Counted Turn::count_in(PluginUsage& usage, PluginUsage::Kind kind) {
  if (usage.take(kind)) return Counted::yes;
  FailurePtr failure = builtin_failure(causes::limit_reached, refuse(usage, kind));
  if (!thread_.handler_errors.failure) thread_.handler_errors.failure = failure;
  if (!thread_.over_limit) thread_.over_limit = std::move(failure);
  return Counted::refused;
}

std::string Turn::refuse(PluginUsage& usage, PluginUsage::Kind kind) const {
  const std::int64_t max = usage.limit(kind);
  if (const auto refused = usage.note_refusal(kind, thread_.now_ns()))
    log().plugin_limit_reached(usage.plugin, name_of(kind), max, *refused);
  const std::string of{name_of(kind)};
  return "the plugin " + usage.plugin + " has " + std::to_string(max) + ' ' + of +
         ", which is its limit (actord.plugins.limits." + usage.plugin + '.' + of + ')';
}

FailurePtr Turn::failure_of_call(FailurePtr reported) {
  end_continued();
  FailurePtr over_limit = std::exchange(thread_.over_limit, {});
  if (over_limit) thread_.handler_errors.failure = {};
  if (reported) return reported;
  return over_limit ? over_limit : nameless_failure();
}

FailurePtr Turn::call_any(actord_hook hook) {
  return call_plugin([&](actord_context* context, actord_errors* errors) {
    return hook(cell_.instance, context, errors);
  });
}

FailurePtr Turn::call_restart_hook(actord_restart_hook hook, const Failure& reason) {
  const FailureView view = view_of(reason);
  return call_plugin([&](actord_context* context, actord_errors* errors) {
    return hook(cell_.instance, context, view.c(), errors);
  });
}

FailurePtr Turn::foreign_failure() {
  FailurePtr failure = builtin_failure(causes::foreign, "an exception crossed the plugin boundary");
  failure->is_foreign = true;
  return failure;
}

FailurePtr Turn::nameless_failure() {
  return builtin_failure(causes::failure, "the plugin reported a failure without a reason");
}

FailurePtr Turn::wrap_failure(std::span<const actord_str> types, const FailurePtr& failure) {
  FailurePtr wrapped = builtin_failure(types, failure->what.view(), failure);
  wrapped->is_foreign = failure->is_foreign;
  return wrapped;
}

}  // namespace actord::actor
