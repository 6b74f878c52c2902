// SPDX-License-Identifier: Apache-2.0
//
// What one worker has of its own: blocks, an emitter, chance, and the ways to send. A thread that
// is no worker uses the system's foreign Local, under its lock.
#pragma once

#include "actor/environment.hpp"
#include "base/random.hpp"

namespace actord::actor {

/// Messages by fate; for checks at rest. Written by the owner.
struct Fates {
  std::uint64_t sent = 0;         // envelopes pushed or refused
  std::uint64_t handled = 0;      // a handler returned
  std::uint64_t failed = 0;       // a handler failed on it
  std::uint64_t undelivered = 0;  // dead letters, unhandled ones too
  std::uint64_t void_ = 0;  // obsolete by design: stale ticks, unwatched Terminated, late replies

  Fates& operator+=(const Fates& other) noexcept {
    sent += other.sent;
    handled += other.handled;
    failed += other.failed;
    undelivered += other.undelivered;
    void_ += other.void_;
    return *this;
  }
  std::uint64_t ended() const noexcept { return handled + failed + undelivered + void_; }
};

class Local {
 public:
  /// `worker` is null for the foreign one.
  Local(Environment& environment, sched::Worker* worker, log::Emitter& emitter, std::uint64_t seed);
  ~Local();
  Local(const Local&) = delete;
  Local& operator=(const Local&) = delete;

  // ---- user mail ----
  /// Moves *message into an envelope and sends it. What cannot be delivered becomes a dead letter.
  void tell(Ref to, message::TypeId type, void* message, Ref sender, std::uint32_t flags = 0,
            std::uint64_t token = 0);
  /// Sends a filled envelope, which is given away.
  void push(Ref to, Envelope* envelope);
  /// The same for what a bounded mailbox must not refuse (supervision.md 130).
  void push_always(Ref to, Envelope* envelope);
  /// Whether somebody lives there.
  bool is_taking_mail(Ref to) const noexcept;
  /// A tick of a timer of `to`.
  void tick(Ref to, std::uint64_t token);

  // ---- system mail ----
  /// The body's failure and request are given away.
  void order(Ref to, Order order, SystemBody body = {});
  void drop(Envelope* system_envelope);
  /// Deals with an order to somebody who is no more.
  void refuse_order(Ref dead, Envelope* system_envelope);

  void schedule(Cell& cell) {
    if (worker != nullptr && cell.dispatcher == worker->home().id()) [[likely]]
      worker->schedule(&cell);
    else environment.dispatcher(cell.dispatcher).inject(&cell);
  }

  // ---- ends of user mail ----
  /// Answers the ask of that token with a failure.
  void refuse(Ref asker, std::uint64_t token, Ref answerer, FailurePtr failure);
  /// Answers an Identify: `who`, or nobody, lives where it was sent.
  void identify(Envelope& question, Ref who);
  /// Sends a copy of the message; false if it cannot be copied.
  bool tell_copy(Ref to, message::TypeId type, const void* message, Ref sender);
  /// Undeliverable: tells whoever wants to know, answers an ask with a failure, and destroys it.
  void bury(Ref recipient, Envelope* envelope, Undelivered reason);
  void clear(Envelope* envelope);    // the payload alone
  void discard(Envelope* envelope);  // payload and block

  Envelope* take_block() { return static_cast<Envelope*>(envelopes_.take()); }
  void free_block(Envelope* envelope) { envelopes_.give(envelope); }
  std::size_t resting_blocks() const noexcept { return envelopes_.resting(); }

  /// Null if there can be no more.
  Cell* take_cell();
  void retire(Cell& cell);

  std::string path(Ref ref) const { return environment.cells.path(ref); }
  std::int64_t now_ns() const { return environment.executor.now_ns(); }

  Environment& environment;
  sched::Worker* const worker;
  log::Emitter& log;
  base::Random random;
  Fates fates;
  const actord_context* running = nullptr;  // the activation under way, for a crash record

 private:
  Cell* find(Ref ref) const noexcept;
  bool admit(Cell& cell, Ref to, Envelope* envelope);
  void deliver(Cell& cell, Ref to, Envelope* envelope);

  base::Pool envelopes_;
  base::Magazine fresh_cells_, dead_cells_;
};

}  // namespace actord::actor
