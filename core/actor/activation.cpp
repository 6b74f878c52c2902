// SPDX-License-Identifier: Apache-2.0
#include "actor/activation.hpp"

#include "base/clock.hpp"

namespace actord::actor {

Activation::Activation(Local& local, Cell& tenant)
    : actord_context{sizeof(actord_context),
                     0,
                     local.environment.host,
                     local.environment.handle,
                     reinterpret_cast<actord_cell*>(&tenant),
                     local.environment.cells.ref_of(tenant),
                     make_ref(tenant.parent, tenant.parent_generation),
                     nobody,
                     nullptr},
      local_(local),
      environment_(local.environment),
      cell_(tenant) {}

void Activation::run() {
  if (cell_.stage == Stage::fresh) [[unlikely]]
    create();
  std::uint32_t budget = local_.worker->slice.messages;
  std::int64_t slice_end = 0;
  for (;;) {
    while (cell_.system.has_mail()) [[unlikely]] {  // hooks called meanwhile may send us more
        if (!obey()) return;
      }
    if (cell_.suspensions != 0) [[unlikely]]
      return park_suspended();
    Envelope* const envelope = cell_.inbox.pop();
    if (envelope == nullptr) {
      // After a fetch back to the system mail: an order sent before a message is obeyed before it.
      if (cell_.inbox.fetch(cell_.mailbox, [this](Envelope* block) { local_.free_block(block); }))
        continue;
      if (park()) return;
      continue;
    }
    handle(envelope);
    if (--budget == 0) [[unlikely]] {
      // Fairness is a matter of time: a fixed number of messages would starve whoever receives the
      // most.
      const sched::Slice& slice = local_.worker->slice;
      const std::int64_t now = slice.ns != 0 ? base::monotonic_ns() : 1;
      if (slice_end == 0) slice_end = now + slice.ns;
      if (now >= slice_end) return local_.worker->schedule_last(&cell_);
      budget = slice.messages;
    }
  }
}

bool Activation::park() {
  if (!cell_.inbox.park(cell_.mailbox, [this](Envelope* block) { local_.free_block(block); }))
    return false;
  // From here the cell may be another worker's, or another actor's: whoever wins it back starts
  // anew.
  if (cell_.system.has_mail_after_park() && MailboxOwner::unpark(cell_.mailbox))
    local_.schedule(cell_);
  return true;
}

void Activation::park_suspended() {
  cell_.inbox.park_suspended(cell_.mailbox);
  if (cell_.system.has_mail_after_park() && MailboxOwner::unpark(cell_.mailbox))
    local_.schedule(cell_);
}

// ---- user mail ----------------------------------------------------------------------------------

void Activation::handle(Envelope* envelope) {
  const std::uint8_t flags = cell_.sender_flags.load(base::relaxed);
  if ((flags & Cell::bounded) != 0) [[unlikely]]
    cell_.room.fetch_add(1, base::relaxed);
  if (envelope->target_generation != generation_of(self)) [[unlikely]] {
    // Sent to a former tenant of this cell by somebody who looked before it died.
    const Ref former = make_ref(index_of(self), envelope->target_generation);
    if (!cell_.inbox.is_marker(envelope))
      return local_.bury(former, envelope, Undelivered::stopped);
    Envelope* const copy = local_.take_block();
    message::relocate(*copy, *envelope,
                      envelope->type() != 0 ? &environment_.types.at(envelope->type()) : nullptr);
    return local_.bury(former, copy, Undelivered::stopped);
  }
  if (envelope->has(Envelope::tick)) [[unlikely]]
    return on_tick(envelope);
  if (envelope->has(Envelope::reply)) [[unlikely]]
    return on_reply(envelope);
  dispatch(envelope);
}

void Activation::dispatch(Envelope* envelope) {
  lend(envelope);
  if (message_type <= environment_.builtin.last) [[unlikely]] {
    if (message_type == environment_.builtin.poison_pill ||
        message_type == environment_.builtin.kill) {
      return on_poison_or_kill(envelope);
    }
    if (message_type == environment_.builtin.identify) return on_identify(envelope);
    if (message_type == environment_.builtin.terminated && on_terminated_message(envelope)) return;
  }
  const actord_handler handler = cell_.receive->find(message_type);
  if (handler == nullptr) [[unlikely]]
    return on_unhandled(envelope);
  if (cell_.organs != nullptr) [[unlikely]]
    note_activity();
  if (environment_.debug.receive) [[unlikely]]
    log_message("actor.receive", "received");
  FailurePtr failure = enter([&](actord_context* context, actord_errors* errors) {
    return handler(cell_.instance, context, message, errors);
  });
  // What was stashed has its fate still before it.
  if (failure) [[unlikely]] {
    if (!is_kept_) ++local_.fates.failed;
    fail(std::move(failure), Phase::receive);
  } else if (!is_kept_) {
    ++local_.fates.handled;
  }
  finish(envelope);
}

void Activation::lend(Envelope* envelope) noexcept {
  current_ = envelope;
  is_kept_ = false;
  message_type = envelope->type();
  sender = envelope->sender;
  message = envelope->payload();
}

void Activation::take_back() noexcept {
  current_ = nullptr;
  message_type = 0;
  sender = nobody;
  message = nullptr;
}

void Activation::finish(Envelope* envelope) {
  if (is_stashed_) [[unlikely]]
    finish_stash();
  if (!is_kept_) [[likely]] {
    local_.clear(envelope);
    if (!cell_.inbox.is_marker(envelope)) local_.free_block(envelope);
  }
  take_back();
}

// Gives the current message an owner beyond this call. The mailbox's marker block stays where it
// is: then the content moves.
Envelope* Activation::keep_current() {
  Envelope* kept = current_;
  if (cell_.inbox.is_marker(current_)) {
    kept = local_.take_block();
    message::relocate(*kept, *current_, &environment_.types.at(current_->type()));
    current_ = kept;
    message = kept->payload();
  }
  is_kept_ = true;
  return kept;
}

void Activation::on_poison_or_kill(Envelope* envelope) {
  if (environment_.debug.autoreceive) log_message("actor.autoreceive", "obeys");
  if (message_type == environment_.builtin.poison_pill) {
    ++local_.fates.handled;
    SystemBody body;
    body.reason = StopReason::poison;
    local_.order(self, Order::terminate, body);
  } else {
    ++local_.fates.failed;
    fail(builtin_failure({"actord::Killed", "actord::Failure"}, "killed"), Phase::receive);
  }
  finish(envelope);
}

void Activation::on_identify(Envelope* envelope) {
  if (environment_.debug.autoreceive) log_message("actor.autoreceive", "identifies itself");
  local_.identify(*envelope, self);
  ++local_.fates.handled;
  finish(envelope);
}

// True: there is nothing left to dispatch.
bool Activation::on_terminated_message(Envelope* envelope) {
  const auto announced = organs().watches.announced.extract(sender);
  Envelope* const told = announced ? announced.mapped() : nullptr;
  if (announced && told == nullptr) {
    if (environment_.debug.autoreceive) log_message("actor.autoreceive", "hears of an end");
    return false;
  }
  ++local_.fates.void_;  // unwatched in the meantime (supervision.md 121), or told otherwise (123)
  finish(envelope);
  if (told == nullptr) return true;
  told->target_generation = generation_of(self);
  ++local_.fates.sent;
  dispatch(told);
  return true;
}

void Activation::on_unhandled(Envelope* envelope) {
  ++local_.fates.undelivered;
  if (environment_.debug.unhandled) log_message("actor.unhandled", "nobody here handles that");
  if (message_type == environment_.builtin.terminated) {
    fail(builtin_failure({"actord::DeathPact", "actord::Failure"},
                         local_.path(sender) + " terminated, and nobody here handles that"),
         Phase::receive);
  } else {
    environment_.undelivered(local_, {self, sender, message_type, Undelivered::unhandled});
  }
  finish(envelope);
}

// ---- system mail --------------------------------------------------------------------------------

// Which orders have to wait: 2 while a recreation waits, 1 while suspended (supervision.md 20, 31).
int Activation::parking_state() const noexcept {
  switch (cell_.stage) {
    case Stage::recreating:
    case Stage::creating:
    case Stage::backing_off: return 2;
    default: return cell_.suspensions != 0 ? 1 : 0;
  }
}

namespace {

bool must_wait(Order order, int state) noexcept {
  switch (order) {
    case Order::failed: return state >= 1;
    case Order::suspend:
    case Order::resume:
    case Order::recreate: return state == 2;
    default: return false;
  }
}

}  // namespace

// False: the actor is no more, and the cell must not be touched again.
bool Activation::obey() {
  Envelope* list = cell_.system.take_all();
  while (list != nullptr) {
    Envelope* const envelope = list;
    list = envelope->next;
    if (envelope->target_generation != generation_of(self)) {
      local_.refuse_order(make_ref(index_of(self), envelope->target_generation), envelope);
      continue;
    }
    const int before = parking_state();
    if (must_wait(order_of(*envelope), before)) {
      organs().parked.push_back(envelope);
      continue;
    }
    carry_out_safely(*envelope);
    local_.drop(envelope);
    if (cell_.stage == Stage::terminated) {
      while (list != nullptr) local_.refuse_order(self, std::exchange(list, list->next));
      tell_the_bereaved();
      return false;
    }
    if (parking_state() < before && cell_.organs != nullptr && !cell_.organs->parked.is_empty()) {
      Envelope* const last = cell_.organs->parked.last();
      last->next = list;  // what waited longer goes first
      list = cell_.organs->parked.take();
    }
  }
  return true;
}

// What mends failures may fail itself, for want of memory: then nothing can be mended any more
// (supervision.md 63).
void Activation::carry_out_safely(Envelope& order) {
  try {
    carry_out(order_of(order), body_of(order));
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    emergency_stop();
  }
}

// By order, for this may be in the middle of anything. Without memory to say it in, nothing is
// said.
void Activation::emergency_stop() noexcept {
  try {
    local_.log.emit(log::Level::error, "actor.emergency-stop",
                    "handling a failure failed itself: the actor is stopped with its children",
                    {{"actor.path", path()}});
  } catch (...) {}
  SystemBody body;
  body.reason = StopReason::failed;
  local_.order(self, Order::terminate, body);
}

void Activation::carry_out(Order order, SystemBody& body) {
  FailurePtr failure = FailurePtr::adopt(std::exchange(body.failure, nullptr));
  switch (order) {
    case Order::suspend: return on_suspend();
    case Order::resume: return on_resume(std::move(failure));
    case Order::recreate:
      return on_recreate(std::move(failure), body.number, body.has(SystemBody::collateral));
    case Order::terminate:
      return terminate(body.reason, std::move(failure), body.has(SystemBody::collateral));
    case Order::failed: return on_failed(body.subject, std::move(failure));
    case Order::child_terminated:
      on_terminated(body, true);
      return on_child_terminated(body.subject);
    case Order::terminated: return on_terminated(body, body.has(SystemBody::existence_confirmed));
    case Order::watch: return on_watch({body.subject, static_cast<std::uint64_t>(body.number)});
    case Order::unwatch: return on_unwatch({body.subject, static_cast<std::uint64_t>(body.number)});
    case Order::stop_child: return stop(body.subject);
    case Order::backoff_over: return on_backoff_over(static_cast<std::uint64_t>(body.number));
    case Order::settled: return on_settled(body.subject);
    case Order::spawn: return on_spawn(*body.request);
  }
}

// ---- failures of ours and the plugin's ----------------------------------------------------------

FailurePtr Activation::builtin_failure(std::initializer_list<std::string_view> types,
                                       std::string what, FailurePtr cause) {
  FailurePtr failure{new Failure};
  failure->types = &environment_.chains.intern(types);
  failure->what = std::move(what);
  failure->cause = std::move(cause);
  return failure;
}

FailurePtr Activation::foreign_failure() {
  FailurePtr failure =
      builtin_failure({"actord::ForeignException"}, "threw across the plugin boundary");
  failure->is_foreign = true;
  return failure;
}

FailurePtr Activation::nameless_failure() {
  return builtin_failure({"actord::Failure"}, "failed without saying why");
}

FailurePtr Activation::call_hook(actord_hook hook) {
  if (hook == nullptr) return {};
  return enter([&](actord_context* context, actord_errors* errors) {
    return hook(cell_.instance, context, errors);
  });
}

FailurePtr Activation::call_restart_hook(actord_restart_hook hook, const Failure& reason) {
  const FailureView view(reason);
  return enter([&](actord_context* context, actord_errors* errors) {
    return hook(cell_.instance, context, view.c(), errors);
  });
}

}  // namespace actord::actor
