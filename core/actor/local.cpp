// SPDX-License-Identifier: Apache-2.0
#include "actor/local.hpp"

#include "actor/spawn_request.hpp"

namespace actord::actor {

std::string_view name_of(Undelivered reason) noexcept {
  constexpr std::string_view names[] = {"no-actor",     "stopped", "mailbox-full",
                                        "backoff-full", "timeout", "unhandled"};
  return names[static_cast<std::size_t>(reason)];
}

std::string_view name_of(StopReason reason) noexcept {
  constexpr std::string_view names[] = {"stopped",  "parent",       "poison", "killed",
                                        "failed",   "init-failed",  "limit",  "restart",
                                        "shutdown", "no-such-actor"};
  return names[static_cast<std::size_t>(reason)];
}

Local::Local(Environment& environment_, sched::Worker* worker_, log::Emitter& emitter,
             std::uint64_t seed)
    : environment(environment_),
      worker(worker_),
      log(emitter),
      random(seed),
      envelopes_(environment_.envelopes) {}

Local::~Local() {
  environment.cells.retire(dead_cells_);
  environment.cells.retire(fresh_cells_);
}

Cell* Local::find(Ref ref) const noexcept {
  if (generation_of(ref) == 0 || !environment.cells.is_index(index_of(ref))) [[unlikely]]
    return nullptr;
  Cell& cell = environment.cells.at(index_of(ref));
  return cell.generation.load(base::relaxed) == generation_of(ref) ? &cell : nullptr;
}

// ---- user mail ----------------------------------------------------------------------------------

void Local::tell(Ref to, message::TypeId type, void* message, Ref sender, std::uint32_t flags,
                 std::uint64_t token) {
  Envelope* const envelope = take_block();
  message::fill(*envelope, type, environment.types.at(type), message, flags, token);
  envelope->sender = sender;
  push(to, envelope);
}

void Local::push(Ref to, Envelope* envelope) {
  ++fates.sent;
  Cell* const cell = find(to);
  if (cell == nullptr) [[unlikely]]
    return bury(to, envelope, Undelivered::no_actor);
  if (cell->sender_flags.load(base::acquire) != 0) [[unlikely]] {
    if (!admit(*cell, to, envelope)) return;
  }
  deliver(*cell, to, envelope);
}

void Local::push_always(Ref to, Envelope* envelope) {
  ++fates.sent;
  Cell* const cell = find(to);
  if (cell == nullptr) return bury(to, envelope, Undelivered::no_actor);
  // Whoever takes it out of a bounded mailbox gives a place back: take one, even if there is none.
  if (cell->sender_flags.load(base::acquire) != 0) cell->room.fetch_sub(1, base::relaxed);
  deliver(*cell, to, envelope);
}

void Local::deliver(Cell& cell, Ref to, Envelope* envelope) {
  envelope->target_generation = generation_of(to);
  switch (cell.mailbox.push(envelope)) {
    case MailboxWord::Pushed::queued: return;
    case MailboxWord::Pushed::schedule: return schedule(cell);
    case MailboxWord::Pushed::closed: return bury(to, envelope, Undelivered::stopped);
  }
}

bool Local::is_taking_mail(Ref to) const noexcept {
  const Cell* const cell = find(to);
  return cell != nullptr && !cell->mailbox.is_closed();
}

bool Local::admit(Cell& cell, Ref to, Envelope* envelope) {
  if (cell.room.fetch_sub(1, base::relaxed) > 0) return true;
  cell.room.fetch_add(1, base::relaxed);
  const bool is_backing_off = (cell.sender_flags.load(base::relaxed) & Cell::backing_off) != 0;
  bury(to, envelope, is_backing_off ? Undelivered::backoff_full : Undelivered::mailbox_full);
  return false;
}

void Local::tick(Ref to, std::uint64_t token) {
  Envelope* const envelope = take_block();
  envelope->type_and_flags = Envelope::tick | Envelope::correlated;
  envelope->sender = nobody;
  std::memcpy(envelope->bytes, &token, sizeof token);
  push_always(to, envelope);
}

void Local::bury(Ref recipient, Envelope* envelope, Undelivered reason) {
  const bool is_own = envelope->has(Envelope::tick) || envelope->has(Envelope::reply);
  if (is_own) {  // nobody asked for a tick or an answer that comes too late
    ++fates.void_;
    return discard(envelope);
  }
  const message::TypeId type = envelope->type();
  if (type == environment.builtin.identify) {  // supervision.md 145: nobody is an answer too
    ++fates.void_;
    identify(*envelope, nobody);
    return discard(envelope);
  }
  ++fates.undelivered;
  environment.undelivered(*this, {recipient, envelope->sender, type, reason});
  if (envelope->has(Envelope::ask)) {
    FailurePtr failure{new Failure};
    failure->types = &environment.chains.intern({"actord::NoRecipient", "actord::Failure"});
    failure->what = std::string{environment.types.name(type)} + " did not reach " +
                    path(recipient) + ": " + std::string{name_of(reason)};
    refuse(envelope->sender, envelope->token(), recipient, std::move(failure));
  }
  discard(envelope);
}

void Local::refuse(Ref asker, std::uint64_t token, Ref answerer, FailurePtr failure) {
  Envelope* const answer = take_block();
  answer->type_and_flags = Envelope::reply | Envelope::refusal | Envelope::correlated;
  answer->sender = answerer;
  Failure* const pointer = failure.release();
  std::memcpy(answer->bytes, &token, sizeof token);
  std::memcpy(answer->bytes + sizeof token, &pointer, sizeof pointer);
  push_always(asker, answer);
}

void Local::identify(Envelope& question, Ref who) {
  if (question.sender == nobody) return;
  const bool is_ask = question.has(Envelope::ask);
  const std::uint32_t flags = is_ask ? Envelope::reply | Envelope::correlated : 0u;
  const message::TypeId type = environment.builtin.actor_identity;
  Envelope* const answer = take_block();
  void* const at = message::prepare(*answer, type, environment.types.at(type), flags,
                                    is_ask ? question.token() : 0);
  environment.construct_identity(at, question.payload(), who);
  answer->sender = who;
  if (is_ask) push_always(question.sender, answer);
  else push(question.sender, answer);
}

bool Local::tell_copy(Ref to, message::TypeId type, const void* message, Ref sender) {
  const message::MessageType& of = environment.types.at(type);
  Envelope* const envelope = take_block();
  void* const at = message::prepare(*envelope, type, of);
  Reports reports(environment.chains, environment.types);
  if (of.is_trivial) {
    std::memcpy(at, message, of.size);
  } else if (of.table->copy(at, message, &reports) != ACTORD_OK) {
    if (envelope->has(Envelope::outside)) ::operator delete (at, std::align_val_t{of.table->align});
    free_block(envelope);
    return false;
  }
  envelope->sender = sender;
  push(to, envelope);
  return true;
}

void Local::clear(Envelope* envelope) {
  if (envelope->has(Envelope::refusal)) {
    Failure* failure;
    std::memcpy(&failure, envelope->payload(), sizeof failure);
    failure->drop();
  } else if (const message::TypeId type = envelope->type(); type != 0) [[likely]] {
    message::clear(*envelope, environment.types.at(type));
  }
}

void Local::discard(Envelope* envelope) {
  clear(envelope);
  free_block(envelope);
}

// ---- system mail --------------------------------------------------------------------------------

void Local::order(Ref to, Order order, SystemBody body) {
  Envelope* const envelope = take_block();
  envelope->type_and_flags = static_cast<std::uint32_t>(order);
  envelope->target_generation = generation_of(to);
  ::new (static_cast<void*>(envelope->bytes)) SystemBody(body);
  Cell* const cell = find(to);
  if (cell == nullptr || !cell->system.push(envelope)) [[unlikely]]
    return refuse_order(to, envelope);
  if (cell->mailbox.unpark_for_system()) schedule(*cell);
}

void Local::drop(Envelope* envelope) {
  const SystemBody& body = body_of(*envelope);
  if (body.failure != nullptr) body.failure->drop();
  if (body.request != nullptr) body.request->drop();
  free_block(envelope);
}

void Local::refuse_order(Ref dead, Envelope* envelope) {
  // Not always the tenant that refuses it: this may have been meant for a former one.
  dead = make_ref(index_of(dead), envelope->target_generation);
  const SystemBody& body = body_of(*envelope);
  if (order_of(*envelope) == Order::watch) {
    SystemBody notice;
    notice.subject = dead;
    notice.reason = StopReason::no_such_actor;
    notice.number = body.number;
    order(body.subject, Order::terminated, notice);
  } else if (order_of(*envelope) == Order::spawn) {
    body.request->answer(nobody, "the system is shutting down: no actor can be created");
  }
  drop(envelope);
}

// ---- cells --------------------------------------------------------------------------------------

Cell* Local::take_cell() {
  if (fresh_cells_.count == 0 && !environment.cells.refill(fresh_cells_)) [[unlikely]]
    return nullptr;
  return static_cast<Cell*>(fresh_cells_.blocks[--fresh_cells_.count]);
}

void Local::retire(Cell& cell) {
  if (dead_cells_.count == base::magazine_size) [[unlikely]]
    environment.cells.retire(dead_cells_);
  dead_cells_.blocks[dead_cells_.count++] = &cell;
}

}  // namespace actord::actor
