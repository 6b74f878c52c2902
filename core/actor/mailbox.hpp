// SPDX-License-Identifier: Apache-2.0
//
// The one-word mailbox: a stack of envelopes, in whose top pointer three bits say whether the cell
// is parked, suspended or closed.
//
// The word holds the newest envelope and three flags:
// - parked: no worker runs the cell or has it scheduled. A sender that pushes schedules the cell,
//   unless it is suspended too.
// - suspended: set together with parked, while user messages may wait. Only a system message
//   schedules the cell.
// - closed: the cell has no tenant, and every push fails.
//
// Operations:
// - push (any thread): one CAS; keeps `parked` only together with `suspended`.
// - fetch (owner): reads the word and reverses the links down to `marker_`, the newest envelope
//   that was fetched before; no read-modify-write. The marker's block is kept until a newer
//   envelope is fetched or the cell parks, so that the CAS of park() cannot mistake a recycled
//   block for it. For the same reason a fetched envelope must not be pushed again.
// - park (owner): CAS from `marker_` to `parked`; fails if a message was pushed since. Afterwards
//   the owner checks the system queue once more, as a sender may have pushed a system message
//   before the word was parked (see unpark_for_system()).
//
// System messages have a stack of their own, SystemQueue, checked before every user message.
//
// core/decisions/0001 has the reasons and measurements. tests/sim/mailbox_model.cpp explores all
// interleavings.
#pragma once

#include <utility>

#include "base/assert.hpp"
#include "base/sync.hpp"
#include "message/packet.hpp"

namespace actord::actor {

using message::Envelope;

/// The senders' half, on the cache line that senders write.
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
      // release: publishes the envelope's content. acquire: the caller may schedule the cell.
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

  /// Begins a tenancy, before the tenant's ref is known. The word is not parked, since the cell is
  /// scheduled next. A plain store is enough, since no other thread writes a closed word.
  void open() noexcept { word_.store(0, base::release); }
  bool is_closed() const noexcept { return (word_.load(base::acquire) & closed) != 0; }
  /// Any thread. False if no message waits, nor is being handled.
  bool may_have_mail() const noexcept { return pointer(word_.load(base::relaxed)) != nullptr; }

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
  //   the cell. (A sender that schedules the cell sees that by the release in park(), too.)
  // - seq_cst: the owner parks, which writes `word_`, and then loads the system queue
  //   (SystemQueue::has_mail_after_park()). This pairs with a sender that pushes onto the system
  //   queue and then loads `word_` in unpark_for_system(): at least one of them sees the other.
  // - The acquire in is_closed() pairs with close(). Callers use only the flag.
  //
  // close() is seq_cst where acquire would do: the system queue is closed by an exchange of its
  // own.
  base::Atomic<std::uint64_t> word_{closed};
};

/// The owner's half: the fetched envelopes, oldest first. Only the worker that runs the cell
/// accesses it.
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
  /// Calls use(envelope) for each envelope that waits, until it returns false. What was fetched
  /// comes first and oldest first, then what was not, newest first.
  template <class Use>
  void for_each(MailboxWord& word, Use&& use) const {
    for (Envelope* e = fifo_; e != nullptr; e = e->next) {
      if (!use(*e)) return;
    }
    // Senders change no link of an envelope that they have pushed.
    for (Envelope* e = MailboxWord::pointer(word.word_.load(base::acquire)); e != marker_;
         e = e->next) {
      if (!use(*e)) return;
    }
  }
  /// Loads the next envelope into the cache as if it were a packet. Call this at a packet, as
  /// packets mostly come in a row. pop() prefetches only the first cache line.
  void prefetch_packet() const noexcept {
    const auto next = reinterpret_cast<std::uintptr_t>(fifo_);
    for (std::size_t line = 64; line < sizeof(message::Packet); line += 64)
      __builtin_prefetch(reinterpret_cast<const void*>(next + line));
  }

  /// Fetches the envelopes pushed since the last fetch and returns the number of their messages.
  /// The former marker goes to `free_block`.
  template <class FreeBlock>
  std::size_t fetch(MailboxWord& word, FreeBlock&& free_block) noexcept {
    // pairs with push()
    Envelope* const newest = MailboxWord::pointer(word.word_.load(base::acquire));
    Envelope* const marker = marker_;
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
    marker_ = newest;
    fifo_ = oldest;
    return n;
  }

  /// True if the envelope's block must not be freed or pushed before the next fetch or park. Its
  /// content may be destroyed or moved.
  bool is_marker(const Envelope* envelope) const noexcept { return envelope == marker_; }

  /// Puts a list (oldest first, ending at `last`) before the fetched envelopes.
  void push_front(Envelope* first, Envelope* last) noexcept {
    last->next = fifo_;
    fifo_ = first;
  }

  // ---- for a mailbox that is not read as it was filled (mailbox_order.hpp) ----
  /// Takes all fetched envelopes, oldest first.
  Envelope* take_fetched() noexcept { return std::exchange(fifo_, nullptr); }
  /// As fetch() while fetched envelopes wait, which stay as they are: returns the newer ones,
  /// oldest first; null if there are none. The former marker goes to `free_block` if it is among
  /// the fetched ones no more.
  template <class FreeBlock>
  Envelope* fetch_more(MailboxWord& word, bool is_marker_popped, FreeBlock&& free_block) noexcept {
    // pairs with push()
    Envelope* const newest = MailboxWord::pointer(word.word_.load(base::acquire));
    Envelope* const marker = marker_;
    if (newest == marker) return nullptr;
    Envelope* oldest = nullptr;
    for (Envelope* e = newest; e != marker;) {
      Envelope* const next = std::exchange(e->next, oldest);
      oldest = std::exchange(e, next);
    }
    if (marker != nullptr && is_marker_popped) free_block(marker);
    marker_ = newest;
    return oldest;
  }
  /// The fetched envelope after `before`; null stands for the place before the first one.
  Envelope* after(const Envelope* before) const noexcept {
    return before != nullptr ? before->next : fifo_;
  }
  /// Puts an envelope there.
  void insert_after(Envelope* before, Envelope* envelope) noexcept {
    Envelope*& place = before != nullptr ? before->next : fifo_;
    envelope->next = std::exchange(place, envelope);
  }
  /// Takes the envelope there out.
  void remove_after(Envelope* before) noexcept {
    Envelope*& place = before != nullptr ? before->next : fifo_;
    place = place->next;
  }

  /// Call when all fetched envelopes were popped and fetch() found no more. Parks the cell; false
  /// if a message was pushed meanwhile. If true, the caller checks the system queue and, if a
  /// message waits there, calls unpark().
  template <class FreeBlock>
  bool park(MailboxWord& word, FreeBlock&& free_block) noexcept {
    Envelope* const marker = marker_;
    std::uint64_t expected = reinterpret_cast<std::uint64_t>(marker);
    marker_ = nullptr;  // before the CAS: after it another worker may run the cell
    if (!word.word_.compare_exchange_strong(expected, MailboxWord::parked, base::seq_cst)) {
      marker_ = marker;
      return false;
    }
    if (marker != nullptr) free_block(marker);
    return true;
  }

  /// Parks the cell although user messages may wait. Only a system message or unpark() ends that.
  void park_suspended(MailboxWord& word) noexcept {
    std::uint64_t old = word.word_.load(base::relaxed);
    while (!word.word_.compare_exchange_weak(
        old, old | MailboxWord::parked | MailboxWord::suspended, base::seq_cst)) {}
  }

  /// For the former owner, if a system message waits after park() or park_suspended(). True: the
  /// caller must schedule the cell. False: a sender has done so.
  static bool unpark(MailboxWord& word) noexcept { return word.unpark_for_system(); }

  /// Ends the tenancy: closes the word and returns the envelopes that were not popped, oldest
  /// first. If the marker was popped, its block goes to `free_block`.
  template <class FreeBlock>
  Envelope* close(MailboxWord& word, FreeBlock&& free_block) noexcept {
    const std::uint64_t last = word.word_.exchange(MailboxWord::closed, base::seq_cst);
    ACTORD_ASSERT((last & MailboxWord::closed) == 0);  // a tenancy ends once
    Envelope* newer = nullptr;
    for (Envelope* e = MailboxWord::pointer(last); e != marker_;) {
      Envelope* const next = e->next;
      e->next = newer;
      newer = e;
      e = next;
    }
    bool is_marker_unread = false;
    Envelope** tail = &fifo_;
    for (; *tail != nullptr; tail = &(*tail)->next) is_marker_unread |= *tail == marker_;
    *tail = newer;
    if (marker_ != nullptr && !is_marker_unread) free_block(marker_);
    marker_ = nullptr;
    return std::exchange(fifo_, nullptr);
  }

 private:
  Envelope* fifo_ = nullptr;    // fetched, not yet popped; oldest first
  Envelope* marker_ = nullptr;  // the marker: the newest envelope fetched; null after park()
};

/// The stack of system messages. Closed from the end of a tenant until open() for the next one.
class SystemQueue {
 public:
  /// Any thread. False if closed: the caller still owns the envelope. Sequentially consistent: the
  /// push comes before the caller's load of the mailbox word in MailboxWord::unpark_for_system().
  bool push(Envelope* envelope) noexcept {
    std::uint64_t old = top_.load(base::relaxed);
    do {
      if (old == closed) return false;
      envelope->next = reinterpret_cast<Envelope*>(old);
    } while (!top_.compare_exchange_weak(old, reinterpret_cast<std::uint64_t>(envelope),
                                         base::seq_cst, base::relaxed));
    return true;
  }

  /// Owner. One load, almost always from the owner's cache, as system messages are rare.
  bool has_mail() const noexcept { return top_.load(base::acquire) != 0; }
  /// Owner, after parking. This load is ordered after the CAS that parked the cell.
  bool has_mail_after_park() const noexcept { return top_.load(base::seq_cst) != 0; }

  /// Owner. Takes all system messages, oldest first.
  Envelope* take_all() noexcept { return reversed(top_.exchange(0, base::acq_rel)); }
  /// Owner. The same, and every later push fails.
  Envelope* close() noexcept { return reversed(top_.exchange(closed, base::acq_rel)); }
  /// Like MailboxWord::open().
  void open() noexcept { top_.store(0, base::release); }
  bool is_closed() const noexcept { return top_.load(base::relaxed) == closed; }

 private:
  static constexpr std::uint64_t closed = 1;

  // The stack as a list, oldest first.
  static Envelope* reversed(std::uint64_t top) noexcept {
    ACTORD_ASSERT(top != closed);  // only the tenant takes messages, and it closes once
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
  // - The release of the CAS in push() pairs with the acquire in take_all() and close(), which see
  //   the envelope's content.
  // - It is also seq_cst: push() and then the load of the mailbox word in unpark_for_system() pair
  //   with park() and then has_mail_after_park(), see MailboxWord.
  // - The release in open() pairs with the CAS in push().
  //
  // has_mail() could be relaxed, since take_all() follows; the release in take_all() and close()
  // has no partner.
  base::Atomic<std::uint64_t> top_{closed};
};

}  // namespace actord::actor
