// SPDX-License-Identifier: Apache-2.0
#include "actor/activation.hpp"

#include <algorithm>

#include "actor/spawn_request.hpp"
#include "base/clock.hpp"

namespace actord::actor {

namespace {

// Who finds that many messages at once falls behind, until nothing is left. Meanwhile it has four
// fifths of its worker's time, so that a backlog is worked off while it lies in the cache, instead
// of growing by what others add: its turn lasts four times as long as the one other that came
// before it took. And who sends to it from another worker loses some 20 ns with each message, or it
// would be faster at making the backlog than one can be at working it off. Nobody is blocked.
constexpr std::size_t overload = 1024;
constexpr std::int64_t overload_share = 4;
constexpr std::int64_t overload_max_ns = 50'000'000;

}  // namespace

// ---- the way of a message: from the mailbox to its handler and back -----------------------------
//
// Kept short: what is rare is a call. run() hands on what its parts use of the members, as it has
// that in registers; of members the compiler must think that every handler changes them.

[[gnu::always_inline]] inline void Activation::release(Local& local, Cell& tenant,
                                                       Envelope* envelope) {
  local.clear(envelope);
  if (!tenant.inbox.is_marker(envelope)) local.free_block(envelope);
}

// What has been lent, to the behaviour's handler. Not by enter(), to leave nothing behind that a
// message which is handled need not do.
[[gnu::always_inline]] inline bool Activation::receive(Local& local, Cell& tenant,
                                                       Envelope* envelope) {
  const actord_handler handler = tenant.receive->find(message_type);
  if (handler == nullptr) [[unlikely]] {
    on_unhandled(envelope);
    return false;
  }
  if (tenant.organs != nullptr || environment_.debug.receive.load(base::relaxed)) [[unlikely]]
    before_handler();
  actord_status status;
  try {
    local.begin_handler();
    status = handler(tenant.instance, this, message, &local.handler_reports);
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    local.handler_reports.failure = foreign_failure();
    status = ACTORD_FAILED;
  }
  local.end_handler();
  if (status != ACTORD_OK) [[unlikely]] {
    on_handler_failed(envelope, std::move(local.handler_reports.failure));
    return false;
  }
  if (local.handler_reports.failure) [[unlikely]]
    local.handler_reports.failure = {};  // reported, and then thought better of
  if (is_kept_) [[unlikely]] {
    finish(envelope);  // what was stashed has its fate still before it
    return false;
  }
  ++local.fates.handled;
  release(local, tenant, envelope);
  return !is_stop_due_;
}

[[gnu::always_inline]] inline bool Activation::handle(Local& local, Cell& tenant,
                                                      Envelope* envelope) {
  const bool is_plain = envelope->target_generation == generation_of(self) &&
                        !envelope->has(Envelope::tick | Envelope::reply | Envelope::packet) &&
                        envelope->type() > environment_.builtin.last &&
                        !tenant.has(Cell::is_bounded);
  if (!is_plain) [[unlikely]] {
    handle_special(envelope);
    return false;
  }
  lend(envelope);
  return receive(local, tenant, envelope);
}

inline bool Activation::park(Local& local, Cell& tenant) {
  if (!tenant.inbox.park(tenant.mailbox, [&](Envelope* block) { local.free_any_block(block); }))
    return false;
  // From here the cell may be another worker's, or another actor's: whoever wins it back starts
  // anew.
  if (tenant.system.has_mail_after_park() && MailboxOwner::unpark(tenant.mailbox))
    local.schedule(tenant);
  return true;
}

[[gnu::always_inline]] inline void Activation::run() {
  Local& local = local_;
  Cell& tenant = cell_;
  if (tenant.stage == Stage::fresh) [[unlikely]]
    create();
  std::uint32_t budget = local.worker->slice.messages;
  std::int64_t slice_end = 0;
  for (;;) {
    // Hooks called meanwhile may send us more.
    while (tenant.system.has_mail() || is_stop_due_) [[unlikely]] {
        take_back();
        if (!obey()) return;
      }
    if (tenant.suspensions != 0) [[unlikely]]
      return park_suspended();
    // Only orders and messages that were not simply handled change what was just looked at.
    bool is_simply_handled;
    do {
      Envelope* envelope = tenant.inbox.pop();
      if (envelope == nullptr) {
        const std::size_t n = tenant.inbox.fetch(
            tenant.mailbox, [&](Envelope* block) { local.free_any_block(block); });
        if (n >= overload || (n == 0 && tenant.has(Cell::is_overloaded))) [[unlikely]]
          set_overloaded(n != 0);
        if (n == 0) {
          if (park(local, tenant)) return;
          break;
        }
        // An order sent before a message is obeyed before it.
        if (tenant.system.has_mail()) [[unlikely]]
          break;
        envelope = tenant.inbox.pop();
      }
      is_simply_handled = handle(local, tenant, envelope);
      if (--budget == 0) [[unlikely]] {
        if (is_slice_over(slice_end) && !is_stop_due_) return yield();
        budget = local.worker->slice.messages;
      }
    } while (is_simply_handled && !tenant.system.has_mail());
  }
}

// Fairness is a matter of time: a fixed number of messages would starve whoever receives the most.
bool Activation::is_slice_over(std::int64_t& end_ns) const {
  const std::int64_t slice_ns = local_.worker->slice.ns;
  if (slice_ns == 0) return true;
  const std::int64_t now = base::monotonic_ns();
  if (end_ns == 0) {
    const bool has_waited = cell_.has(Cell::is_overloaded) && local_.overloaded == &cell_;
    const std::int64_t share_ns =
        has_waited ? (now - local_.overloaded_since_ns) * overload_share : 0;
    end_ns = now + std::max(slice_ns, std::min(share_ns, overload_max_ns));
  }
  return now >= end_ns;
}

// From when it finds too much until it has nothing left.
void Activation::set_overloaded(bool is_overloaded) {
  unsigned owner = cell_.owner_flags, senders = cell_.sender_flags.load(base::relaxed);
  owner &= ~unsigned{Cell::is_overloaded};
  senders &= ~unsigned{Cell::falling_behind};
  if (is_overloaded) {
    owner |= Cell::is_overloaded;
    senders |= local_.mark();
  }
  cell_.owner_flags = static_cast<std::uint8_t>(owner);
  cell_.sender_flags.store(static_cast<std::uint8_t>(senders), base::relaxed);
}

// Others come first; before an overloaded one only one other, or its backlog would grow by what all
// of them send.
void Activation::yield() {
  if (!cell_.has(Cell::is_overloaded)) return local_.worker->schedule_last(&cell_);
  local_.overloaded = &cell_;
  local_.overloaded_since_ns = local_.worker->slice.ns != 0 ? base::monotonic_ns() : 0;
  local_.worker->schedule_second(&cell_);
}

void Activation::run(void* of_worker, sched::Task* task) {
  auto& local = *static_cast<Local*>(of_worker);
  do {
    Activation activation(local, *static_cast<Cell*>(task));
    local.running = &activation;
    activation.run();
    task = local.worker->next_at_once();
  } while (task != nullptr);
  local.running = nullptr;
}

void Activation::park_suspended() {
  if (cell_.has(Cell::is_overloaded)) set_overloaded(false);
  cell_.inbox.park_suspended(cell_.mailbox);
  if (cell_.system.has_mail_after_park() && MailboxOwner::unpark(cell_.mailbox))
    local_.schedule(cell_);
}

// ---- user mail ----------------------------------------------------------------------------------

[[gnu::noinline]] void Activation::handle_special(Envelope* envelope) {
  if (envelope->has(Envelope::packet)) return open(message::Packet::of(*envelope));
  if (cell_.has(Cell::is_bounded)) cell_.room.fetch_add(1, base::relaxed);
  if (envelope->target_generation != generation_of(self)) {
    // Sent to a former tenant of this cell by somebody who looked before it died.
    const Ref former = make_ref(index_of(self), envelope->target_generation);
    if (!cell_.inbox.is_marker(envelope))
      return local_.bury(former, envelope, Undelivered::stopped);
    Envelope* const copy = local_.take_block();
    message::relocate(*copy, *envelope,
                      envelope->type() != 0 ? &environment_.types.at(envelope->type()) : nullptr);
    return local_.bury(former, copy, Undelivered::stopped);
  }
  if (envelope->has(Envelope::tick)) return on_tick(envelope);
  if (envelope->has(Envelope::reply)) return on_reply(envelope);
  dispatch(envelope);
}

void Activation::open(message::Packet& packet) {
  const bool is_for_us = packet.target_generation == generation_of(self);
  const Ref to = receiver_of(packet);
  cell_.inbox.prefetch_packet();
  EnvelopeList list = local_.unpack(packet);
  if (!cell_.inbox.is_marker(&packet)) local_.free_any_block(&packet);
  if (is_for_us) return cell_.inbox.push_front(list.first(), list.last());
  // For a former tenant of this cell: they took no place in our mailbox, and give none back.
  local_.bury_all(to, list);
}

[[gnu::noinline]] void Activation::dispatch(Envelope* envelope) {
  lend(envelope);
  if (message_type <= environment_.builtin.last) {
    if (message_type == environment_.builtin.poison_pill ||
        message_type == environment_.builtin.kill) {
      return on_poison_or_kill(envelope);
    }
    if (message_type == environment_.builtin.identify) return on_identify(envelope);
    if (message_type == environment_.builtin.terminated && on_terminated_message(envelope)) return;
  }
  receive(local_, cell_, envelope);
}

[[gnu::noinline]] void Activation::before_handler() {
  if (cell_.organs != nullptr) note_activity();
  if (environment_.debug.receive.load(base::relaxed)) log_message("actor.receive", "received");
}

[[gnu::noinline]] void Activation::on_handler_failed(Envelope* envelope, FailurePtr failure) {
  if (!failure) failure = nameless_failure();
  if (!is_kept_) ++local_.fates.failed;
  fail(std::move(failure), Phase::receive);
  finish(envelope);
}

void Activation::take_back() noexcept {
  current_ = nullptr;
  message_type = 0;
  sender = nobody;
  message = nullptr;
}

[[gnu::noinline]] void Activation::finish(Envelope* envelope) {
  if (is_stashed_) finish_stash();
  if (!is_kept_) release(local_, cell_, envelope);
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
  if (environment_.debug.autoreceive.load(base::relaxed)) log_message("actor.autoreceive", "obeys");
  if (message_type == environment_.builtin.poison_pill) {
    ++local_.fates.handled;
    stop_self(StopReason::poison);
  } else {
    ++local_.fates.failed;
    fail(builtin_failure(causes::killed, "killed"), Phase::receive);
  }
  finish(envelope);
}

void Activation::on_identify(Envelope* envelope) {
  if (environment_.debug.autoreceive.load(base::relaxed))
    log_message("actor.autoreceive", "identifies itself");
  local_.identify(*envelope, self);
  ++local_.fates.handled;
  finish(envelope);
}

// True: there is nothing left to dispatch.
bool Activation::on_terminated_message(Envelope* envelope) {
  const auto announced = organs().watches.announced.extract(sender);
  Envelope* const told = announced ? announced.mapped() : nullptr;
  if (announced && told == nullptr) {
    if (environment_.debug.autoreceive.load(base::relaxed))
      log_message("actor.autoreceive", "hears of an end");
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
  if (environment_.debug.unhandled.load(base::relaxed))
    log_message("actor.unhandled", "nobody here handles that");
  if (message_type == environment_.builtin.terminated) {
    fail(builtin_failure(causes::death_pact,
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

// What mends failures may fail itself, for want of memory: then nothing can be mended any more
// (supervision.md 63).
template <class Call>
inline void Activation::safely(Call&& call) {
  try {
    call();
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    emergency_stop();
  }
}

// False: the actor is no more, and the cell must not be touched again.
bool Activation::obey() {
  Envelope* list = nullptr;
  if (is_stop_due_) {
    const int before = parking_state();
    is_stop_due_ = false;
    safely([this] { terminate(stop_due_for_, {}, false); });
    if (cell_.stage == Stage::terminated) {
      tell_the_bereaved();
      return false;
    }
    list = with_parked(nullptr, before);
  } else {
    list = cell_.system.take_all();
  }
  while (list != nullptr) {
    Envelope* const envelope = list;
    list = envelope->next;
    const Order order = order_of(*envelope);
    if (envelope->target_generation != generation_of(self)) [[unlikely]] {
      local_.refuse_order(make_ref(index_of(self), envelope->target_generation), envelope);
      continue;
    }
    const int before = parking_state();
    if (before != 0 && must_wait(order, before)) {
      organs().parked.push_back(envelope);
      continue;
    }
    safely([&] { carry_out(order, body_of(*envelope)); });
    local_.drop(envelope);
    if (cell_.stage == Stage::terminated) {
      while (list != nullptr) local_.refuse_order(self, std::exchange(list, list->next));
      tell_the_bereaved();
      return false;
    }
    if (before != 0) list = with_parked(list, before);
  }
  return true;
}

// The orders to go on with, now that one was carried out: what waited for that goes first.
Envelope* Activation::with_parked(Envelope* list, int parking_before) {
  if (parking_state() >= parking_before || cell_.organs == nullptr) return list;
  EnvelopeList& parked = cell_.organs->parked;
  if (parked.is_empty()) return list;
  parked.last()->next = list;
  return parked.take();
}

// By order, for this may be in the middle of anything. Without memory to say it in, nothing is
// said.
void Activation::emergency_stop() noexcept {
  try {
    local_.log.emit(log::Level::error, "actor.emergency-stop",
                    "handling a failure failed itself: the actor is stopped with its children",
                    {{"actor.path", path()}});
  } catch (...) {}
  if (cell_.organs != nullptr) {
    cell_.organs->episode.take_over.fail();
    cell_.organs->roster.take_over.fail();
  }
  SystemBody body;
  body.reason = StopReason::failed;
  local_.order(self, Order::terminate, body);
}

void Activation::carry_out(Order order, SystemBody& body) {
  if (order == Order::child_terminated) {  // of those there are as many as actors
    if (cell_.organs != nullptr) on_terminated(body, true);
    return on_child_terminated(body.subject);
  }
  FailurePtr failure = FailurePtr::adopt(std::exchange(body.failure, nullptr));
  switch (order) {
    case Order::suspend: return on_suspend();
    case Order::resume: return on_resume(std::move(failure));
    case Order::recreate:
      return on_recreate(std::move(failure), body.number, body.has(SystemBody::collateral));
    case Order::terminate:
      return terminate(body.reason, std::move(failure), body.has(SystemBody::collateral));
    case Order::failed: return on_failed(body.subject, std::move(failure));
    case Order::child_terminated: return;  // carried out before
    case Order::terminated: return on_terminated(body, body.has(SystemBody::existence_confirmed));
    case Order::watch: return on_watch({body.subject, static_cast<std::uint64_t>(body.number)});
    case Order::unwatch: return on_unwatch({body.subject, static_cast<std::uint64_t>(body.number)});
    case Order::stop_child: return stop(body.subject);
    case Order::backoff_over: return on_backoff_over(static_cast<std::uint64_t>(body.number));
    case Order::settled: return on_settled(body.subject);
    case Order::spawn: return on_spawn(static_cast<SpawnRequest&>(*body.request));
    case Order::reconfigure:
      return on_reconfigure(static_cast<Reconfiguration&>(*body.request), body.node,
                            body.has(SystemBody::with_parent));
  }
}

// ---- failures of ours and the plugin's ----------------------------------------------------------

FailurePtr Activation::foreign_failure() {
  FailurePtr failure = builtin_failure(causes::foreign, "threw across the plugin boundary");
  failure->is_foreign = true;
  return failure;
}

FailurePtr Activation::nameless_failure() {
  return builtin_failure(causes::failure, "failed without saying why");
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
