// SPDX-License-Identifier: Apache-2.0
//
// What one worker has of its own: memory blocks, a log emitter, a random generator, its message
// counters, and the functions that send messages. Threads that are no workers share the system's
// external ThreadState, under a lock.
//
// Five kinds of its functions are in files of their own: packets.cpp has those for the many
// messages of one handler, answers.cpp those that answer asks, admission.cpp those for mailboxes
// that are full, undelivered.cpp those for messages that cannot be delivered, traces.cpp those for
// messages that belong to a trace.
#pragma once

#include "actor/envelope_list.hpp"
#include "actor/environment.hpp"
#include "actor/send_buffer.hpp"
#include "base/random.hpp"
#include "message/traced_envelope.hpp"

namespace actord::actor {

/// Counts what became of each message. Tests compare sent with ended() when no actor runs. Written
/// by the ThreadState's owner.
struct MessageCounters {
  std::uint64_t sent = 0;    // messages sent, whether delivered or not
  base::OwnerCount handled;  // a handler succeeded, or the runtime itself handled the message
  base::OwnerCount failed;   // a handler failed on it
  // dead letters, unhandled messages, and answers to an ask that has timed out
  base::OwnerCount undelivered;
  // end without a handler by design: ticks, a Terminated after unwatch, an answer or an Identify
  // to an actor that has stopped
  std::uint64_t obsolete = 0;
  base::OwnerCount restarts;  // incarnations of actors beyond the first
  // given to an actor again that had failed on them; they end once more, as if sent once more
  base::OwnerCount redelivered;

  MessageCounters& operator+=(const MessageCounters& other) noexcept {
    sent += other.sent;
    handled += other.handled;
    failed += other.failed;
    undelivered += other.undelivered;
    obsolete += other.obsolete;
    redelivered += other.redelivered;
    restarts += other.restarts;
    return *this;
  }
  std::uint64_t ended() const noexcept { return handled + failed + undelivered + obsolete; }
};

/// A step of a trace: the handling of a message, or what a call of a plugin does for a request from
/// elsewhere.
struct Span {
  message::TraceContext parent;  // its span_id is 0 if the trace begins with this span
  std::int64_t began_ns = 0;
  std::int64_t waited_ns = -1;  // how long the message was under way; -1: there was none
};

class ThreadState {
 public:
  /// `worker` is null for the external ThreadState.
  ThreadState(Environment& environment, sched::Worker* worker, log::Emitter& emitter,
              std::uint64_t seed);
  ~ThreadState();
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;

  // ---- user messages ----
  /// Moves *message into an envelope and sends it. If it cannot be delivered, it becomes a dead
  /// letter.
  void tell(Ref to, message::TypeId type, void* message, Ref sender);
  /// The same with flags and a token: sends an ask.
  void tell(Ref to, message::TypeId type, void* message, Ref sender, std::uint32_t flags,
            std::uint64_t token);
  /// Moves *message into a new envelope, which the caller owns.
  Envelope* wrap(message::TypeId type, void* message, Ref sender);
  /// Sends a filled envelope and takes ownership of it.
  void push(Ref to, Envelope* envelope);
  /// The same for a message that a bounded mailbox must accept even if it is full (supervision.md
  /// 130).
  void push_always(Ref to, Envelope* envelope);
  /// Stands for this worker in Cell::overload_mark; 0 for the external ThreadState. There are 31
  /// other values, so workers 31 apart share one.
  std::uint8_t overload_mark() const noexcept { return overload_mark_; }
  /// True if `to` is an actor whose mailbox is open.
  bool is_mailbox_open(Ref to) const noexcept;
  /// True if the mailbox of `to` is full and fails its senders. It may have room again by now.
  bool refuses(Ref to) const noexcept;
  /// Sends `to` a tick: a timer of its own, named by `token`, has fired.
  void tick(Ref to, std::uint64_t token);

  // ---- time ----
  std::int64_t now_ns() const { return environment.executor.now_ns(); }
  /// Sets a timer. It may fire a little later than in `delay_ns`, by the time until this worker
  /// next reads the clock.
  [[gnu::always_inline]] sched::TimerHandle timer_after(std::int64_t delay_ns, Ref owner,
                                                        std::uint64_t token) {
    if (!worker_fires_) return timers.add(now_ns() + delay_ns, owner, token);
    worker->ensure_watcher();
    return timers.add_after(delay_ns, owner, token);
  }
  sched::TimerHandle timer_at(std::int64_t due_ns, Ref owner, std::uint64_t token) {
    if (worker_fires_) worker->ensure_watcher();
    return timers.add(due_ns, owner, token);
  }
  /// Cancels the timer if it has not fired.
  void cancel(sched::TimerHandle timer) {
    if (timer.wheel == &timers) [[likely]]
      timers.cancel(timer);
    else if (timer.wheel != nullptr) timer.wheel->cancel_as_other(timer);
  }

  // ---- system messages ----
  /// Sends a system message and takes ownership of its failure and its request.
  void send_system(Ref to, const SystemMessage& message);
  /// Frees a system message with its failure and its request.
  void drop(Envelope* system_envelope) {
    const SystemMessage& message = system_message_in(*system_envelope);
    if (message.failure != nullptr || message.request != nullptr) [[unlikely]]
      drop_content(message);
    free_block(system_envelope);
  }
  /// Answers a system message whose receiver has terminated, and frees it.
  void answer_for_terminated(Ref dead, Envelope* system_envelope);

  /// Schedules the cell on its own dispatcher.
  [[gnu::noinline]] void schedule(Cell& cell) {
    const std::uint16_t dispatcher = cell.dispatcher.load(base::relaxed);
    if (dispatcher == dispatcher_id_) [[likely]]
      worker->schedule(&cell);
    else environment.dispatcher(dispatcher).inject(&cell);
  }

  // ---- ends of user messages ----
  /// The actor in the cell of the asker. It may be a later tenant, which has no ask of that number.
  /// Generation 0 or `nobody` if there has never been one.
  Ref asker_of(Ref answer_ref) const noexcept;
  /// Answers the ask with a failure.
  void fail_ask(Ref asker, Ref answer_ref, Ref answerer, FailurePtr failure);
  /// Answers an Identify with `who`, the actor that received it, or with `nobody`.
  void identify(Envelope& question, Ref who);
  /// Sends a copy of the message; false if it cannot be copied.
  bool tell_copy(Ref to, message::TypeId type, const void* message, Ref sender);
  /// Ends a message that cannot be delivered: publishes a dead letter, answers an ask with a
  /// failure and frees the envelope. A tick or a late answer is freed only; an Identify is
  /// answered.
  void send_to_dead_letters(Ref recipient, Envelope* envelope, Undelivered reason);
  /// Destroys the payload but keeps the block. Most payloads have nothing to destroy.
  void clear(Envelope* envelope) {
    if (envelope->has(Envelope::managed | Envelope::outside | Envelope::failure)) [[unlikely]]
      clear_payload(envelope);
  }
  /// Calls send_to_dead_letters() for each message of the list, because the recipient has stopped.
  void send_all_to_dead_letters(Ref recipient, EnvelopeList& list) {
    for (Envelope* envelope = list.take(); envelope != nullptr;)
      send_to_dead_letters(recipient, std::exchange(envelope, envelope->next),
                           Undelivered::stopped);
  }
  /// Destroys the payload and frees the block.
  void discard(Envelope* envelope);

  Envelope* take_block() { return envelopes_.take(); }
  /// A tick with the token, without a receiver.
  Envelope* take_tick(std::uint64_t token);
  void free_block(Envelope* envelope) { envelopes_.give(envelope); }
  /// Frees the block of an envelope without payload, or of a packet whose messages were taken out.
  void free_any_block(Envelope* envelope) {
    if (envelope->has(Envelope::packet)) [[unlikely]]
      blocks.give(envelope, base::block_of<message::Packet>);
    else envelopes_.give(envelope);
  }

  // ---- handlers that send many messages ----
  /// Takes the messages out of a packet, as a list. The caller still owns the packet's block.
  EnvelopeList unpack(message::Packet& packet);
  /// From here on messages beyond the first `burst_` are collected.
  void begin_handler() noexcept { burst_end_ = counters.sent + burst_; }
  /// Sends what was collected. Later messages are sent at once.
  void end_handler() {
    const bool has_collected = counters.sent > burst_end_;
    burst_end_ = SendBuffer::never;
    if (has_collected) [[unlikely]]
      end_burst();
    ACTORD_DEBUG_ASSERT(send_buffer_.is_empty());
  }
  // ---- messages of a trace (traces.cpp) ----
  /// Whether messages that are sent now belong to a trace.
  bool is_carrying() const noexcept { return is_carrying_; }
  /// The trace, and the span that sends them.
  const message::TraceContext& carried() const noexcept { return carried_; }
  /// From here on messages carry the context, and lines of this worker's log name it.
  void carry(const message::TraceContext& context);
  void carry_nothing() noexcept;
  /// A traced envelope with this message if messages belong to a trace, else the message itself.
  Envelope* as_carried(Envelope* envelope) {
    const bool needs_context = is_carrying_ && !envelope->has(Envelope::traced);
    return needs_context ? enclose(envelope) : envelope;
  }
  /// Puts the message of a traced envelope in the place of that envelope.
  message::Traced open_traced(Envelope& envelope);
  /// True as often as actord.tracing.sample-ratio says: a message without a trace begins one.
  bool begins_trace() noexcept;
  message::TraceContext new_trace() noexcept;
  /// The context of a new span.
  message::TraceContext new_span(const message::TraceContext& parent) noexcept;
  /// tell() of a message that comes from outside the system, with its context if it has one.
  void tell_from_outside(Ref to, message::TypeId type, void* message, Ref sender,
                         const message::TraceContext* context);

  /// sched::Hooks::flush_stuck: both arguments are ThreadStates. `of_worker` sends the messages in
  /// the send buffer of `of_stuck_worker`, whose handler is still running.
  static void flush_stuck(void* of_worker, void* of_stuck_worker);
  /// Free blocks that this thread keeps for its next envelopes.
  std::size_t free_blocks() const noexcept { return envelopes_.free_blocks(); }

  /// The Props shared by all actors that are created by the same table and function. `keeps_args`:
  /// each of these actors has its own arguments. Fails if the behaviour is not available.
  base::Result<Props*> shared_props(const actord_behaviour& table, Props::Create create,
                                    bool keeps_args, const Behaviour& spawner) {
    const CachedProps& known = cached_props_at(table, create);
    if (known.table == &table && known.create == create && known.props->keeps_args == keeps_args)
        [[likely]]
      return known.props;
    return find_shared_props(table, create, keeps_args, spawner);
  }

  /// A cell without a tenant; null if all cells are in use.
  Cell* take_cell();
  /// Gives back the cell of an actor that has terminated.
  void retire(Cell& cell);

  std::string path(Ref ref) const { return environment.cells.path(ref); }

  // ---- what the worker is doing; for a look from another thread, which keeps it attached ----
  /// Whether a task runs.
  bool is_busy() const noexcept { return running.load() != nullptr; }
  /// Grows when a task or a message has ended. If it is the same at two looks and the worker is
  /// busy at both, one task has run all the time, and in it one hook or the handler of one message.
  std::uint64_t progress() const noexcept {
    return worker->runs.load(base::relaxed) + counters.handled + counters.failed;
  }

  Environment& environment;
  sched::Worker* const worker;
  sched::TimerWheel& timers;  // holds the timers that this thread sets
  log::Emitter& log;
  base::Random random;
  MessageCounters counters;
  base::BlockPool blocks;
  FailureRecorder recorder;
  ErrorReceiver handler_errors{recorder};  // of the running handler; empty between two handlers
  // The running call of the plugin has asked for more than its plugin may have, and fails with this
  // when it returns; null between two calls. It is in `handler_errors`, too, where a handler that
  // returns looks anyway.
  FailurePtr over_limit;
  // The overloaded actor that yielded last on this worker, and when it did. The pointer is only
  // compared, because the cell may have another tenant by now.
  const Cell* overloaded = nullptr;
  std::int64_t overloaded_since_ns = 0;
  // The current activation. Only this thread follows the pointer: for a crash record, or in a
  // signal handler that says what takes so long.
  base::OwnerPointer<const actord_context> running;
  // The cell of the current activation, or of the last one. Other threads read it to see what this
  // one runs: cells stay where they are.
  base::OwnerPointer<const Cell> running_cell;
  // Packets that the current turn has opened, of an actor that is counted.
  std::uint32_t opened_packets = 0;
  std::uint64_t worker_number = 0;  // in its system, from 1 on; none comes twice
  bool is_publishing =
      false;       // what is sent goes to subscribers, and does not wait or fail for them
  Span continued;  // of the running call of a plugin, if it acts for a request from elsewhere

 private:
  // The cell that `ref` names, whose mailbox may be closed; null if the cell was recycled since.
  Cell* find(Ref ref) const noexcept {
    // One comparison covers index 0, which is `nobody`, and indexes that no cell has.
    if (index_of(ref) - 1 >= last_cell_) [[unlikely]]
      return nullptr;
    Cell& cell = cells_[index_of(ref)];
    const std::uint32_t generation = generation_of(ref);
    return cell.generation.load(base::relaxed) == generation && generation != 0 ? &cell : nullptr;
  }
  // The actor that gets a message of that type which is sent to the router `to`.
  [[gnu::noinline]] Ref routed(Ref to, message::TypeId type) noexcept;
  // The same for one of many messages of a handler, when its turns are over or another router's.
  [[gnu::noinline]] Ref next_turn(Ref to, message::TypeId type) noexcept;
  void clear_payload(Envelope* envelope);
  // Drops the failure and the request of a system message.
  void drop_content(const SystemMessage& message);
  // tell() for a message of any size, or if a new small block must be allocated first.
  void tell_slow(Ref to, message::TypeId type, void* message, Ref sender);
  // push() to what is no actor.
  void push_elsewhere(Ref to, Envelope* envelope);
  // push() to an ask. The message becomes its answer, or a dead letter.
  void push_answer(Ref answer_ref, Envelope* message);
  bool may_answer(const Envelope& message) const noexcept;
  // The answer with the payload of `message`, which is freed; null if it cannot be made.
  Envelope* as_answer(Envelope& message, std::uint64_t ask_number);
  // push() to an actor that may be gone, a router, bounded, backing off or overloaded.
  void push_if_admitted(Ref to, Envelope* envelope);
  // Called for a message to a bounded actor that finds no room; `left` is what the room was, 0 or
  // less. True: the mailbox takes it all the same.
  bool admits_beyond_limit(const Cell& cell, Ref to, const Envelope& envelope, std::int32_t left);
  // Returns the actor that sends the message in a turn of its own and in its own name, or `nobody`
  // if no actor does.
  Ref acting_sender_of(const Envelope& envelope) const noexcept;
  void fail_call_in_progress(Ref to, std::int32_t capacity, const Envelope& envelope);
  void log_overflow(Ref to, const MailboxLimit& limit, std::uint64_t untold) const;
  // Adds an envelope to the send buffer, or delivers it at once if collecting is not allowed.
  void collect(Cell& cell, Ref to, Envelope* envelope);
  void flush_send_buffer();
  // Ends what the messages beyond the first `burst_` have begun.
  void end_burst();
  // Adds an envelope, or a type with payload and sender, to the send buffer.
  template <class... Message>
  void buffer(Ref to, Message... message);
  // Sends the next messages one by one, because most packets held only one message.
  void stop_collecting() noexcept;
  // True once `collects_from_` messages have been sent. Until then, raises `burst_end_` to
  // `collects_from_`, so that this function is not called again before. Messages of a trace are not
  // collected, and pass here one by one.
  bool may_collect() noexcept {
    if (counters.sent >= collects_from_) [[likely]]
      return true;
    if (!is_carrying_) burst_end_ = collects_from_;
    Routes::give_back(turns_);  // the next messages take their turns one by one
    return false;
  }
  bool may_collect_for(const Cell* cell) noexcept;
  // tell() after the first `burst_` messages of a handler.
  void tell_after_burst(Ref to, message::TypeId type, void* message, Ref sender);
  // The same for a receiver whose messages are not collected, or for a router.
  void tell_one(Ref to, message::TypeId type, void* message, Ref sender);
  // Pushes a packet. If the mailbox is closed, adds the packet to `undelivered`.
  void send(message::Packet* packet, EnvelopeList& undelivered);
  // Frees packets whose receivers have stopped; their messages become dead letters.
  void send_to_dead_letters(EnvelopeList& undelivered);
  // A traced envelope with this one.
  Envelope* enclose(Envelope* envelope);
  // The number for `burst_` while nothing is carried.
  static std::uint64_t burst_of(const sched::Worker* worker) noexcept;
  // Pushes into the mailbox of a cell that find() has found.
  void deliver(Cell& cell, Ref to, Envelope* envelope);

  // Copies of what every message needs, so that a send does not load it through other objects.
  const std::uint32_t dispatcher_id_;  // id of the worker's dispatcher; UINT32_MAX if external
  const bool worker_fires_;            // the worker fires its own timers
  std::uint64_t burst_;  // messages that a handler sends at once, before more are collected
  // The value of MessageCounters::sent from which messages are collected; `never` outside handlers.
  std::uint64_t burst_end_ = SendBuffer::never;
  // The value of MessageCounters::sent before which nothing is collected; set by stop_collecting().
  std::uint64_t collects_from_ = 0;
  const std::uint8_t overload_mark_;
  Cell* const cells_;
  const std::uint32_t last_cell_;
  const message::MessageType* const types_;
  message::EnvelopePool envelopes_;
  base::Magazine fresh_cells_, dead_cells_;

  // A cache of shared Props by the table and function that spawning code passes.
  struct CachedProps {
    const actord_behaviour* table = nullptr;
    Props::Create create = nullptr;
    Props* props = nullptr;
  };
  static constexpr unsigned props_cache_bits = 5;
  CachedProps& cached_props_at(const actord_behaviour& table, Props::Create create) {
    const auto key =
        reinterpret_cast<std::uintptr_t>(&table) ^ reinterpret_cast<std::uintptr_t>(create) << 1;
    return props_cache_[key * 0x9e3779b97f4a7c15 >> (64 - props_cache_bits)];
  }
  base::Result<Props*> find_shared_props(const actord_behaviour& table, Props::Create create,
                                         bool keeps_args, const Behaviour& spawner);
  std::array<CachedProps, 1u << props_cache_bits> props_cache_;
  SendBuffer send_buffer_;
  Routes::Turns turns_;  // of the running handler

  bool is_carrying_ = false;
  std::uint64_t collects_from_otherwise_ = 0;  // `collects_from_` after carry_nothing()
  message::TraceContext carried_;
  struct {
    char trace[message::trace_id_size];
    char span[message::span_id_size];
  } carried_texts_;
  const std::array<log::Field, 2> carried_fields_{
      {{"trace.id", std::string_view{carried_texts_.trace, sizeof carried_texts_.trace}},
       {"span.id", std::string_view{carried_texts_.span, sizeof carried_texts_.span}}}};
};

// Sending is inline, so that a message from a plugin costs one call: that into the host table.

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

// `sender_flags`: the acquire in tell(), push(), push_always() and tell_after_burst() pairs with
// the release in Recovery::start_backoff(): a sender that sees `backing_off` also sees the
// `capacity_left` set for it. `bounded` is set before the tenant's ref is given to any other actor,
// so every sender that has the ref sees it. A sender that has made the ref from that of an ask may
// miss it, and the tenant then takes one message more than its capacity.

inline void ThreadState::tell(Ref to, message::TypeId type, void* message, Ref sender) {
  if (!types_[type].is_word || !envelopes_.has_small()) [[unlikely]]
    return tell_slow(to, type, message, sender);
  if (counters.sent >= burst_end_) [[unlikely]]
    return tell_after_burst(to, type, message, sender);
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
