// SPDX-License-Identifier: Apache-2.0
#include "actor/activation.hpp"

#include <algorithm>

#include "actor/census.hpp"
#include "actor/child_list.hpp"
#include "actor/inspector.hpp"
#include "actor/orders.hpp"
#include "actor/reconfigurer.hpp"
#include "actor/routing.hpp"
#include "actor/spawning.hpp"
#include "actor/supervisor.hpp"
#include "actor/token.hpp"
#include "base/clock.hpp"

namespace actord::actor {

namespace {

// An actor that fetches `overload` or more messages at once is overloaded until its mailbox is
// empty. Its worker then alternates between it and one other task, and its slice is
// `overload_share` times as long as the wait since its last turn: it has four fifths of the
// worker's time. So the backlog is handled while it is in the cache. Senders on other workers pause
// some 20 ns per message, since together they can send faster than one worker handles. No sender is
// blocked.
constexpr std::size_t overload = 1024;
constexpr std::int64_t overload_share = 4;
constexpr std::int64_t overload_max_ns = 50'000'000;

}  // namespace

// ---- the hot path: from the mailbox to the handler ----------------------------------------------
//
// Rare cases are calls out of line. run() passes `thread` and `tenant` as arguments, which stay in
// registers; the compiler must assume that every handler changes the members.

// Does not use call_plugin(), so that a message that is handled without a failure does not pay for
// one.
[[gnu::always_inline]] inline bool Activation::receive(ThreadState& thread, Cell& tenant,
                                                       Envelope* envelope) {
  const actord_handler handler = tenant.receive->find(message_type);
  if (handler == nullptr) [[unlikely]] {
    receive_any(envelope);
    return false;
  }
  return call(thread, tenant, envelope, handler);
}

[[gnu::always_inline]] inline bool Activation::call(ThreadState& thread, Cell& tenant,
                                                    Envelope* envelope, actord_handler handler) {
  if (tenant.extras != nullptr || environment().debug.receive.load(base::relaxed)) [[unlikely]]
    before_handler();
  actord_status status;
  try {
    thread.begin_handler();
    status = handler(tenant.instance, this, message, &thread.handler_errors);
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    thread.handler_errors.failure = foreign_failure();
    status = ACTORD_FAILED;
  }
  thread.end_handler();
  if (status != ACTORD_OK) [[unlikely]] {
    on_handler_failed(envelope, std::move(thread.handler_errors.failure));
    return false;
  }
  if (thread.handler_errors.failure) [[unlikely]] {
    if (fails_after_all(envelope)) return false;
  }
  if (has_more_to_do()) [[unlikely]] {
    do_more(envelope);
    return false;
  }
  ++thread.counters.handled;
  release(thread, tenant, envelope);
  return !is_stop_due();
}

[[gnu::always_inline]] inline bool Activation::handle(ThreadState& thread, Cell& tenant,
                                                      Envelope* envelope) {
  const bool is_plain =
      envelope->target_generation == generation_of(self) &&
      !envelope->has(Envelope::tick | Envelope::reply | Envelope::packet | Envelope::traced |
                     Envelope::further_layout | Envelope::credited) &&
      envelope->type() > environment().builtin.last && !tenant.has(Cell::has_own_mailbox);
  if (!is_plain) [[unlikely]] {
    handle_special(envelope);
    return false;
  }
  set_current(envelope);
  return receive(thread, tenant, envelope);
}

inline bool Activation::park(ThreadState& thread, Cell& tenant) {
  if (!tenant.inbox.park(tenant.mailbox, [&](Envelope* block) { thread.free_any_block(block); }))
    return false;
  // From here another worker may run the cell, or the cell may have another tenant. Only the
  // thread for which unpark() is true may schedule the cell again.
  if (tenant.system.has_mail_after_park() && MailboxOwner::unpark(tenant.mailbox))
    thread.schedule(tenant);
  return true;
}

[[gnu::always_inline]] inline void Activation::run() {
  ThreadState& thread = this->thread();
  Cell& tenant = cell();
  if (tenant.life.stage() == Stage::fresh) [[unlikely]]
    Recovery::create(*this);
  std::uint32_t messages_left = thread.worker->slice.messages;
  std::uint32_t counted_at = messages_left;
  const auto count = [&] {
    if (tenant.is_counted) [[unlikely]]
      count_messages(std::exchange(counted_at, messages_left) - messages_left);
  };
  std::int64_t slice_end = 0;
  for (;;) {
    // A loop, because hooks called here may send this actor more system messages.
    while (tenant.system.has_mail() || is_stop_due()) [[unlikely]] {
      clear_current();
      if (!handle_system_messages()) return void(thread.opened_packets = 0);
    }
    if (tenant.life.is_paused()) [[unlikely]] {
      count();
      return park_suspended();
    }
    // Only a system message, or a message for which handle() is false, changes the above.
    bool is_simply_handled;
    do {
      Envelope* envelope = tenant.inbox.pop();
      if (envelope == nullptr) {
        const std::size_t n = tenant.inbox.fetch(
            tenant.mailbox, [&](Envelope* block) { thread.free_any_block(block); });
        if (n >= overload || (n == 0 && tenant.has(Cell::is_overloaded))) [[unlikely]]
          set_overloaded(n != 0);
        if (n == 0) {
          count();  // once parked, the cell is another worker's
          if (park(thread, tenant)) return;
          break;
        }
        // A system message sent before a user message is handled before it.
        if (tenant.system.has_mail()) [[unlikely]]
          break;
        envelope = tenant.inbox.pop();
      }
      is_simply_handled = handle(thread, tenant, envelope);
      if (--messages_left == 0) [[unlikely]] {
        count();
        if (is_slice_over(slice_end) && !is_stop_due()) return yield();
        counted_at = messages_left = thread.worker->slice.messages;
      }
    } while (is_simply_handled && !tenant.system.has_mail());
  }
}

// Slices are a time, not a number of messages: else an actor that receives many short messages
// would get less time than the others.
bool Activation::is_slice_over(std::int64_t& end_ns) const {
  const std::int64_t slice_ns = thread().worker->slice.ns;
  if (slice_ns == 0) return true;
  const std::int64_t now = base::monotonic_ns();
  if (end_ns == 0) {
    const bool has_waited = cell().has(Cell::is_overloaded) && thread().overloaded == &cell();
    const std::int64_t share_ns =
        has_waited ? (now - thread().overloaded_since_ns) * overload_share : 0;
    end_ns = now + std::max(slice_ns, std::min(share_ns, overload_max_ns));
  }
  return now >= end_ns;
}

void Activation::set_overloaded(bool is_overloaded) {
  unsigned owner = cell().owner_flags, senders = cell().sender_flags.load(base::relaxed);
  owner &= ~unsigned{Cell::is_overloaded};
  senders &= ~unsigned{Cell::overload_mark};
  if (is_overloaded) {
    owner |= Cell::is_overloaded;
    senders |= thread().overload_mark();
  }
  cell().owner_flags = static_cast<std::uint8_t>(owner);
  cell().sender_flags.store(static_cast<std::uint8_t>(senders), base::relaxed);
}

// All other tasks of the worker run before this actor's next turn. Before an overloaded actor's
// next turn only one runs, or the backlog would grow by what all of them send.
void Activation::yield() {
  if (!cell().has(Cell::is_overloaded)) return thread().worker->schedule_last(&cell());
  thread().overloaded = &cell();
  thread().overloaded_since_ns = thread().worker->slice.ns != 0 ? base::monotonic_ns() : 0;
  thread().worker->schedule_second(&cell());
}

void Activation::run(void* of_worker, sched::Task* task) {
  auto& thread = *static_cast<ThreadState*>(of_worker);
  do {
    Activation activation(thread, *static_cast<Cell*>(task));
    thread.running.store(&activation);
    thread.running_cell.store(&activation.cell());
    activation.run();
    task = thread.worker->next_task();
  } while (task != nullptr);
  thread.running.store(nullptr);
}

void Activation::park_suspended() {
  if (cell().has(Cell::is_overloaded)) set_overloaded(false);
  cell().inbox.park_suspended(cell().mailbox);
  if (cell().system.has_mail_after_park() && MailboxOwner::unpark(cell().mailbox))
    thread().schedule(cell());
}

[[gnu::noinline]] void Activation::count_messages(std::uint32_t envelopes) {
  // A packet was an envelope, too, besides those that were in it.
  const std::uint32_t packets = std::exchange(thread().opened_packets, 0);
  environment().counts.row_of(cell()).messages += envelopes - packets;
}

// ---- user messages ------------------------------------------------------------------------------

[[gnu::noinline]] void Activation::handle_special(Envelope* envelope) {
  if (cell().has(Cell::has_own_mailbox)) {
    envelope = next_message(*this, envelope);
    if (envelope == nullptr) return;
  }
  if (envelope->has(Envelope::packet)) return open(message::Packet::of(*envelope));
  if (envelope->target_generation != generation_of(self))
    return send_stray_to_dead_letters(envelope);
  if (envelope->has(Envelope::traced)) return handle_traced(envelope);
  handle_one(envelope);
}

void Activation::handle_one(Envelope* envelope) {
  if (envelope->has(Envelope::tick)) return on_tick(envelope);
  if (envelope->has(Envelope::reply)) return on_reply(envelope);
  if (envelope->has(Envelope::credited)) return handle_credited(envelope);
  dispatch(envelope);
}

// The sender found the former tenant in the cell, and pushed after the next tenant had moved in.
void Activation::send_stray_to_dead_letters(Envelope* envelope) {
  const Ref former = make_ref(index_of(self), envelope->target_generation);
  end_undelivered(envelope, former, Undelivered::stopped);
}

void Activation::open(message::Packet& packet) {
  const bool is_for_us = packet.target_generation == generation_of(self);
  const Ref to = receiver_of(packet);
  if (cell().is_counted) ++thread().opened_packets;
  cell().inbox.prefetch_packet();
  EnvelopeList list = thread().unpack(packet);
  if (!cell().inbox.is_marker(&packet)) thread().free_any_block(&packet);
  if (is_for_us) return cell().inbox.push_front(list.first(), list.last());
  // The messages are for a former tenant of this cell. They did not lower this tenant's
  // `capacity_left`, so they do not raise it.
  thread().send_all_to_dead_letters(to, list);
}

[[gnu::noinline]] void Activation::dispatch(Envelope* envelope) {
  ACTORD_ASSERT(envelope->target_generation == generation_of(self));
  set_current(envelope);
  if (envelope->has(Envelope::further_layout)) return dispatch_layout(envelope);
  const BuiltinTypes& builtin = environment().builtin;
  if (message_type <= builtin.last) {
    if (message_type == builtin.poison_pill || message_type == builtin.kill)
      return on_poison_or_kill(envelope);
    if (message_type == builtin.identify) return on_identify(envelope);
    if (message_type == builtin.terminated && on_terminated_message(envelope)) return;
  }
  receive(thread(), cell(), envelope);
}

[[gnu::noinline]] void Activation::receive_any(Envelope* envelope) {
  if (const message::TypeId wanted = layout_wanted(message_type)) {
    envelope = replace_by(wanted, envelope);
    if (envelope == nullptr) return;
  }
  const actord_handler handler = cell().receive->find_any(message_type);
  if (handler == nullptr) return on_unhandled(envelope);
  call(thread(), cell(), envelope, handler);
}

[[gnu::noinline]] void Activation::before_handler() {
  if (CellExtras* const extras = find_extras()) {
    extras->timers.note_message(*this);
    if (extras->traced_messages_left != 0)
      log().traced(message_type, message, sending_actor(), --extras->traced_messages_left);
  }
  if (environment().debug.receive.load(base::relaxed)) log_message("actor.receive", "received");
}

[[gnu::noinline]] void Activation::do_more(Envelope* envelope) {
  end_continued();
  const bool is_stashed = is_kept();
  pass_on_unstored();  // which may keep the message, too
  if (is_stashed) {  // the stash owns the message now; it counts as neither handled nor failed yet
    extras().stash.after_handler(*this);
    return clear_current();
  }
  ++thread().counters.handled;
  finish(envelope);
}

[[gnu::noinline]] void Activation::on_handler_failed(Envelope* envelope, FailurePtr failure) {
  if (!failure) failure = nameless_failure();
  thread().over_limit = {};
  end_continued();
  if (!is_kept()) ++thread().counters.failed;
  Recovery::fail(*this, std::move(failure), Phase::receive);
  pass_on_unstored();
  if (CellExtras* const extras = find_extras()) extras->stash.after_handler(*this);
  finish(envelope);
}

// The handler has succeeded, and a failure was reported. It counts only if the handler has asked
// for more than its plugin may have.
[[gnu::noinline]] bool Activation::fails_after_all(Envelope* envelope) {
  FailurePtr reported = std::move(thread().handler_errors.failure);
  if (!thread().over_limit) return false;
  on_handler_failed(envelope, std::move(reported));
  return true;
}

void Activation::on_unhandled(Envelope* envelope) {
  ++thread().counters.undelivered;
  if (environment().debug.unhandled.load(base::relaxed))
    log_message("actor.unhandled", "unhandled message");
  if (message_type == environment().builtin.terminated) {
    const std::string what =
        thread().path(sender) + " terminated, and this actor has no handler for Terminated";
    Recovery::fail(*this, builtin_failure(causes::death_pact, what), Phase::receive);
  } else {
    environment().undelivered(thread(), {self, sending_actor(), message_type,
                                         Undelivered::unhandled, envelope->payload()});
  }
  finish(envelope);
}

void Activation::on_tick(Envelope* tick) {
  if (Redelivery::is_place(*tick)) [[unlikely]]
    return redeliver(tick);
  const std::uint64_t token = tick->token();
  ++thread().counters.obsolete;
  set_current(tick);
  finish(tick);
  if (token::kind_of(token) == token::Kind::ask) return on_ask_timeout(token);
  ActorTimers& timers = extras().timers;
  Envelope* const due = token::kind_of(token) == token::Kind::key
                            ? timers.fire(*this, token::rest_of(token))
                            : timers.fire_receive_timeout(*this, token);
  if (due == nullptr) return;
  if (!thread().begins_trace()) return dispatch(due);
  handle_in_span(due, thread().new_trace());
}

// ---- answers ------------------------------------------------------------------------------------

void Activation::on_reply(Envelope* envelope) {
  CellExtras* const extras = find_extras();
  const std::uint64_t token = envelope->token();
  set_current(envelope);
  if (extras == nullptr || !extras->asks.is_waiting_for(token)) {
    // The ask has been answered, it timed out, its incarnation is gone, or a former tenant asked.
    const bool is_own = extras != nullptr && extras->asks.has_waited_for(token);
    const Ref recipient = is_own ? self : make_answer_ref(index_of(self), token);
    ++thread().counters.undelivered;
    void* const content = envelope->has(Envelope::failure) ? nullptr : envelope->payload();
    environment().undelivered(
        thread(), {recipient, envelope->sender, envelope->type(), Undelivered::timeout, content});
    return finish(envelope);
  }
  const Ask ask = extras->asks.take_answered(*this, token);
  FailurePtr ask_failure;
  if (envelope->has(Envelope::failure)) {
    Failure* failure;
    std::memcpy(&failure, envelope->payload(), sizeof failure);
    ask_failure = FailurePtr(failure);
  } else if (environment().types.has_further_layouts()) [[unlikely]] {
    envelope = translated_answer(envelope, ask_failure);
  }
  complete_ask(ask, ask_failure);
  finish(envelope);
}

void Activation::on_ask_timeout(std::uint64_t token) {
  Asks& asks = extras().asks;
  if (!asks.is_waiting_for(token)) return;
  const FailurePtr failure = asks.timeout_failure(*this, token);
  complete_ask(asks.take_timed_out(*this, token), failure);
  clear_current();
}

// The answer is the current message; after a timeout there is none.
void Activation::complete_ask(const Ask& ask, const FailurePtr& ask_failure) {
  extras().timers.note_answer(*this);
  if (ask_failure) message = nullptr, message_type = 0;
  FailurePtr failure = Asks::complete(*this, ask, ask_failure);
  if (current() != nullptr) ++(failure ? thread().counters.failed : thread().counters.handled);
  if (!failure) return pass_on_unstored();
  Envelope* const failed_answer = ask_failure ? current() : nullptr;
  // The envelope holds a failure, not a user message. mark_kept() keeps the episode from taking it.
  if (failed_answer != nullptr) mark_kept();
  Recovery::fail(*this, std::move(failure), Phase::receive);
  pass_on_unstored();
  if (failed_answer != nullptr) set_current(failed_answer);
}

// ---- what an actor asks for ---------------------------------------------------------------------

void Activation::stop(Ref whom) {
  if (whom == self) return stop_self(StopReason::stopped, self);
  if (Cell* const child = find_child(*this, whom))
    return stop_child(*this, *child, StopReason::parent);
  thread().send_system(whom, SystemMessage::terminate(StopReason::stopped, {}, false, self));
}

// ---- system messages ----------------------------------------------------------------------------

// Supervision itself can run out of memory. The failure then cannot be handled as usual, and the
// actor is stopped (supervision.md 63).
template <class Call>
inline void Activation::safely(Call&& call) {
  try {
    call();
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    Recovery::emergency_stop(*this);
  }
}

// A stop that is due is carried out alone. The next call takes the other system messages, oldest
// first.
bool Activation::handle_system_messages() {
  Envelope* list = nullptr;
  if (is_stop_due()) {
    const Deferral before = deferral_of(cell().life);
    safely([this] {
      const DueStop due = take_due_stop();
      Termination::terminate(*this, due.reason, {}, false, due.by);
    });
    if (cell().life.stage() == Stage::terminated) {
      Termination::notify_parent_and_watchers(*this);
      return false;
    }
    list = with_deferred(nullptr, before);
  } else {
    list = cell().system.take_all();
  }
  while (list != nullptr) {
    Envelope* const envelope = list;
    list = envelope->next;
    if (envelope->target_generation != generation_of(self)) [[unlikely]] {
      thread().answer_for_terminated(make_ref(index_of(self), envelope->target_generation),
                                     envelope);
      continue;
    }
    const Deferral before = deferral_of(cell().life);
    SystemMessage& received = system_message_in(*envelope);
    if (before != Deferral::nothing && must_defer(received.kind, before)) {
      if (received.kind == SystemMessage::Kind::order)
        static_cast<Order*>(received.request)->was_deferred = true;
      extras().deferred.defer(envelope, before);
      continue;
    }
    safely([&] {
      handle(received);
      pass_on_unstored();
    });
    thread().drop(envelope);
    if (cell().life.stage() == Stage::terminated) {
      while (list != nullptr) thread().answer_for_terminated(self, std::exchange(list, list->next));
      Termination::notify_parent_and_watchers(*this);
      return false;
    }
    if (before != Deferral::nothing) list = with_deferred(list, before);
  }
  return true;
}

// The deferred messages are older than `list`. They are released when less than `before` has to
// wait.
Envelope* Activation::with_deferred(Envelope* list, Deferral before) {
  CellExtras* const extras = find_extras();
  if (extras == nullptr || deferral_of(cell().life) >= before) return list;
  return extras->deferred.release_before(list);
}

void Activation::handle(SystemMessage& received) {
  using Kind = SystemMessage::Kind;
  if (received.kind == Kind::child_terminated) {  // the most frequent: one for each actor
    // The parent must count the child out even if there is no memory for a Terminated.
    if (find_extras() != nullptr) safely([&] { on_terminated(received); });
    return on_child_terminated(received.subject);
  }
  FailurePtr failure = FailurePtr::adopt(std::exchange(received.failure, nullptr));
  const bool is_collateral = received.has(SystemMessage::collateral);
  switch (received.kind) {
    case Kind::suspend: return Recovery::suspend(*this);
    case Kind::resume: return Recovery::resume(*this, std::move(failure), received.token());
    case Kind::recreate:
      return Recovery::recreate(*this, std::move(failure), received.delay_ns(), is_collateral);
    case Kind::terminate:
      return Termination::terminate(*this, received.reason, std::move(failure), is_collateral,
                                    received.subject);
    case Kind::failed: return supervisor::on_failed(*this, received.subject, std::move(failure));
    case Kind::child_terminated: return;  // handled above
    case Kind::terminated: return on_terminated(received);
    case Kind::watch: return extras().death_watch.add(*this, {received.subject, received.token()});
    case Kind::unwatch: return on_unwatch(received);
    case Kind::stop_child: return stop(received.subject);
    case Kind::backoff_over: return Recovery::on_backoff_over(*this, received.token());
    case Kind::subtree_started: return on_subtree_started(received.subject);
    case Kind::start_child:
      return StartSequence::start_requested(*this, static_cast<StartRequest&>(*received.request));
    case Kind::spawn: return spawn_requested(*this, static_cast<SpawnRequest&>(*received.request));
    case Kind::count: return answer_census(*this, static_cast<Census&>(*received.request));
    case Kind::inspect:
      return answer_inspection(*this, static_cast<Inspection&>(*received.request));
    case Kind::order: return obey(*this, static_cast<Order&>(*received.request));
    case Kind::reconfigure:
      return reconfigurer::reconfigure(*this, static_cast<Reconfiguration&>(*received.request),
                                       received.node(), received.has(SystemMessage::with_parent));
    case Kind::wait_for_room:
      return extras().room.wait_for(*this, received.subject, received.delay_ns());
    case Kind::room_wanted: return extras().room.on_wanted(*this, received.subject);
    case Kind::room: return extras().room.on_room(*this, received.subject, received.token());
    case Kind::instance_lost:
      return Recovery::on_instance_lost(*this, std::move(failure), received.token());
    case Kind::journal: return on_journal(received);
    case Kind::handled: return on_credit(*this, received.subject);
  }
}

// Another actor has stopped. With a token the notice answers an ask of this actor; without one this
// actor may watch the other.
void Activation::on_terminated(const SystemMessage& notice) {
  CellExtras* const extras = find_extras();
  if (extras == nullptr) return;
  const std::uint64_t token = notice.token();
  const bool is_expected = token != 0 ? extras->asks.is_waiting_for(token)
                                      : extras->death_watch.announce(*this, notice.subject);
  if (is_expected) DeathWatch::put_terminated(*this, notice);
}

// First removes the child from the parent's data, then calls the behaviour's hook, then goes on
// with what waited for the child: the start sequence, a restart or the end of this actor.
void Activation::on_child_terminated(Ref ref) {
  Cell* const child = find_child(*this, ref);
  if (child == nullptr) return;
  CellPool& cells = environment().cells;
  if (child->has(Cell::routee)) [[unlikely]]
    environment().routes.remove(cell(), ref);
  cell().children->remove(cells, *child);
  if (!child->name.is_generated()) environment().unlist_by_name(*child);
  if (child->stats != nullptr) delete std::exchange(child->stats, nullptr);
  const bool is_helper = child->has(Cell::helper);
  thread().retire(*child);
  if (!is_helper) on_child_terminated_hook(ref);
  if (CellExtras* const extras = find_extras()) {
    StartSequence& sequence = extras->start_sequence;
    if (sequence.awaits(ref)) sequence.start_next(*this);
    else sequence.unblock(*this);  // the sequence may wait for the child's name
  }
  if (dying_children_of(cell()) != 0) return;
  switch (cell().life.stage()) {
    case Stage::recreating:
    case Stage::creating: return Recovery::recreate_when_ready(*this);
    case Stage::terminating: return Termination::finish(*this);
    default: return;
  }
}

[[gnu::always_inline]] inline void Activation::on_child_terminated_hook(Ref child) {
  const auto hook = table().child_terminated;
  if (hook == nullptr || cell().instance == nullptr) return;
  sender = child;
  FailurePtr failure = call_plugin([&](actord_context* context, actord_errors* errors) {
    return hook(cell().instance, context, child, errors);
  });
  clear_current();
  if (!failure) return;
  if (cell().life.stage() == Stage::running)
    Recovery::fail(*this, std::move(failure), Phase::child_terminated);
  else log().hook_failed("actor.child_terminated-failed", *failure, Phase::child_terminated);
}

void Activation::on_unwatch(const SystemMessage& request) {
  if (CellExtras* const extras = find_extras())
    extras->death_watch.remove(*this, {request.subject, request.token()});
}

void Activation::on_subtree_started(Ref child) {
  CellExtras* const extras = find_extras();
  if (extras != nullptr && extras->start_sequence.awaits(child))
    extras->start_sequence.start_next(*this);
}

}  // namespace actord::actor
