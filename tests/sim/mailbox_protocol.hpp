// SPDX-License-Identifier: Apache-2.0
//
// The one-word mailbox (core/actor/mailbox.hpp) and its callers, cut into steps for
// mailbox_search.cpp: a step is one atomic operation and the private work up to the next one.
//
// Two operations form one step where no interleaving is lost by it. The value that a CAS compares
// with is loaded together with the work before it: a change in between makes the CAS fail, and a
// failed CAS loads again. Scheduling belongs to the CAS that won the cell, because no other thread
// can act on the cell until then. A look that finds system messages takes them, because they only
// become more.
//
// Blocks come from a list that gives out the block freed last, so that a block freed too early is
// back at once (ABA). What must hold is written where it is checked: search for Violation here and
// in mailbox_checks.hpp.
#pragma once

#include <cstdio>

#include "sim/mailbox_checks.hpp"

namespace actord::sim::mailbox {

// ---- injected bugs ------------------------------------------------------------------------------

enum class Bug : Byte {
  none,
  drop_recheck,
  drop_recheck_suspended,
  look_then_push,
  skip_look,
  free_marker,
  repush,
  late_reset,
  keep_parked,
  lose_suspended,
  wake_suspended,
  blind_unpark,
  blind_close,
  blind_open,
  no_generation
};

struct NamedBug {
  const char* name;
  Bug bug;
  const char* what;
};

inline constexpr NamedBug bugs[] = {
    {"drop-recheck", Bug::drop_recheck, "no look at the system queue after park"},
    {"drop-recheck-suspended", Bug::drop_recheck_suspended, "none after park_suspended"},
    {"look-then-push", Bug::look_then_push, "an order is pushed after the look at the word"},
    {"skip-look", Bug::skip_look, "what was fetched is handled without a look at the orders"},
    {"free-marker", Bug::free_marker, "the newest block is freed with its content"},
    {"repush", Bug::repush, "forwarding pushes the envelope that is being handled"},
    {"late-reset", Bug::late_reset, "the marker is reset after the cell was let go of"},
    {"keep-parked", Bug::keep_parked, "a push keeps the flag parked"},
    {"lose-suspended", Bug::lose_suspended, "a push onto a suspended cell clears its flags"},
    {"wake-suspended", Bug::wake_suspended, "a push schedules a suspended cell"},
    {"blind-unpark", Bug::blind_unpark, "a store takes the flags away, whoever else does"},
    {"blind-close", Bug::blind_close, "a load and a store close the word"},
    {"blind-open", Bug::blind_open,
     "a dead cell takes orders, a new tenant's start wipes them out"},
    {"no-generation", Bug::no_generation,
     "the receiver does not look whom a message was meant for"},
};

// ---- the protocol -------------------------------------------------------------------------------

/// The code under test, step by step. The threads are the senders, the workers, the spawner, then
/// the ends of the workers' slices.
class Model : private Checks {
 public:
  using Checks::senders;

  Model(const Configuration& configuration, Bug bug) : Checks(configuration), bug_(bug) {}

  State initial() const {
    State s{};
    s.word_pointer = s.system = s.fifo = s.seen = nil;
    s.word_flags = parked;
    s.generation = 1;
    s.next.fill(poison);
    for (Byte b = 0; b < blocks_max; ++b) s.free[s.free_count++] = b;
    s.senders.fill({0, SenderAt::begin, nil, nil, 0});
    s.worker.fill({WorkerAt::idle, nil, nil, nil, nil, 0});
    return s;
  }

  std::size_t threads() const {
    return senders() + workers + 1 + (configuration_.has(yields) ? workers : 0);
  }

  /// Makes one step of a thread; false if it has none.
  bool step(State& s, std::size_t thread) const {
    if (thread < senders()) return step_sender(s, thread);
    thread -= senders();
    if (thread < workers) return step_worker(s, s.worker[thread]);
    thread -= workers;
    return thread == 0 ? step_spawner(s) : end_slice(s, s.worker[thread - 1]);
  }

  /// Prints on standard output which thread takes which step in `s`.
  void tell_step(const State& s, std::size_t thread) const {
    std::size_t i = thread;
    if (i < senders()) {
      std::printf("  sender %zu  %s", i, sender_steps[static_cast<int>(s.senders[i].at)]);
    } else if ((i -= senders()) < workers) {
      std::printf("  worker %zu  %s", i, worker_steps[static_cast<int>(s.worker[i].at)]);
    } else if ((i -= workers) == 0) {
      std::printf("  spawner   %s", spawner_steps[static_cast<int>(s.spawner)]);
    } else {
      std::printf("  worker %zu  ends its slice", i - 1);
    }
    std::printf("   [word %x|%u system %x fifo %x seen %x suspensions %u]\n", s.word_pointer,
                s.word_flags, s.system, s.fifo, s.seen, s.suspensions);
  }

  /// What must hold when no thread can move.
  void at_rest(const State& s) const { check_rest(s, bug_ != Bug::free_marker); }

 private:
  // ---- blocks
  static Byte take(State& s, Byte content) {
    if (s.free_count == 0) throw Violation{"the model has too few blocks"};
    const Byte b = s.free[--s.free_count];
    s.live |= static_cast<Byte>(1 << b);
    s.content[b] = content;
    return b;
  }
  static void give(State& s, Byte b) {
    check_live(s, b);
    s.live &= static_cast<Byte>(~(1 << b));
    s.next[b] = poison;
    s.content[b] = 0;
    s.free[s.free_count++] = b;
  }
  /// Reverses a list down to `end`, which is not part of it.
  static Byte reversed(State& s, Byte from, Byte end) {
    Byte oldest = nil;
    while (from != end) {
      const Byte next = next_of(s, from);
      s.next[from] = oldest;
      oldest = from;
      from = next;
    }
    return oldest;
  }

  // ---- the word
  template <class Thread>
  static void load_word(const State& s, Thread& t) {
    t.old_pointer = s.word_pointer;
    t.old_flags = s.word_flags;
  }
  template <class Thread>
  static bool swap_word(State& s, Thread& t, Byte pointer, Byte flags) {
    if (s.word_pointer != t.old_pointer || s.word_flags != t.old_flags) {
      load_word(s, t);
      return false;
    }
    s.word_pointer = pointer;
    s.word_flags = flags;
    t.old_pointer = nil;
    t.old_flags = 0;
    return true;
  }
  static void schedule(State& s) {
    if (s.is_queued != 0) throw Violation{"scheduled twice"};
    if (s.is_running != 0) throw Violation{"scheduled while it runs"};
    s.is_queued = 1;
  }

  enum class Pushed { again, done, refused };
  /// The body of the loop in MailboxWord::push().
  template <class Thread>
  Pushed push(State& s, Thread& t) const {
    const Byte old = t.old_flags;
    if ((old & closed) != 0) return Pushed::refused;
    s.next[t.block] = t.old_pointer;
    Byte kept = (old & suspended) != 0 ? old : 0;
    if (bug_ == Bug::keep_parked) kept = old;
    if (bug_ == Bug::lose_suspended) kept = 0;
    if (!swap_word(s, t, t.block, kept)) return Pushed::again;
    const Byte awake = bug_ == Bug::wake_suspended ? old & parked : old & (parked | suspended);
    if (awake == parked) schedule(s);
    return Pushed::done;
  }
  /// The body of the loop in MailboxWord::unpark_for_system(); false if the loop goes on.
  template <class Thread>
  bool unpark(State& s, Thread& t) const {
    const Byte flags = t.old_flags & static_cast<Byte>(~(parked | suspended));
    if (bug_ == Bug::blind_unpark) s.word_pointer = t.old_pointer, s.word_flags = t.old_flags;
    if (swap_word(s, t, t.old_pointer, flags)) {
      schedule(s);
      return true;
    }
    return (t.old_flags & parked) == 0;
  }

  // ---- senders: ThreadState::push(), ThreadState::send_system()
  void next_op(Sender& t) const { t = {static_cast<Byte>(t.op + 1), SenderAt::begin, nil, nil, 0}; }
  void refuse(State& s, Sender& t) const {
    end(s, s.content[t.block]);
    give(s, t.block);
    next_op(t);
  }
  bool begin(State& s, Sender& t, std::size_t sender) const;
  bool step_sender(State& s, std::size_t sender) const;

  // ---- workers: Activation::run()
  void finish(State& s, Byte b) const {
    if (s.seen == b && bug_ != Bug::free_marker) {
      s.next[b] = poison;  // from here on only its address counts
      s.content[b] = 0;
    } else {
      give(s, b);
    }
  }
  void free_marker(State& s) const {
    if (s.seen != nil && bug_ != Bug::free_marker) give(s, s.seen);
    s.seen = nil;
  }
  void handle(State& s, Worker& w, Byte b) const;
  void go_on(State& s, Worker& w) const;
  void obey(State& s, Worker& w) const;
  void fetch(State& s, Worker& w) const;
  void park(State& s, Worker& w) const;
  void finish_forward(State& s, Worker& w) const;
  void send_mail_to_dead_letters(State& s, Worker& w, Byte newest) const;
  void drop_system_messages(State& s, Byte list) const;
  void close_word(State& s, Worker& w) const;
  void close_system(State& s, Worker& w) const;
  bool step_worker(State& s, Worker& w) const;
  bool step_spawner(State& s) const;
  bool end_slice(State& s, Worker& w) const;

  const Bug bug_;
};

// ThreadState::find() and the first load in one step: a change between the two makes the CAS fail,
// and a failed CAS loads again.
inline bool Model::begin(State& s, Sender& t, std::size_t sender) const {
  const auto& program = configuration_.senders[sender];
  if (t.op == program.size()) return false;
  const Op op = program[t.op];
  if (op.tenant == 2 && s.spawner != SpawnerAt::done) return false;
  const Byte content = id(sender, t.op);
  t.block = take(s, content);
  s.created |= bit(content);
  if (op.tenant != s.generation) {
    refuse(s, t);
  } else if (!is_order(op.kind)) {
    load_word(s, t);
    t.at = SenderAt::push;
  } else if (bug_ == Bug::look_then_push) {
    load_word(s, t);
    t.at = SenderAt::unpark;
  } else {
    t.old_pointer = s.system;
    t.at = SenderAt::order;
  }
  return true;
}

inline bool Model::step_sender(State& s, std::size_t sender) const {
  Sender& t = s.senders[sender];
  switch (t.at) {
    case SenderAt::begin: return begin(s, t, sender);
    case SenderAt::push: {
      const Pushed pushed = push(s, t);
      if (pushed == Pushed::refused) refuse(s, t);
      if (pushed == Pushed::done) next_op(t);
      return true;
    }
    case SenderAt::order:
    case SenderAt::push_after_look:
      if (t.at == SenderAt::push_after_look) t.old_pointer = s.system;
      if (t.old_pointer == closed_queue) return refuse(s, t), true;
      if (s.system != t.old_pointer) return t.old_pointer = s.system, true;
      s.next[t.block] = s.system;
      s.system = t.block;
      if (t.at == SenderAt::push_after_look) return next_op(t), true;
      t.block = t.old_pointer = nil;
      t.at = SenderAt::look;
      return true;
    case SenderAt::look:
      load_word(s, t);
      if ((t.old_flags & parked) == 0) next_op(t);
      else t.at = SenderAt::unpark;
      return true;
    case SenderAt::unpark:
      if (bug_ == Bug::look_then_push) {
        if ((t.old_flags & parked) == 0 || unpark(s, t)) t.at = SenderAt::push_after_look;
      } else if (unpark(s, t)) {
        next_op(t);
      }
      return true;
  }
  return false;
}

inline void Model::handle(State& s, Worker& w, Byte b) const {
  check_live(s, b);
  const Byte content = s.content[b];
  const Op& op = op_of(content);
  if (op.tenant != s.generation) {
    if (bug_ == Bug::no_generation) throw Violation{"a message reached another tenant"};
    end(s, content);
    return finish(s, b);
  }
  check_order(s, content);
  if (op.kind == Kind::forward && (content & copy) == 0) {
    w.current = b;
    w.block = bug_ == Bug::repush ? b : take(s, content | copy);
    s.created |= bit(content | copy);
    load_word(s, w);
    w.at = WorkerAt::forwarding;
    return;
  }
  end(s, content);
  finish(s, b);
}

// An envelope is pushed once in its life: the forward has pushed a copy, and the original ends
// here.
inline void Model::finish_forward(State& s, Worker& w) const {
  const Byte original = s.content[w.current] & static_cast<Byte>(~copy);
  end(s, original);
  if (bug_ == Bug::repush) s.content[w.current] = original | copy;
  else finish(s, w.current);
  w.block = w.current = nil;
  w.at = WorkerAt::look;
}

// The work from the look at the system queue to the next atomic operation.
inline void Model::go_on(State& s, Worker& w) const {
  w.at = WorkerAt::look;
  if (s.suspensions != 0) {
    w.at = WorkerAt::load_to_suspend;
  } else if (s.fifo != nil) {
    const Byte b = s.fifo;
    s.fifo = next_of(s, b);
    handle(s, w, b);
  } else {
    w.at = WorkerAt::fetch;
  }
}

inline void Model::obey(State& s, Worker& w) const {
  Byte list = reversed(s, s.system, nil);
  s.system = nil;
  while (list != nil) {
    const Byte b = list;
    list = next_of(s, b);
    const Byte content = s.content[b];
    const Op& op = op_of(content);
    end(s, content);
    give(s, b);
    if (op.tenant != s.generation) continue;  // refused
    check_order(s, content);
    if (op.kind == Kind::suspend) ++s.suspensions;
    if (op.kind == Kind::resume && s.suspensions != 0) --s.suspensions;
    if (op.kind == Kind::terminate) {
      w.orders = list;
      w.at = WorkerAt::close_word;
      return;
    }
  }
  go_on(s, w);
}

inline void Model::fetch(State& s, Worker& w) const {
  const Byte newest = s.word_pointer;
  if (newest == s.seen) {
    w.at = WorkerAt::park;
    return;
  }
  const Byte oldest = reversed(s, newest, s.seen);
  free_marker(s);
  s.seen = newest;
  s.fifo = oldest;
  if (bug_ == Bug::skip_look) go_on(s, w);
  else w.at = WorkerAt::look;
}

inline void Model::park(State& s, Worker& w) const {
  if (s.word_pointer != s.seen || s.word_flags != 0) {
    w.at = WorkerAt::look;
    return;
  }
  s.word_pointer = nil;
  s.word_flags = parked;
  s.is_running = 0;
  if (bug_ == Bug::late_reset) {
    w.at = WorkerAt::reset;
    return;
  }
  free_marker(s);
  w.at = bug_ == Bug::drop_recheck ? WorkerAt::idle : WorkerAt::recheck;
}

// MailboxOwner::close() with the content of the word; each message becomes a dead letter.
inline void Model::send_mail_to_dead_letters(State& s, Worker& w, Byte newest) const {
  const Byte newer = reversed(s, newest, s.seen);
  bool is_marker_unread = false;
  for (Byte list : {s.fifo, newer}) {
    while (list != nil) {
      const Byte b = list;
      list = next_of(s, b);
      is_marker_unread |= b == s.seen;
      end(s, s.content[b]);
      give(s, b);
    }
  }
  if (is_marker_unread) s.seen = nil;
  free_marker(s);
  s.fifo = nil;
  w.old_pointer = nil;
  w.at = WorkerAt::close_system;
}

inline void Model::close_word(State& s, Worker& w) const {
  if (bug_ == Bug::blind_close && w.at == WorkerAt::close_word) {
    w.old_pointer = s.word_pointer;
    w.at = WorkerAt::store_closed;
    return;
  }
  const Byte newest = w.at == WorkerAt::store_closed ? w.old_pointer : s.word_pointer;
  s.word_pointer = nil;
  s.word_flags = closed;
  send_mail_to_dead_letters(s, w, newest);
}

inline void Model::drop_system_messages(State& s, Byte list) const {
  while (list != nil) {
    const Byte b = list;
    list = next_of(s, b);
    end(s, s.content[b]);
    give(s, b);
  }
}

inline void Model::close_system(State& s, Worker& w) const {
  const Byte list = reversed(s, s.system, nil);
  s.system = bug_ == Bug::blind_open ? nil : closed_queue;
  drop_system_messages(s, list);
  drop_system_messages(s, w.orders);
  w.orders = nil;
  s.is_dead = 1;
  s.is_running = 0;
  w.at = WorkerAt::idle;
}

inline bool Model::step_worker(State& s, Worker& w) const {
  switch (w.at) {
    case WorkerAt::idle:
      if (s.is_queued == 0) return false;
      if (s.is_running != 0) throw Violation{"two workers run the cell"};
      s.is_queued = 0;
      s.is_running = 1;
      w.at = WorkerAt::look;
      return true;
    case WorkerAt::look:
      if (s.system != nil) obey(s, w);
      else go_on(s, w);
      return true;
    case WorkerAt::fetch: fetch(s, w); return true;
    case WorkerAt::park: park(s, w); return true;
    case WorkerAt::reset:
      free_marker(s);
      w.at = WorkerAt::recheck;
      return true;
    case WorkerAt::recheck:
      w.at = s.system != nil ? WorkerAt::load_parked : WorkerAt::idle;
      return true;
    case WorkerAt::load_parked:
      load_word(s, w);
      if ((w.old_flags & parked) != 0) return w.at = WorkerAt::unpark, true;
      break;
    case WorkerAt::unpark:
      if (!unpark(s, w)) return true;
      break;
    case WorkerAt::load_to_suspend:
      load_word(s, w);
      w.at = WorkerAt::set_suspended;
      return true;
    case WorkerAt::set_suspended:
      if (!swap_word(s, w, w.old_pointer, w.old_flags | parked | suspended)) return true;
      s.is_running = 0;
      w.at = bug_ == Bug::drop_recheck_suspended ? WorkerAt::idle : WorkerAt::recheck;
      return true;
    case WorkerAt::forwarding:
      if (push(s, w) != Pushed::again) finish_forward(s, w);
      return true;
    case WorkerAt::close_word:
    case WorkerAt::store_closed: close_word(s, w); return true;
    case WorkerAt::close_system: close_system(s, w); return true;
  }
  w.at = WorkerAt::idle;  // the cell is no longer this worker's
  w.old_pointer = nil;
  w.old_flags = 0;
  return true;
}

// CellPool::refill() after the quarantine, then Activation::spawn().
inline bool Model::step_spawner(State& s) const {
  switch (s.spawner) {
    case SpawnerAt::waiting:
      if (!configuration_.has(recycles) || s.is_dead == 0) return false;
      s.is_dead = 0;
      s.generation = 2;
      s.suspensions = 0;
      s.spawner = SpawnerAt::open_system;
      return true;
    case SpawnerAt::open_system:
      s.system = nil;
      s.spawner = SpawnerAt::open_word;
      return true;
    case SpawnerAt::open_word:
      s.word_pointer = nil;
      s.word_flags = 0;
      schedule(s);
      s.spawner = SpawnerAt::done;
      return true;
    case SpawnerAt::done: break;
  }
  return false;
}

// Worker::schedule_last(): the cell stays as it is, and any free worker goes on with it.
inline bool Model::end_slice(State& s, Worker& w) const {
  if (w.at != WorkerAt::look) return false;
  w.at = WorkerAt::idle;
  s.is_running = 0;
  schedule(s);
  return true;
}

}  // namespace actord::sim::mailbox
