// SPDX-License-Identifier: Apache-2.0
//
// What one worker has of its own: blocks, an emitter, chance, and the ways to send. A thread that
// is no worker uses the system's external ThreadState, under its lock.
#pragma once

#include "actor/envelope_list.hpp"
#include "actor/environment.hpp"
#include "actor/send_buffer.hpp"
#include "base/random.hpp"

namespace actord::actor {

/// Messages by fate; for checks at rest. Written by the owner.
struct MessageCounters {
  std::uint64_t sent = 0;         // envelopes pushed or refused
  std::uint64_t handled = 0;      // a handler returned
  std::uint64_t failed = 0;       // a handler failed on it
  std::uint64_t undelivered = 0;  // dead letters, unhandled ones too
  std::uint64_t obsolete =
      0;  // obsolete by design: stale ticks, unwatched Terminated, late replies

  MessageCounters& operator+=(const MessageCounters& other) noexcept {
    sent += other.sent;
    handled += other.handled;
    failed += other.failed;
    undelivered += other.undelivered;
    obsolete += other.obsolete;
    return *this;
  }
  std::uint64_t ended() const noexcept { return handled + failed + undelivered + obsolete; }
};

class ThreadState {
 public:
  /// `worker` is null for the external one.
  ThreadState(Environment& environment, sched::Worker* worker, log::Emitter& emitter,
              std::uint64_t seed);
  ~ThreadState();
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;

  // ---- user mail ----
  /// Moves *message into an envelope and sends it. What cannot be delivered becomes a dead letter.
  void tell(Ref to, message::TypeId type, void* message, Ref sender);
  /// The same with a token: an ask.
  void tell(Ref to, message::TypeId type, void* message, Ref sender, std::uint32_t flags,
            std::uint64_t token);
  /// Moves *message into an envelope of the caller's.
  Envelope* wrap(message::TypeId type, void* message, Ref sender);
  /// Sends a filled envelope, which is given away.
  void push(Ref to, Envelope* envelope);
  /// The same for what a bounded mailbox must not refuse (supervision.md 130).
  void push_always(Ref to, Envelope* envelope);
  /// Of this worker in Cell::falling_behind; 31 are told apart.
  std::uint8_t mark() const noexcept { return mark_; }
  /// Whether somebody lives there.
  bool is_taking_mail(Ref to) const noexcept;
  /// A tick of a timer of `to`.
  void tick(Ref to, std::uint64_t token);

  // ---- time ----
  std::int64_t now_ns() const { return environment.executor.now_ns(); }
  /// A timer of `delay_ns`, or a little more: as long as it takes this worker to look at the clock.
  [[gnu::always_inline]] sched::TimerHandle timer_after(std::int64_t delay_ns, Ref owner,
                                                        std::uint64_t token) {
    if (!worker_fires_) return timers.add(now_ns() + delay_ns, owner, token);
    worker->leans_on_others();
    return timers.add_after(delay_ns, owner, token);
  }
  sched::TimerHandle timer_at(std::int64_t due_ns, Ref owner, std::uint64_t token) {
    if (worker_fires_) worker->leans_on_others();
    return timers.add(due_ns, owner, token);
  }
  /// If it has not fired.
  void cancel(sched::TimerHandle timer) {
    if (timer.wheel == &timers) [[likely]]
      timers.cancel(timer);
    else if (timer.wheel != nullptr) timer.wheel->cancel_as_other(timer);
  }

  // ---- system mail ----
  /// The message's failure and request are given away.
  void send_system(Ref to, const SystemMessage& message);
  void drop(Envelope* system_envelope) {
    const SystemMessage& message = system_message_in(*system_envelope);
    if (message.failure != nullptr || message.request != nullptr) [[unlikely]]
      drop_content(message);
    free_block(system_envelope);
  }
  /// Answers a system message whose receiver has terminated, and frees it.
  void refuse_system(Ref dead, Envelope* system_envelope);

  [[gnu::noinline]] void schedule(Cell& cell) {
    const std::uint16_t dispatcher = cell.dispatcher.load(base::relaxed);
    if (dispatcher == home_) [[likely]]
      worker->schedule(&cell);
    else environment.dispatcher(dispatcher).inject(&cell);
  }

  // ---- ends of user mail ----
  /// Answers the ask of that token with a failure.
  void refuse(Ref asker, std::uint64_t token, Ref answerer, FailurePtr failure);
  /// Answers an Identify: `who`, or nobody, lives where it was sent.
  void identify(Envelope& question, Ref who);
  /// Sends a copy of the message; false if it cannot be copied.
  bool tell_copy(Ref to, message::TypeId type, const void* message, Ref sender);
  /// Undeliverable: tells whoever wants to know, answers an ask with a failure, and destroys it.
  void send_to_dead_letters(Ref recipient, Envelope* envelope, Undelivered reason);
  /// Destroys the payload alone; most have nothing to be destroyed.
  void clear(Envelope* envelope) {
    if (envelope->has(Envelope::managed | Envelope::outside | Envelope::refusal)) [[unlikely]]
      clear_payload(envelope);
  }
  /// All of them, because their recipient has stopped.
  void send_all_to_dead_letters(Ref recipient, EnvelopeList& list) {
    for (Envelope* envelope = list.take(); envelope != nullptr;)
      send_to_dead_letters(recipient, std::exchange(envelope, envelope->next),
                           Undelivered::stopped);
  }
  void discard(Envelope* envelope);  // payload and block

  Envelope* take_block() { return envelopes_.take(); }
  void free_block(Envelope* envelope) { envelopes_.give(envelope); }
  /// Of an envelope that may be a packet, which is empty.
  void free_any_block(Envelope* envelope) {
    if (envelope->has(Envelope::packet)) [[unlikely]]
      blocks.give(envelope, base::block_of<message::Packet>);
    else envelopes_.give(envelope);
  }

  // ---- handlers that send much ----
  /// What is in a packet, as a list; the packet's own block remains the caller's.
  EnvelopeList unpack(message::Packet& packet);
  void begin_handler() noexcept { burst_end_ = counters.sent + burst_; }
  void end_handler() {
    const bool has_collected = counters.sent > burst_end_;
    burst_end_ = SendBuffer::never;
    if (has_collected) [[unlikely]]
      empty_send_buffer();
    ACTORD_DEBUG_ASSERT(send_buffer_.is_empty());
  }
  /// sched::Hooks::relieve for ThreadStates: sends what a handler that goes on has collected.
  static void relieve(void* of_worker, void* of_stuck_worker);
  std::size_t resting_blocks() const noexcept { return envelopes_.resting(); }

  /// What actors built alike share; `keeps_args`: each with arguments of its own. An error if that
  /// behaviour cannot be had.
  base::Result<Props*> shared_props(const actord_behaviour& table, Props::Create create,
                                    bool keeps_args, const Behaviour& spawner) {
    const Recipe& known = recipe_at(table, create);
    if (known.table == &table && known.create == create && known.props->keeps_args == keeps_args)
        [[likely]]
      return known.props;
    return find_shared_props(table, create, keeps_args, spawner);
  }

  /// Null if there can be no more.
  Cell* take_cell();
  void retire(Cell& cell);

  std::string path(Ref ref) const { return environment.cells.path(ref); }
  /// Unique in this run of the system; each worker takes them in blocks.
  std::uint64_t next_failure_id() {
    constexpr std::uint64_t block = 256;
    if (next_failure_ % block == 0) [[unlikely]]
      next_failure_ = environment.reserve_failure_ids(block);
    return next_failure_++ + 1;
  }

  Environment& environment;
  sched::Worker* const worker;
  sched::TimerWheel& timers;  // for those who are set here
  log::Emitter& log;
  base::Random random;
  MessageCounters counters;
  base::BlockPool blocks;
  FailureRecorder recorder;
  ErrorReceiver handler_errors{recorder};  // of the handler under way; empty between two
  // The overloaded actor that yielded here last, and when; only compared.
  const Cell* overloaded = nullptr;
  std::int64_t overloaded_since_ns = 0;
  const actord_context* running = nullptr;  // the activation under way, for a crash record

 private:
  Cell* find(Ref ref) const noexcept {
    // One comparison for 0, which is nobody, and for what was never ours to give.
    if (index_of(ref) - 1 >= last_cell_) [[unlikely]]
      return nullptr;
    Cell& cell = cells_[index_of(ref)];
    const std::uint32_t generation = generation_of(ref);
    return cell.generation.load(base::relaxed) == generation && generation != 0 ? &cell : nullptr;
  }
  void clear_payload(Envelope* envelope);
  void drop_content(const SystemMessage& message);
  void tell_any(Ref to, message::TypeId type, void* message, Ref sender);
  void push_if_admitted(Ref to, Envelope* envelope);
  void collect(Cell& cell, Ref to, Envelope* envelope);
  void empty_send_buffer();
  template <class... Message>
  void buffer(Ref to, Message... message);
  void stop_collecting() noexcept;
  // False: not yet again, and nobody asks before.
  bool may_collect() noexcept {
    if (counters.sent >= collects_from_) [[likely]]
      return true;
    burst_end_ = collects_from_;
    return false;
  }
  void tell_more(Ref to, message::TypeId type, void* message, Ref sender);
  void send(message::Packet* packet, EnvelopeList& refused);
  void send_to_dead_letters(EnvelopeList& refused);
  void deliver(Cell& cell, Ref to, Envelope* envelope);

  // What every message needs, without the way through the environment and the worker.
  const std::uint32_t home_;   // the worker's dispatcher; of the external one like no other
  const bool worker_fires_;    // its own timers
  const std::uint64_t burst_;  // messages that a handler sends at once, before it collects them
  // where that ends, in MessageCounters::sent; while in a handler
  std::uint64_t burst_end_ = SendBuffer::never;
  std::uint64_t collects_from_ = 0;  // not before, as it has been for nothing
  const std::uint8_t mark_;
  Cell* const cells_;
  const std::uint32_t last_cell_;
  const message::MessageType* const types_;
  message::EnvelopePool envelopes_;
  std::uint64_t next_failure_ = 0;
  base::Magazine fresh_cells_, dead_cells_;

  // What was spawned lately, by what code names.
  struct Recipe {
    const actord_behaviour* table = nullptr;
    Props::Create create = nullptr;
    Props* props = nullptr;
  };
  static constexpr unsigned recipe_bits = 5;
  Recipe& recipe_at(const actord_behaviour& table, Props::Create create) {
    const auto key =
        reinterpret_cast<std::uintptr_t>(&table) ^ reinterpret_cast<std::uintptr_t>(create) << 1;
    return recipes_[key * 0x9e3779b97f4a7c15 >> (64 - recipe_bits)];
  }
  base::Result<Props*> find_shared_props(const actord_behaviour& table, Props::Create create,
                                         bool keeps_args, const Behaviour& spawner);
  std::array<Recipe, 1u << recipe_bits> recipes_;
  SendBuffer send_buffer_;
};

// The message path, in the header: plugins send through one call into the host table, and that call
// is all of it.

inline Envelope* ThreadState::wrap(message::TypeId type, void* message, Ref sender) {
  const message::MessageType& of = types_[type];
  Envelope* envelope;
  if (of.fits_small) [[likely]] {
    envelope = envelopes_.take_small();
    message::fill_small(*envelope, type, of, message);
  } else {
    envelope = envelopes_.take();
    message::fill(*envelope, type, of, message);
  }
  envelope->sender = sender;
  return envelope;
}

// `sender_flags`: the acquire in tell(), push(), push_always() and tell_more() pairs with the
// release in Recovery::start_backoff(): whoever sees `backing_off` sees the room that goes with
// it. `bounded` is set before anybody has the tenant's ref, and comes with it.

inline void ThreadState::tell(Ref to, message::TypeId type, void* message, Ref sender) {
  if (!types_[type].is_word || !envelopes_.has_small()) [[unlikely]]
    return tell_any(to, type, message, sender);
  if (counters.sent >= burst_end_) [[unlikely]]
    return tell_more(to, type, message, sender);
  Envelope* const envelope = envelopes_.take_small();
  envelope->type_and_flags = type | Envelope::small;
  std::memcpy(envelope->bytes, message, Envelope::small_inline_size);
  envelope->sender = sender;
  ++counters.sent;
  Cell* const cell = find(to);
  if (cell == nullptr || cell->sender_flags.load(base::acquire) != 0) [[unlikely]]
    return push_if_admitted(to, envelope);
  deliver(*cell, to, envelope);
}

inline void ThreadState::push(Ref to, Envelope* envelope) {
  ++counters.sent;
  Cell* const cell = find(to);
  if (cell == nullptr || cell->sender_flags.load(base::acquire) != 0) [[unlikely]]
    return push_if_admitted(to, envelope);
  if (counters.sent > burst_end_) [[unlikely]]
    return collect(*cell, to, envelope);
  deliver(*cell, to, envelope);
}

inline void ThreadState::deliver(Cell& cell, Ref to, Envelope* envelope) {
  envelope->target_generation = generation_of(to);
  switch (cell.mailbox.push(envelope)) {
    case MailboxWord::Pushed::queued: return;
    case MailboxWord::Pushed::schedule: return schedule(cell);
    case MailboxWord::Pushed::closed:
      return send_to_dead_letters(to, envelope, Undelivered::stopped);
  }
}

}  // namespace actord::actor
