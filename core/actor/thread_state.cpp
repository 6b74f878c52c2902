// SPDX-License-Identifier: Apache-2.0
#include "actor/thread_state.hpp"

namespace actord::actor {

std::string_view name_of(StopReason reason) noexcept {
  constexpr std::string_view names[] = {"stopped",       "parent",      "poison", "killed",
                                        "failed",        "init-failed", "limit",  "shutdown",
                                        "no-such-actor", "config"};
  return names[static_cast<std::size_t>(reason)];
}

namespace {
// True if the worker fires the timers of its own wheel. All other threads use the executor's wheel.
bool fires_timers(const sched::Worker* worker) {
  return worker != nullptr && worker->home().fires_timers();
}
}  // namespace

// Messages are collected only where another worker can send them while a handler is stuck.
std::uint64_t ThreadState::burst_of(const sched::Worker* worker) noexcept {
  return worker != nullptr && worker->home().flushes_stuck() ? SendBuffer::burst
                                                             : SendBuffer::never;
}

ThreadState::ThreadState(Environment& environment_, sched::Worker* worker_, log::Emitter& emitter,
                         std::uint64_t seed)
    : environment(environment_),
      worker(worker_),
      timers(fires_timers(worker_) ? worker_->timers : environment_.executor.timers()),
      log(emitter),
      random(seed),
      blocks(environment_.blocks),
      recorder(environment_.chains, environment_.types),
      dispatcher_id_(worker_ != nullptr ? worker_->home().id() : UINT32_MAX),
      worker_fires_(fires_timers(worker_)),
      burst_(burst_of(worker_)),
      overload_mark_(
          worker_ != nullptr ? static_cast<std::uint8_t>((worker_->index() % 31 + 1) << 3) : 0),
      cells_(&environment_.cells.at(0)),
      last_cell_(environment_.cells.last_index()),
      types_(&environment_.types.at(0)),
      envelopes_(environment_.envelopes) {}

ThreadState::~ThreadState() {
  ACTORD_ASSERT(!is_busy() && !handler_errors.failure && send_buffer_.is_empty());
  environment.cells.retire(dead_cells_);
  environment.cells.retire(fresh_cells_);
}

// ---- user messages ------------------------------------------------------------------------------

void ThreadState::tell(Ref to, message::TypeId type, void* message, Ref sender, std::uint32_t flags,
                       std::uint64_t token) {
  Envelope* const envelope = take_block();
  message::fill(*envelope, type, environment.types.at(type), message, flags, token);
  envelope->sender = sender;
  push(to, envelope);
}

void ThreadState::tell_slow(Ref to, message::TypeId type, void* message, Ref sender) {
  push(to, wrap(type, message, sender));
}

void ThreadState::push_always(Ref to, Envelope* envelope) {
  if (++counters.sent > burst_end_) [[unlikely]] {
    envelope = as_carried(envelope);
    flush_send_buffer();  // the message must not overtake the collected ones
  }
  Cell* const cell = find(to);
  if (cell == nullptr) return push_elsewhere(to, envelope);
  // The receiver adds 1 to `capacity_left` for each message that it takes from a bounded mailbox.
  // So subtract 1 here, even if it is 0.
  // acquire: pairs with the release in Recovery::start_backoff(), which has set it.
  if ((cell->sender_flags.load(base::acquire) & (Cell::bounded | Cell::backing_off)) != 0)
    cell->capacity_left.fetch_sub(1, base::relaxed);
  deliver(*cell, to, envelope);
}

void ThreadState::push_elsewhere(Ref to, Envelope* envelope) {
  if (envelope->has(Envelope::traced)) open_traced(*envelope);
  if (is_answer_ref(to)) return push_answer(to, envelope);
  send_to_dead_letters(to, envelope, Undelivered::no_actor);
}

bool ThreadState::is_mailbox_open(Ref to) const noexcept {
  const Cell* const cell = find(to);
  return cell != nullptr && !cell->mailbox.is_closed();
}

void ThreadState::push_if_admitted(Ref to, Envelope* envelope) {
  Cell* cell = find(to);
  if (cell == nullptr) return push_elsewhere(to, envelope);
  std::uint8_t flags = cell->sender_flags.load(base::relaxed);
  if ((flags & Cell::routing) != 0) {
    const Ref routee = routed(to, message::message_in(*envelope).type());
    if (routee != to) {
      to = routee;
      cell = find(to);
      if (cell == nullptr) return push_elsewhere(to, envelope);
      flags = cell->sender_flags.load(base::relaxed);
    }
  }
  envelope = as_carried(envelope);
  const unsigned overloaded_by = flags & Cell::overload_mark;
  if ((flags & (Cell::bounded | Cell::backing_off)) == 0) {
    if (counters.sent > burst_end_) return collect(*cell, to, envelope);
    if (overloaded_by != 0 && overloaded_by != overload_mark_) base::cpu_relax();
    return deliver(*cell, to, envelope);
  }
  if (counters.sent > burst_end_) flush_send_buffer();
  const std::int32_t left = cell->capacity_left.fetch_sub(1, base::relaxed);
  if (left > 0 || admits_beyond_limit(*cell, to, *envelope, left))
    return deliver(*cell, to, envelope);
  cell->capacity_left.fetch_add(1, base::relaxed);
  const bool is_backing_off = (cell->sender_flags.load(base::relaxed) & Cell::backing_off) != 0;
  send_to_dead_letters(to, envelope,
                       is_backing_off ? Undelivered::backoff_full : Undelivered::mailbox_full);
}

// Routees may be routers themselves. Routers that are each other's routees would send a message
// round for ever, so that it then goes to one of them.
Ref ThreadState::routed(Ref to, message::TypeId type) noexcept {
  constexpr int routers_max = 8;
  if (types_[type].is_builtin) return to;
  for (int i = 0; i < routers_max; ++i) {
    const Ref chosen = environment.routes.choose(to, random);
    if (chosen == to) break;
    to = chosen;
    const Cell* const cell = find(to);
    if (cell == nullptr || (cell->sender_flags.load(base::acquire) & Cell::routing) == 0) break;
  }
  return to;
}

// Messages of actord are no words (MessageType::is_word), and so do not come here.
Ref ThreadState::next_turn(Ref to, message::TypeId type) noexcept {
  const bool has_turns =
      (turns_.router() == to && turns_.go_round()) || environment.routes.begin(turns_, to);
  if (has_turns) {
    const Ref routee = turns_.take();
    const Cell* const cell = find(routee);
    // A routee that is a router itself is found one by one.
    if (cell != nullptr && (cell->sender_flags.load(base::acquire) & Cell::routing) == 0)
      return routee;
    Routes::give_back(turns_);
  }
  return routed(to, type);
}

Envelope* ThreadState::take_tick(std::uint64_t token) {
  Envelope* const envelope = envelopes_.take_small();
  envelope->type_and_flags = Envelope::tick | Envelope::correlated | Envelope::small;
  envelope->sender = nobody;
  std::memcpy(envelope->bytes, &token, sizeof token);
  return envelope;
}

void ThreadState::tick(Ref to, std::uint64_t token) { push_always(to, take_tick(token)); }

bool ThreadState::tell_copy(Ref to, message::TypeId type, const void* message, Ref sender) {
  const message::MessageType& of = environment.types.at(type);
  Envelope* const envelope = take_block();
  void* const at = message::prepare(*envelope, type, of);
  ErrorReceiver errors(recorder);
  if (of.is_trivial) {
    std::memcpy(at, message, of.size);
  } else if (of.table->copy(at, message, &errors) != ACTORD_OK) {
    if (envelope->has(Envelope::outside)) ::operator delete(at, std::align_val_t{of.table->align});
    free_block(envelope);
    return false;
  }
  envelope->sender = sender;
  push(to, envelope);
  return true;
}

void ThreadState::clear_payload(Envelope* envelope) {
  if (envelope->has(Envelope::traced)) {
    discard(message::traced_in(*envelope).content);
  } else if (envelope->has(Envelope::failure)) {
    Failure* failure;
    std::memcpy(&failure, envelope->payload(), sizeof failure);
    failure->drop();
  } else {
    message::clear(*envelope, types_[envelope->type()]);
  }
}

void ThreadState::discard(Envelope* envelope) {
  clear(envelope);
  free_block(envelope);
}

// ---- system messages ----------------------------------------------------------------------------

void ThreadState::send_system(Ref to, const SystemMessage& message) {
  Envelope* const envelope = take_block();
  envelope->type_and_flags = 0;
  envelope->target_generation = generation_of(to);
  ::new (static_cast<void*>(envelope->bytes)) SystemMessage(message);
  Cell* const cell = find(to);
  if (cell == nullptr || !cell->system.push(envelope)) [[unlikely]]
    return answer_for_terminated(to, envelope);
  if (cell->mailbox.unpark_for_system()) schedule(*cell);
}

// ---- spawning -----------------------------------------------------------------------------------

base::Result<Props*> ThreadState::find_shared_props(const actord_behaviour& table,
                                                    Props::Create create, bool keeps_args,
                                                    const Behaviour& spawner) {
  const auto behaviour = environment.behaviour(table, spawner);
  if (!behaviour) return behaviour.error();
  Props& props = (*behaviour)->shared_props(create, keeps_args);
  cached_props_at(table, create) = {&table, create, &props};
  return &props;
}

Cell* ThreadState::take_cell() {
  if (fresh_cells_.count == 0 && !environment.cells.refill(fresh_cells_)) [[unlikely]]
    return nullptr;
  auto* const cell = static_cast<Cell*>(fresh_cells_.blocks[--fresh_cells_.count]);
  // Cells come back after a long time in quarantine. So load the next one into the cache now.
  if (fresh_cells_.count != 0) {
    const auto* const next = static_cast<Cell*>(fresh_cells_.blocks[fresh_cells_.count - 1]);
    __builtin_prefetch(&next->mailbox, 1);
    __builtin_prefetch(&next->system, 1);
  }
  return cell;
}

void ThreadState::retire(Cell& cell) {
  const std::uint16_t dispatcher = cell.dispatcher.load(base::relaxed);
  if (dispatcher != default_dispatcher) [[unlikely]]
    environment.dispatcher(dispatcher).retire(&cell);
  if (dead_cells_.count == base::magazine_size) [[unlikely]]
    environment.cells.retire(dead_cells_);
  dead_cells_.blocks[dead_cells_.count++] = &cell;
}

}  // namespace actord::actor
