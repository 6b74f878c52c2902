// SPDX-License-Identifier: Apache-2.0
//
// The run queue (core/sched/run_queue.hpp) under its biased lock (core/base/biased_lock.hpp), cut
// into steps: a step is one access to the lock's words, or everything that is done under the lock.
//
// The owner's plain stores go through a store buffer, as on x86: other threads see them later, in
// their order. A membarrier empties the buffer. What else the language allows is left to the thread
// sanitizer.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>

#include "sim/sched_search.hpp"

namespace actord::sim::steal {

using Byte = std::uint8_t;

enum class Bug : Byte {
  none,
  no_membarrier,
  no_fence,
  look_then_raise,
  no_second_look,
  thief_in_a_hurry,
  two_thieves,
  give_up_inside,
  pop_without_lock,
  newest_twice
};

struct NamedBug {
  const char* name;
  Bug bug;
  const char* what;
};

inline constexpr NamedBug bugs[] = {
    {"no-membarrier", Bug::no_membarrier, "a thief does not make the owner pass a fence"},
    {"no-fence", Bug::no_fence, "where there is no membarrier the owner passes none either"},
    {"look-then-raise", Bug::look_then_raise, "the owner looks before it raises its flag"},
    {"no-second-look", Bug::no_second_look, "an owner that met a thief does not look again"},
    {"thief-in-a-hurry", Bug::thief_in_a_hurry, "a thief does not wait until the owner is out"},
    {"two-thieves", Bug::two_thieves, "a thief goes in though another is there"},
    {"give-up-inside", Bug::give_up_inside, "a thief that gives up leaves its flag"},
    {"pop-without-lock", Bug::pop_without_lock, "the owner takes the newest task unlocked"},
    {"newest-twice", Bug::newest_twice, "a thief leaves the newest task where it was"},
};

/// Owner: 'p' pushes the next task, 'y' pushes it as one that yielded, 'n' pops the newest, 'o' the
/// oldest. 'P' and 'N' first try the short path (BiasedLock::try_lock()): 'P' if there is no newest
/// task, 'N' if there is one. `thieves` says how often each thief tries to steal; the first thief
/// takes all tasks, the second one half.
struct Configuration {
  const char* name;
  const char* owner;
  std::array<Byte, 2> thieves;
  bool is_asymmetric;
  bool is_large = false;
};

inline constexpr Configuration configurations[] = {
    {"membarrier: push pop push pop, a thief of 2", "pnpn", {2, 0}, true},
    {"membarrier: push push pop pop, a thief of 2", "ppnn", {2, 0}, true},
    {"membarrier: push push pop pop, two thieves", "ppnn", {1, 1}, true},
    {"membarrier: 3 pushes, newest, oldest, newest, two thieves", "pppnon", {1, 1}, true},
    {"membarrier: yields among pushes, a thief of 2", "pypnon", {2, 0}, true},
    {"membarrier: tries, push pop push pop, two thieves", "PNPN", {1, 1}, true},
    {"membarrier: tries, push push pop pop pop, a thief of 2", "PPNNN", {2, 0}, true},
    {"fences: tries, push push pop pop pop, a thief of 2", "PPNNN", {2, 0}, false},
    {"fences: push pop push pop, a thief of 2", "pnpn", {2, 0}, false},
    {"fences: push push pop pop, two thieves", "ppnn", {1, 1}, false},
    {"fences: 3 pushes, newest, oldest, newest, two thieves", "pppnon", {1, 1}, false},
};

class Model {
 public:
  // The indices of the words.
  enum Word : Byte { owner_flag, newest, count, slots, words = slots + 3 };
  enum class OwnerAt : Byte { begin, raised, fenced, met, stepped_back, inside, leaving };
  enum class ThiefAt : Byte { begin, raise, fence, wait, inside, leave };

  struct Store {
    Byte word, value;
  };
  struct State {
    std::array<Byte, words> memory;
    Byte others;  // 1: a thief holds the lock
    std::array<Store, 12> buffer;
    Byte buffered;
    Byte op, pushed, taken;  // the owner's operations and pushes so far; taken: one bit per task
    Byte has_tried;          // the current operation has tried the short path
    OwnerAt owner;
    std::array<ThiefAt, 2> thief;
    std::array<Byte, 2> tries;
  };

  Model(const Configuration& configuration, Bug bug) : configuration_(configuration), bug_(bug) {}

  State initial() const {
    State s{};
    s.tries = configuration_.thieves;
    return s;
  }
  /// The owner, its store buffer, the two thieves, and the patience of each thief.
  std::size_t threads() const { return 6; }

  bool step(State& s, std::size_t thread) const {
    switch (thread) {
      case 0: return step_owner(s);
      case 1: return flush_one(s);
      case 2:
      case 3: return step_thief(s, thread - 2);
      default: return lose_patience(s, thread - 4);
    }
  }

  void at_rest(const State& s) const {
    if (configuration_.owner[s.op] != 0 || s.owner != OwnerAt::begin)
      throw Broken{"the owner waits for ever"};
    for (std::size_t i = 0; i < 2; ++i) {
      if (s.tries[i] != 0) throw Broken{"a thief waits for ever"};
    }
    Byte left = 0;
    const auto see = [&](Byte task) {
      if (task == 0) return;
      if ((left & bit(task)) != 0) throw Broken{"a task is twice in the queue"};
      left |= bit(task);
    };
    see(s.memory[newest]);
    for (Byte i = 0; i < s.memory[count]; ++i) see(s.memory[slots + i]);
    if ((left & s.taken) != 0) throw Broken{"a task that was taken is still there"};
    if ((left | s.taken) != (1 << s.pushed) - 1) throw Broken{"a task is lost"};
  }

  bool is_done(const State& s) const {
    return configuration_.owner[s.op] == 0 && s.tries[0] == 0 && s.tries[1] == 0;
  }
  const State& canonical(const State& s) const { return s; }
  void tell(const State& s, std::size_t thread) const {
    static constexpr const char* names[] = {"owner",   "buffer",           "thief 0",
                                            "thief 1", "thief 0 gives up", "thief 1 gives up"};
    std::printf("  %-18s owner %c at %u, flag %u, others %u, newest %u, %u waiting, %u buffered\n",
                names[thread], configuration_.owner[s.op], static_cast<unsigned>(s.owner),
                s.memory[owner_flag], s.others, s.memory[newest], s.memory[count], s.buffered);
  }

 private:
  static Byte bit(Byte task) { return static_cast<Byte>(1 << (task - 1)); }
  static void take(State& s, Byte task) {
    if (task == 0) throw Broken{"a task that was never there is taken"};
    if ((s.taken & bit(task)) != 0) throw Broken{"a task is taken twice"};
    s.taken |= bit(task);
  }

  // ---- the owner's memory
  static Byte load(const State& s, Byte word) {
    for (Byte i = s.buffered; i-- > 0;) {
      if (s.buffer[i].word == word) return s.buffer[i].value;
    }
    return s.memory[word];
  }
  static void store(State& s, Byte word, Byte value) { s.buffer[s.buffered++] = {word, value}; }
  static bool flush_one(State& s) {
    if (s.buffered == 0) return false;
    s.memory[s.buffer[0].word] = s.buffer[0].value;
    for (Byte i = 1; i < s.buffered; ++i) s.buffer[i - 1] = s.buffer[i];
    s.buffer[--s.buffered] = {};
    return true;
  }
  static void flush(State& s) {
    while (flush_one(s)) {}
  }

  // ---- the owner: BiasedLock::lock(), try_lock(), and RunQueue's operations
  bool is_someone_inside(const State& s) const {
    return s.thief[0] == ThiefAt::inside || s.thief[1] == ThiefAt::inside;
  }
  void enter(State& s) const {
    if (is_someone_inside(s)) throw Broken{"the owner goes in while a thief is there"};
    s.owner = OwnerAt::inside;
  }

  static bool is_try(char op) { return op == 'P' || op == 'N'; }
  char operation(const State& s) const {
    const char op = configuration_.owner[s.op];
    return is_try(op) && s.has_tried != 0 ? static_cast<char>(op - 'A' + 'a') : op;
  }

  static void go_on(State& s) {
    ++s.op;
    s.has_tried = 0;
  }

  bool step_owner(State& s) const {
    const char op = operation(s);
    switch (s.owner) {
      case OwnerAt::begin:
        if (op == 0) return false;
        if (s.buffered + 7u > s.buffer.size()) return false;  // the buffer is limited
        if (is_try(op) && (load(s, newest) != 0) != (op == 'N')) return s.has_tried = 1, true;
        if (op == 'n' && load(s, newest) == 0 && load(s, count) == 0) return go_on(s), true;
        if (op == 'o' && load(s, count) == 0) return go_on(s), true;
        if (bug_ == Bug::pop_without_lock && op == 'n' && load(s, newest) != 0) {
          take(s, load(s, newest));
          store(s, newest, 0);
          return ++s.op, true;
        }
        if (bug_ == Bug::look_then_raise && s.others == 0) {
          s.owner = OwnerAt::fenced;
          return true;
        }
        store(s, owner_flag, 1);
        s.owner = OwnerAt::raised;
        return true;
      case OwnerAt::raised:
        if (s.others == 0 && (configuration_.is_asymmetric || bug_ == Bug::no_fence)) {
          enter(s);
          return true;
        }
        [[fallthrough]];
      case OwnerAt::stepped_back:  // the exchange, with its fence
        if (s.owner == OwnerAt::stepped_back && (s.others & 1) != 0) return false;
        flush(s);
        s.memory[owner_flag] = 1;
        s.owner = OwnerAt::fenced;
        if (bug_ == Bug::no_second_look) enter(s);
        return true;
      case OwnerAt::fenced:
        if (bug_ == Bug::look_then_raise) {
          s.memory[owner_flag] = 1;
          enter(s);
        } else if ((s.others & 1) == 0) {
          enter(s);
        } else {
          s.owner = OwnerAt::met;
        }
        return true;
      case OwnerAt::met:
        store(s, owner_flag, 0);
        s.owner = is_try(op) ? OwnerAt::begin : OwnerAt::stepped_back;
        s.has_tried = 1;
        return true;
      case OwnerAt::inside:
        s.has_tried = op == 'N' && load(s, newest) == 0;  // a thief was faster
        if (s.has_tried == 0) work(s, op);
        s.owner = OwnerAt::leaving;
        return true;
      case OwnerAt::leaving:
        store(s, owner_flag, 0);
        s.owner = OwnerAt::begin;
        if (s.has_tried == 0) go_on(s);
        return true;
    }
    return false;
  }

  void work(State& s, char op) const {
    const Byte first = load(s, newest), n = load(s, count);
    switch (op) {
      case 'P':
      case 'p':
        if (first != 0) store(s, slots + n, first), store(s, count, n + 1);
        store(s, newest, ++s.pushed);
        return;
      case 'y':  // at the back; the slots begin with the oldest
        for (Byte i = n; i-- > 0;) store(s, slots + i + 1, load(s, slots + i));
        store(s, slots, ++s.pushed);
        store(s, count, n + 1);
        return;
      case 'N':
      case 'n':
        if (first != 0) return take(s, first), store(s, newest, 0);
        if (n == 0) return;
        take(s, load(s, static_cast<Byte>(slots + n - 1)));
        return store(s, count, n - 1);
      default:
        if (n == 0) return;
        take(s, load(s, slots));
        for (Byte i = 1; i < n; ++i) store(s, slots + i - 1, load(s, slots + i));
        store(s, count, n - 1);
    }
  }

  // ---- thieves: BiasedLock::try_lock_as_other(), RunQueue::steal_for()
  void try_again(State& s, std::size_t i) const {
    s.thief[i] = ThiefAt::begin;
    --s.tries[i];
  }
  void go_in(State& s, std::size_t i) const {
    if (s.owner == OwnerAt::inside || s.owner == OwnerAt::leaving)
      throw Broken{"a thief goes in while the owner is there"};
    if (is_someone_inside(s)) throw Broken{"two thieves are inside"};
    s.thief[i] = ThiefAt::inside;
  }

  bool step_thief(State& s, std::size_t i) const {
    switch (s.thief[i]) {
      case ThiefAt::begin:
        if (s.tries[i] == 0) return false;
        if (s.memory[newest] == 0 && s.memory[count] == 0) try_again(s, i);
        else s.thief[i] = ThiefAt::raise;
        return true;
      case ThiefAt::raise:
        if ((s.others & 1) != 0 && bug_ != Bug::two_thieves) return try_again(s, i), true;
        s.others |= 1;
        s.thief[i] = configuration_.is_asymmetric ? ThiefAt::fence : ThiefAt::wait;
        return true;
      case ThiefAt::fence:
        if (bug_ != Bug::no_membarrier) flush(s);
        s.thief[i] = ThiefAt::wait;
        return true;
      case ThiefAt::wait:
        if (s.memory[owner_flag] != 0 && bug_ != Bug::thief_in_a_hurry) return false;
        go_in(s, i);
        return true;
      case ThiefAt::inside:
        rob(s, i == 0);
        s.thief[i] = ThiefAt::leave;
        return true;
      case ThiefAt::leave:
        s.others &= static_cast<Byte>(~1);
        try_again(s, i);
        return true;
    }
    return false;
  }
  bool lose_patience(State& s, std::size_t i) const {
    if (s.thief[i] != ThiefAt::wait || s.memory[owner_flag] == 0) return false;
    if (bug_ != Bug::give_up_inside) s.others &= static_cast<Byte>(~1);
    try_again(s, i);
    return true;
  }
  void rob(State& s, bool takes_all) const {
    Byte n = s.memory[count];
    const Byte wanted = takes_all ? n : static_cast<Byte>((n + 1) / 2);
    for (Byte k = 0; k < wanted; ++k) {
      take(s, s.memory[slots]);
      for (Byte i = 1; i < n; ++i) s.memory[slots + i - 1] = s.memory[slots + i];
      --n;
    }
    s.memory[count] = n;
    if (takes_all && s.memory[newest] != 0) {
      take(s, s.memory[newest]);
      if (bug_ != Bug::newest_twice) s.memory[newest] = 0;
    }
  }

  const Configuration& configuration_;
  const Bug bug_;
};

}  // namespace actord::sim::steal
