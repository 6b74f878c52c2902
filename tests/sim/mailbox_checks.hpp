// SPDX-License-Identifier: Apache-2.0
//
// The model of the one-word mailbox at any moment and what must hold then: the programs that are
// run, the state, and the checks. A check that fails throws a Violation.
//
// Not here: the steps (mailbox_protocol.hpp) and the search (mailbox_search.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace actord::sim::mailbox {

using Byte = std::uint8_t;

inline constexpr Byte parked = 1, suspended = 2, closed = 4;     // flags of the word
inline constexpr Byte nil = 15, closed_queue = 14, poison = 13;  // values that are no block number
inline constexpr std::size_t blocks_max = 8, senders_max = 4, workers = 2;

// ---- the programs -------------------------------------------------------------------------------

enum class Kind : Byte { tell, forward, watch, suspend, resume, terminate };
constexpr bool is_order(Kind kind) { return kind >= Kind::watch; }

/// A sender's next operation. The sender waits until the tenant exists.
struct Op {
  Kind kind;
  Byte tenant = 1;
};
inline constexpr Op tell{Kind::tell}, forward{Kind::forward}, watch{Kind::watch},
    suspend{Kind::suspend}, resume{Kind::resume}, terminate{Kind::terminate},
    tell_next{Kind::tell, 2}, watch_next{Kind::watch, 2};

enum Trait : Byte {
  recycles = 1,  // a second tenant gets the dead cell
  yields = 2,    // a slice may end at any time
  large = 4      // only with --all
};
struct Configuration {
  const char* name;
  std::vector<std::vector<Op>> senders;
  Byte traits = 0;

  bool has(Trait trait) const { return (traits & trait) != 0; }
};

// ---- the state ----------------------------------------------------------------------------------

enum class SenderAt : Byte { begin, push, order, look, unpark, push_after_look };
inline constexpr const char* sender_steps[] = {
    "takes a block and loads", "CAS of push",   "CAS of order",
    "loads the word",          "CAS of unpark", "push after the look"};
struct Sender {
  Byte op;
  SenderAt at;
  Byte block, old_pointer, old_flags;
};

enum class WorkerAt : Byte {
  idle,
  look,
  fetch,
  park,
  reset,
  recheck,
  load_parked,
  unpark,
  load_to_suspend,
  set_suspended,
  forwarding,
  close_word,
  store_closed,
  close_system
};
inline constexpr const char* worker_steps[] = {
    "takes the cell",    "looks at the orders and goes on", "fetch",          "CAS of park",
    "resets the marker", "looks at the orders after park",  "loads the word", "CAS of unpark",
    "loads the word",    "CAS of park_suspended",           "CAS of forward", "closes the word",
    "stores closed",     "closes the system queue"};
struct Worker {
  WorkerAt at;
  Byte block, current, orders, old_pointer, old_flags;
};

enum class SpawnerAt : Byte { waiting, open_system, open_word, done };
inline constexpr const char* spawner_steps[] = {"recycles the cell", "opens the system queue",
                                                "opens the word and schedules"};

/// No implicit padding, so that states can be compared and hashed as memory.
struct State {
  std::uint16_t created, ended;  // one bit per message, another for the copy that a forward makes
  Byte word_pointer, word_flags, system;
  Byte fifo, seen, suspensions;  // these belong to the owner
  Byte generation, is_dead, is_queued, is_running;
  SpawnerAt spawner;
  Byte free_count, live;  // live: one bit per block
  std::array<Byte, blocks_max> free, next, content;
  std::array<Sender, senders_max> senders;
  std::array<Worker, workers> worker;
  std::array<Byte, 7> padding;
};
static_assert(sizeof(State) == 80 && std::has_unique_object_representations_v<State>);

struct Violation {
  const char* what;
};

// ---- what must hold -----------------------------------------------------------------------------

/// The checks of blocks, of messages and of the state at rest; the model calls them as it goes.
class Checks {
 public:
  explicit Checks(const Configuration& configuration) : configuration_(configuration) {
    for (const auto& program : configuration.senders) {
      first_id_.push_back(op_count_);
      op_count_ += static_cast<Byte>(program.size());
    }
  }

  std::size_t senders() const { return configuration_.senders.size(); }

 protected:
  static constexpr Byte copy = 16;  // flag in a block's content, beside the message's number

  // ---- blocks
  static void check_live(const State& s, Byte b) {
    if (b >= blocks_max) throw Violation{"a list leads astray"};
    if ((s.live >> b & 1) == 0) throw Violation{"a freed block is used"};
  }
  static Byte next_of(const State& s, Byte b) {
    check_live(s, b);
    return s.next[b];
  }

  // ---- messages
  Byte id(std::size_t sender, Byte op) const { return static_cast<Byte>(first_id_[sender] + op); }
  static std::uint16_t bit(Byte content) {
    return static_cast<std::uint16_t>(1u << ((content & 7) + ((content & copy) != 0 ? 8 : 0)));
  }
  const Op& op_of(Byte content) const {
    std::size_t sender = senders() - 1;
    while (first_id_[sender] > (content & 7)) --sender;
    return configuration_.senders[sender][(content & 7) - first_id_[sender]];
  }
  static void end(State& s, Byte content) {
    if ((s.ended & bit(content)) != 0) throw Violation{"a message has two ends"};
    s.ended |= bit(content);
  }
  /// The sender's earlier messages have ended: before a message all, before a system message the
  /// system messages.
  void check_order(const State& s, Byte content) const {
    const bool is_copy = (content & copy) != 0;
    std::size_t sender = senders() - 1;
    while (first_id_[sender] > (content & 7)) --sender;
    for (Byte i = first_id_[sender]; i < (content & 7); ++i) {
      const Kind kind = op_of(i).kind;
      if (is_copy && kind != Kind::forward) continue;
      if (is_order(op_of(content).kind) && !is_order(kind)) continue;
      const Byte earlier = is_copy ? i | copy : i;
      if ((s.ended & bit(earlier)) == 0) {
        throw Violation{is_order(kind) ? "an order sent before comes after"
                                       : "order of one sender"};
      }
    }
  }

  /// For states in which no thread can move. `marker_has_block`: the newest block outlives its
  /// content.
  void check_rest(const State& s, bool marker_has_block) const;

  const Configuration& configuration_;

 private:
  std::vector<Byte> first_id_;
  Byte op_count_ = 0;
};

inline void Checks::check_rest(const State& s, bool marker_has_block) const {
  for (std::size_t i = 0; i < senders(); ++i) {
    if (s.senders[i].op != configuration_.senders[i].size())
      throw Violation{"a sender waits for ever"};
  }
  if (s.system < blocks_max) throw Violation{"lost wake-up: an order is left"};
  std::uint16_t waiting = 0;
  Byte blocks = 0;
  const auto count = [&](Byte from, Byte end) {
    for (; from != end; from = next_of(s, from)) {
      check_live(s, from);
      waiting |= bit(s.content[from]);
      ++blocks;
    }
  };
  count(s.word_pointer, s.seen);
  if (s.seen != nil && marker_has_block) ++blocks;  // its content is read or counted below
  if (s.fifo != nil) {
    Byte last = s.fifo;
    while (next_of(s, last) != nil) last = s.next[last];
    if (last == s.seen) --blocks;
    count(s.fifo, nil);
  }
  if (waiting != 0 && s.suspensions == 0) throw Violation{"lost wake-up: a message is left"};
  if ((s.ended & waiting) != 0 || (s.ended | waiting) != s.created)
    throw Violation{"a message is lost"};
  if (blocks + s.free_count != blocks_max) throw Violation{"a block is lost"};
  const Byte wanted = s.is_dead != 0 ? closed : s.suspensions != 0 ? parked | suspended : parked;
  if (s.word_flags != wanted) throw Violation{"at rest with other flags"};
}

}  // namespace actord::sim::mailbox
