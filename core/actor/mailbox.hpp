// SPDX-License-Identifier: Apache-2.0
//
// The one-word mailbox: a stack of envelopes whose top pointer also says whether the actor sleeps.
//
// The word holds the newest envelope and three flags:
// - parked: no worker has the cell; a sender that pushes onto a parked cell which is not
//   suspended schedules it.
// - suspended: parked, whether user mail waits or not; only system mail may wake the cell.
// - closed: the cell has no tenant; the word is the only entrance, so nothing gets in.
//
// What is done with it:
// - push (any thread): one CAS; keeps `parked` only together with `suspended`.
// - fetch (owner): reads the word and reverses the links down to `seen_`, the newest envelope that
//   was fetched before; no read-modify-write. The block of `seen_` is kept until a newer one is
//   fetched or the cell parks, so the CAS of park() cannot mistake a recycled block for it. That is
//   why an envelope is pushed once in its life.
// - park (owner): CAS from `seen_` to `parked`; succeeds only if nothing came since. Afterwards the
//   owner looks at the system queue once more: the other half of unpark_for_system().
//
// System mail is a stack of its own, checked before every user message.
//
// Decided with figures in core/decisions/0001; all interleavings are explored in
// tests/sim/mailbox_model.cpp.
#pragma once

#include <utility>

#include "base/assert.hpp"
#include "base/sync.hpp"
#include "message/packet.hpp"

namespace actord::actor {

using message::Envelope;

/// The entrance, on the cache line that senders write.
class MailboxWord {
 public:
  static constexpr std::uint64_t parked = 1, suspended = 2, closed = 4, flags = 7;

  enum class Pushed { queued, schedule, closed };

  /// Any thread. `schedule`: the caller must schedule the cell. `closed`: the envelope is still the
  /// caller's.
  Pushed push(Envelope* envelope) noexcept {
    std::uint64_t old = word_.load(base::relaxed);
    std::uint64_t next;
    do {
      if ((old & closed) != 0) [[unlikely]]
        return Pushed::closed;
      ACTORD_DEBUG_ASSERT((old & ~flags) != reinterpret_cast<std::uint64_t>(envelope));
      envelope->next = pointer(old);
      next = reinterpret_cast<std::uint64_t>(envelope) | ((old & suspended) != 0 ? old & flags : 0);
      // release: the envelope's content before the word; acquire: for whoever goes on to schedule.
    } while (!word_.compare_exchange_weak(old, next, base::acq_rel, base::relaxed));
    return (old & (parked | suspended)) == parked ? Pushed::schedule : Pushed::queued;
  }

  /// Any thread, after a push on the system queue: true if the caller must schedule the cell.
  bool unpark_for_system() noexcept {
    std::uint64_t old = word_.load(base::seq_cst);
    while ((old & parked) != 0) {
      if (word_.compare_exchange_weak(old, old & ~(parked | suspended), base::seq_cst)) return true;
    }
    return false;
  }

  /// Start-up of a tenant, before its ref is known: open, and not parked, for the cell is
  /// scheduled. A plain store, for nobody else writes a word that is closed.
  void open() noexcept { word_.store(0, base::release); }
  bool is_closed() const noexcept { return (word_.load(base::acquire) & closed) != 0; }

  static Envelope* pointer(std::uint64_t word) noexcept {
    return reinterpret_cast<Envelope*>(word & ~flags);
  }

 private:
  friend class MailboxOwner;
  // What each order on `word_` pairs with, and what it makes visible:
  // - The release in push() pairs with the acquire in fetch() and in close(). It shows the
  //   envelope's content, and all that the sender did before.
  // - The acquire in push() and unpark_for_system() pairs with the release in park() and
  //   park_suspended(). It shows what the cell's last worker did: the caller schedules the cell,
  //   which goes to another worker.
  // - The release in open() pairs with the acquire in push(). It shows what the parent wrote into
  //   the cell. (Whoever schedules the cell sees that by the release in park(), too.)
  // - seq_cst: the owner parks, which writes `word_`, and then loads the system queue
  //   (SystemQueue::has_mail_after_park()). This pairs with a sender that pushes onto the system
  //   queue and then loads `word_` in unpark_for_system(): at least one of them sees the other.
  // - The acquire in is_closed() pairs with close(). Nobody relies on more than the flag.
  //
  // close() is seq_cst where acquire would do: the system queue is closed by an exchange of its
  // own.
  base::Atomic<std::uint64_t> word_{closed};
};

/// The owner's half: what has been fetched, oldest first. Only the worker that runs the cell
/// touches it.
class MailboxOwner {
 public:
  /// The next envelope, or null if nothing has been fetched.
  Envelope* pop() noexcept {
    Envelope* const envelope = fifo_;
    if (envelope != nullptr) {
      fifo_ = envelope->next;
      __builtin_prefetch(fifo_);  // while this one is being handled
    }
    return envelope;
  }
  bool has_fetched() const noexcept { return fifo_ != nullptr; }
  /// If a packet is next, and after another one that is most likely: pop() asks for its first line
  /// only.
  void prefetch_packet() const noexcept {
    const auto next = reinterpret_cast<std::uintptr_t>(fifo_);
    for (std::size_t line = 64; line < sizeof(message::Packet); line += 64)
      __builtin_prefetch(reinterpret_cast<const void*>(next + line));
  }

  /// Gets what was pushed since and answers how many. `free_block` is given the former marker.
  template <class FreeBlock>
  std::size_t fetch(MailboxWord& word, FreeBlock&& free_block) noexcept {
    // pairs with push()
    Envelope* const newest = MailboxWord::pointer(word.word_.load(base::acquire));
    Envelope* const marker = seen_;
    if (newest == marker) return 0;
    Envelope* oldest = nullptr;
    std::size_t n = 0;
    for (Envelope* e = newest; e != marker; ++n) {
      Envelope* const next = e->next;
      e->next = oldest;
      oldest = e;
      if (e->has(Envelope::packet)) [[unlikely]]
        n += message::Packet::of(*e).size() - 1;
      e = next;
    }
    if (marker != nullptr) free_block(marker);
    seen_ = newest;
    fifo_ = oldest;
    return n;
  }

  /// True if the block must stay until the next fetch or park, whatever becomes of its content.
  bool is_marker(const Envelope* envelope) const noexcept { return envelope == seen_; }

  /// Puts a list (oldest first, ending at `last`) before everything fetched.
  void push_front(Envelope* first, Envelope* last) noexcept {
    last->next = fifo_;
    fifo_ = first;
  }

  /// Nothing fetched, nothing new: lets go of the cell. False if mail came meanwhile. On true the
  /// caller looks at the system queue and, if there is mail, tries unpark().
  template <class FreeBlock>
  bool park(MailboxWord& word, FreeBlock&& free_block) noexcept {
    Envelope* const marker = seen_;
    std::uint64_t expected = reinterpret_cast<std::uint64_t>(marker);
    seen_ = nullptr;  // before the CAS: after it the cell may be another worker's
    if (!word.word_.compare_exchange_strong(expected, MailboxWord::parked, base::seq_cst)) {
      seen_ = marker;
      return false;
    }
    if (marker != nullptr) free_block(marker);
    return true;
  }

  /// Lets go of the cell although user mail may wait: only system mail or unpark() brings it back.
  void park_suspended(MailboxWord& word) noexcept {
    std::uint64_t old = word.word_.load(base::relaxed);
    while (!word.word_.compare_exchange_weak(
        old, old | MailboxWord::parked | MailboxWord::suspended, base::seq_cst)) {}
  }

  /// After park() or park_suspended(), having seen system mail: true if the cell is ours again.
  static bool unpark(MailboxWord& word) noexcept { return word.unpark_for_system(); }

  /// Ends the tenancy: closes the entrance and answers everything unread, oldest first. The
  /// marker's block, if its content was read, goes to `free_block`.
  template <class FreeBlock>
  Envelope* close(MailboxWord& word, FreeBlock&& free_block) noexcept {
    const std::uint64_t last = word.word_.exchange(MailboxWord::closed, base::seq_cst);
    ACTORD_ASSERT((last & MailboxWord::closed) == 0);  // a tenancy ends once
    Envelope* newer = nullptr;
    for (Envelope* e = MailboxWord::pointer(last); e != seen_;) {
      Envelope* const next = e->next;
      e->next = newer;
      newer = e;
      e = next;
    }
    bool is_marker_unread = false;
    Envelope** tail = &fifo_;
    for (; *tail != nullptr; tail = &(*tail)->next) is_marker_unread |= *tail == seen_;
    *tail = newer;
    if (seen_ != nullptr && !is_marker_unread) free_block(seen_);
    seen_ = nullptr;
    return std::exchange(fifo_, nullptr);
  }

 private:
  Envelope* fifo_ = nullptr;
  Envelope* seen_ = nullptr;
};

/// System mail: a stack of its own, closed for good when the tenant is gone.
class SystemQueue {
 public:
  /// Any thread. False if closed: the envelope is still the caller's. Sequentially consistent: the
  /// push is ordered before the look at the mailbox word that follows it
  /// (MailboxWord::unpark_for_system).
  bool push(Envelope* envelope) noexcept {
    std::uint64_t old = top_.load(base::relaxed);
    do {
      if (old == closed) return false;
      envelope->next = reinterpret_cast<Envelope*>(old);
    } while (!top_.compare_exchange_weak(old, reinterpret_cast<std::uint64_t>(envelope),
                                         base::seq_cst, base::relaxed));
    return true;
  }

  /// Owner. One load of a line that is nearly always shared.
  bool has_mail() const noexcept { return top_.load(base::acquire) != 0; }
  /// Owner, after parking: ordered after the CAS that parked.
  bool has_mail_after_park() const noexcept { return top_.load(base::seq_cst) != 0; }

  /// Owner. Everything, oldest first.
  Envelope* take_all() noexcept { return reversed(top_.exchange(0, base::acq_rel)); }
  Envelope* close() noexcept { return reversed(top_.exchange(closed, base::acq_rel)); }
  /// As MailboxWord::open().
  void open() noexcept { top_.store(0, base::release); }
  bool is_closed() const noexcept { return top_.load(base::relaxed) == closed; }

 private:
  static constexpr std::uint64_t closed = 1;

  static Envelope* reversed(std::uint64_t top) noexcept {
    ACTORD_ASSERT(top != closed);  // only the tenant takes orders, and closes once
    Envelope* oldest = nullptr;
    for (auto* e = reinterpret_cast<Envelope*>(top); e != nullptr;) {
      Envelope* const next = e->next;
      e->next = oldest;
      oldest = e;
      e = next;
    }
    return oldest;
  }

  // What each order on `top_` pairs with:
  // - The CAS in push() is a release for the acquire in take_all() and close(), which see the
  //   order's content.
  // - It is also seq_cst: push() and then the load of the mailbox word in unpark_for_system() pair
  //   with park() and then has_mail_after_park(), see MailboxWord.
  // - The release in open() pairs with the CAS in push().
  //
  // has_mail() could be relaxed, since take_all() follows; the release in take_all() and close()
  // has no partner.
  base::Atomic<std::uint64_t> top_{closed};
};

}  // namespace actord::actor
