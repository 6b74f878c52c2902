// SPDX-License-Identifier: Apache-2.0
//
// What an actor does with messages beside handling them: replies, asks, forwards, stash, states.
#include "actor/activation.hpp"

namespace actord::actor {

// ---- replies and asks ---------------------------------------------------------------------------

namespace {

// A reply to an ask finds its asker by the token; any other is a message like all.
struct Return {
  std::uint32_t flags = 0;
  std::uint64_t token = 0;
};

Return return_of(const Envelope* asked) {
  if (asked == nullptr || !asked->has(Envelope::ask)) return {};
  return {Envelope::reply | Envelope::correlated, asked->token()};
}

}  // namespace

void Activation::reply(message::TypeId type, void* answer) {
  const Return back = return_of(current_);
  Envelope* const envelope = local_.take_block();
  message::fill(*envelope, type, environment_.types.at(type), answer, back.flags, back.token);
  envelope->sender = self;
  if (back.flags != 0) local_.push_always(sender, envelope);
  else local_.push(sender, envelope);
}

void Activation::reply_failure(const actord_failure& reported) {
  const Return back = return_of(current_);
  if (back.flags == 0) return;  // nobody waits for an answer: there is no one to tell
  local_.refuse(sender, back.token, self, local_.intake.copy(reported, Payload::copied));
}

std::uint64_t Activation::await(Ask ask, std::int64_t timeout_ns) {
  SlotTable<Ask>& asks = organs().asks;
  const std::uint64_t token = token::make(token::Kind::ask, asks.add(ask));
  asks.find(token)->timeout = local_.timer_after(timeout_ns, self, token);
  return token;
}

void Activation::ask(Ref to, message::TypeId type, void* question, std::int64_t timeout_ns,
                     actord_reply_handler handler) {
  const std::uint64_t token = await({handler, to, type}, timeout_ns);
  local_.tell(to, type, question, self, Envelope::ask | Envelope::correlated, token);
}

// An ask whose answer is the end of the one who is asked: watched by token, beside any other watch.
void Activation::graceful_stop(Ref who, message::TypeId type, void* message_,
                               std::int64_t timeout_ns, actord_reply_handler handler) {
  const std::uint64_t token = await({handler, who, 0}, timeout_ns);
  SystemBody body;
  body.subject = self;
  body.number = static_cast<std::int64_t>(token);
  local_.order(who, Order::watch, body);
  if (type == 0) stop(who);
  else local_.tell(who, type, message_, self);
}

void Activation::on_reply(Envelope* envelope) {
  SlotTable<Ask>& asks = organs().asks;
  if (asks.find(envelope->token()) == nullptr) {  // it timed out, or its incarnation is gone
    ++local_.fates.undelivered;
    environment_.undelivered(local_,
                             {self, envelope->sender, envelope->type(), Undelivered::timeout});
    lend(envelope);
    return finish(envelope);
  }
  const Ask asked = asks.take(envelope->token());
  local_.cancel(asked.timeout);
  FailurePtr refusal;
  if (envelope->has(Envelope::refusal)) {
    Failure* failure;
    std::memcpy(&failure, envelope->payload(), sizeof failure);
    refusal = FailurePtr(failure);
  }
  complete_ask(asked, envelope, refusal);
}

void Activation::complete_ask(const Ask& asked, Envelope* answer, const FailurePtr& refusal) {
  if (answer != nullptr) lend(answer);
  if (organs().receive_timeout_ns != 0) organs().last_activity_ns = local_.now_ns();
  if (refusal) message = nullptr, message_type = 0;
  FailurePtr failure = enter([&](actord_context* context, actord_errors* errors) {
    if (!refusal) return asked.handler(cell_.instance, context, message, nullptr, errors);
    const FailureView view(*refusal);
    return asked.handler(cell_.instance, context, nullptr, view.c(), errors);
  });
  if (answer != nullptr) ++(failure ? local_.fates.failed : local_.fates.handled);
  if (failure) {
    if (refusal) is_kept_ = true;  // no message of a user's to show
    fail(std::move(failure), Phase::receive);
    if (refusal) is_kept_ = false;
  }
  if (answer != nullptr) finish(answer);
  else take_back();
}

// ---- forwarding ---------------------------------------------------------------------------------

// An envelope is pushed once in its life: passing a message on makes a copy in a fresh one. Null if
// the type's copy failed, which is logged.
Envelope* Activation::copy_of(Envelope& from) {
  const message::TypeId type = from.type();
  const message::MessageType& message_of = environment_.types.at(type);
  const bool has_token = from.has(Envelope::correlated);
  Envelope* const to = local_.take_block();
  const std::uint32_t flags = from.type_and_flags & (Envelope::correlated | Envelope::ask);
  void* const at = message::prepare(*to, type, message_of, flags, has_token ? from.token() : 0);
  to->sender = from.sender;
  if (message_of.is_trivial) {
    std::memcpy(at, from.payload(), message_of.size);
    return to;
  }
  FailurePtr failure = enter([&](actord_context*, actord_errors* errors) {
    return message_of.table->copy(at, from.payload(), errors);
  });
  if (!failure) return to;
  if (to->has(Envelope::outside)) ::operator delete (at, std::align_val_t{message_of.table->align});
  local_.free_block(to);
  log_hook_failure("message.copy-failed", *failure, Phase::receive);
  return nullptr;
}

void Activation::forward(Ref to) { forward_from(to, sender); }

// Somebody else's sender has not asked: the answer to an ask finds only the one who did.
void Activation::forward_from(Ref to, Ref from) {
  if (current_ == nullptr || message_type == 0) return;  // nothing, or a refusal
  Envelope* const copy = copy_of(*current_);
  if (copy == nullptr) return;
  if (from != copy->sender) copy->type_and_flags &= ~std::uint32_t{Envelope::ask};
  copy->sender = from;
  local_.push(to, copy);
}

// ---- stash --------------------------------------------------------------------------------------

Activation::Stashed Activation::stash(std::string& why_not) {
  if (current_ == nullptr || is_kept_ || current_->has(Envelope::reply)) {
    why_not = current_ == nullptr ? "no message is being handled"
              : is_kept_          ? "this message has been stashed already"
                                  : "an answer cannot be stashed";
    return Stashed::refused;
  }
  const std::int64_t of_path = cell_.props->stash_capacity, of_code = table().stash_capacity;
  const std::int64_t capacity = of_path != 0   ? of_path
                                : of_code != 0 ? of_code
                                               : environment_.stash_capacity.load(base::relaxed);
  if (capacity > 0 && organs().stashed >= capacity) {
    why_not =
        "the stash of " + path() + " is full: it holds " + std::to_string(capacity) + " messages";
    return Stashed::overflow;
  }
  // It will be dispatched again: until then it stays announced (supervision.md 157).
  if (message_type == environment_.builtin.terminated)
    organs().watches.announced.emplace(sender, nullptr);
  is_kept_ = is_stashed_ = true;  // it moves when the handler, which may still read it, is done
  ++organs().stashed;
  return Stashed::yes;
}

void Activation::finish_stash() {
  is_stashed_ = false;
  organs().stash.push_back(keep_current());
  if (std::exchange(is_unstash_due_, false)) unstash_all();
}

// To the front of what has been fetched, never through the mailbox word.
void Activation::unstash_all() {
  if (is_stashed_) {  // the current message belongs to it, at its end
    is_unstash_due_ = true;
    return;
  }
  if (cell_.organs == nullptr || cell_.organs->stash.is_empty()) return;
  Envelope* const last = cell_.organs->stash.last();
  for (Envelope* e = cell_.organs->stash.first(); e != nullptr; e = e->next) {
    e->target_generation = generation_of(self);
    if ((cell_.sender_flags.load(base::relaxed) & Cell::bounded) != 0)
      cell_.room.fetch_sub(1, base::relaxed);
  }
  cell_.organs->stashed = 0;
  cell_.inbox.push_front(cell_.organs->stash.take(), last);
}

// ---- states -------------------------------------------------------------------------------------

void Activation::become(const actord_receive* state, bool keep_old) {
  const ReceiveTable* const resolved = cell_.props->behaviour.find(state);
  if (resolved == nullptr)
    return;  // not one of the behaviour's states: the SDK refuses that when compiling
  if (keep_old) organs().states.push_back(cell_.receive);
  cell_.receive = resolved;
}

void Activation::unbecome() {
  if (cell_.organs == nullptr || cell_.organs->states.empty()) {
    cell_.receive = &cell_.props->behaviour.initial();
    return;
  }
  cell_.receive = cell_.organs->states.back();
  cell_.organs->states.pop_back();
}

}  // namespace actord::actor
