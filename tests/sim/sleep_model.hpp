// SPDX-License-Identifier: Apache-2.0
//
// How workers fall asleep and are woken (core/sched/thread_pool.cpp), cut into steps: a step is one
// atomic operation, or everything that is done under the lock of the injected tasks.
//
// Some tasks go on until another one has run, so that a task that no worker notices is a violation
// even if its own worker is awake. Time passes for sleepers with a deadline: their steps are always
// possible. Whether a thief finds a queue worth stealing from is left open: here every look may
// succeed.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>

#include "sim/sched_search.hpp"

namespace actord::sim::sleeping {

using Byte = std::uint8_t;

enum class Bug : Byte {
  none,
  look_before_idle,
  no_look,
  no_token,
  wake_before_push,
  searcher_forgets,
  stop_searching_late,
  watch_for_ever_less,
  keep_watch,
  no_relay,
  no_flag,
  flag_over_tasks,
  flag_over_timers,
  deaf_to_timers,
  keep_appointment
};

struct NamedBug {
  const char* name;
  Bug bug;
  const char* what;
};

inline constexpr NamedBug bugs[] = {
    {"look-before-idle", Bug::look_before_idle, "a sleeper looks before it sets its idle bit"},
    {"no-look", Bug::no_look, "a sleeper does not look once more"},
    {"no-token", Bug::no_token, "a wake-up that comes before the sleep is lost"},
    {"wake-before-push", Bug::wake_before_push, "who injects wakes before the task is there"},
    {"searcher-forgets", Bug::searcher_forgets, "who found one task leaves the others to nobody"},
    {"stop-searching-late", Bug::stop_searching_late, "who searches stops after its last look"},
    {"no-last-look", Bug::watch_for_ever_less, "a watcher that gives up does not look again"},
    {"keep-watch", Bug::keep_watch, "a watcher that found work says that it watches"},
    {"no-relay", Bug::no_relay, "who found work does not care who watches"},
    {"no-flag", Bug::no_flag, "who runs alone wakes nobody at its first push"},
    {"flag-over-tasks", Bug::flag_over_tasks, "who runs alone forgets what it has already"},
    {"flag-over-timers", Bug::flag_over_timers, "who runs alone forgets its timers"},
    {"deaf-to-timers", Bug::deaf_to_timers, "a watcher does not fire a stuck worker's timers"},
    {"keep-appointment", Bug::keep_appointment, "who came early still has the appointment"},
};

/// What a task does. A kind with `for` in its name goes on until the task that it names has run.
enum class Kind : Byte {
  plain,
  push_last,         // makes the last task runnable, on its worker
  push_last_for_it,  // the same, and waits for it
  wait_for_last,     // another thread makes that one runnable
  set_timer,         // on its worker, which makes runnable what no injector injects
};
inline constexpr Byte tasks_max = 4;

struct Configuration {
  const char* name;
  Byte workers;
  std::array<Kind, tasks_max> tasks;
  Byte task_count;
  Byte injectors;         // number i injects task i, each once
  bool has_timer;         // a timer of the first worker makes runnable what no injector injects
  bool is_large = false;  // only with --all
};

inline constexpr Configuration configurations[] = {
    {"2 workers, 1 task", 2, {Kind::plain}, 1, 1, false},
    {"2 workers, 2 tasks", 2, {Kind::plain, Kind::plain}, 2, 2, false},
    {"2 workers, a task that waits for another",
     2,
     {Kind::wait_for_last, Kind::plain},
     2,
     2,
     false},
    {"2 workers, a task that waits for what it pushed",
     2,
     {Kind::push_last_for_it, Kind::plain},
     2,
     1,
     false},
    {"2 workers, a push, and one comes from outside",
     2,
     {Kind::push_last_for_it, Kind::plain, Kind::plain},
     3,
     2,
     false},
    {"2 workers, 3 from outside, the first waits for the last",
     2,
     {Kind::wait_for_last, Kind::plain, Kind::plain},
     3,
     3,
     false,
     true},
    {"3 workers, a task that waits for what it pushed",
     3,
     {Kind::push_last_for_it, Kind::plain},
     2,
     1,
     false},
    {"3 workers, a push, and one comes from outside",
     3,
     {Kind::push_last_for_it, Kind::plain, Kind::plain},
     3,
     2,
     false,
     true},
    {"2 workers, a timer", 2, {Kind::plain}, 1, 0, true},
    {"2 workers, a timer is set, and a task waits for it",
     2,
     {Kind::set_timer, Kind::wait_for_last, Kind::plain},
     3,
     2,
     false},
    {"2 workers, a timer for two, one waits for the other",
     2,
     {Kind::wait_for_last, Kind::plain},
     2,
     0,
     true},
    {"2 workers, a task waits for another one's timer",
     2,
     {Kind::wait_for_last, Kind::plain},
     2,
     1,
     true},
};

class Model {
 public:
  enum class At : Byte {
    pick,
    injected,
    search,
    spin,
    stop_search,
    check_rest,
    set_idle,
    set_idle_late,
    claim,
    look_idle,
    release,
    look_again,
    appoint,
    check,
    sleep,
    clear_appointment,
    clear_idle,
    leave,
    leave_look,
    push,
    wait,
    wake_claim,
    wake_unpark
  };
  static constexpr Byte none = 0xff;

  struct Worker {
    At at, after;  // `after`: where it goes on after it has woken another worker
    Byte task;     // in hand
    Byte victim;   // the worker to be woken
    Byte queue;    // one bit per task
    bool has_slept, is_watcher, has_deadline, tells_any_push, token, has_appointment;
  };
  struct Injector {
    Byte at;  // 0: push, 1: look for searchers, 2 and 3: wake, 4: over, or the late push of a bug
    Byte victim;
  };
  struct State {
    std::array<Worker, 3> worker;
    std::array<Injector, 3> injector;
    Byte idle, watcher, searching, appointment;
    Byte injected;  // one bit per task; which one is taken first is left open
    Byte run;       // one bit per task
    Byte timer;     // the bit of the worker that has the timer
  };

  Model(const Configuration& configuration, Bug bug) : c_(configuration), bug_(bug) {}

  State initial() const {
    State s{};
    for (Worker& w : s.worker) w.task = w.victim = none;
    for (Injector& i : s.injector) i.victim = none;
    s.timer = c_.has_timer ? 1 : 0;
    return s;
  }
  /// Each worker once for each way it may go on, then the injectors.
  std::size_t threads() const { return c_.workers * ways + c_.injectors; }
  bool step(State& s, std::size_t thread) const {
    if (thread >= c_.workers * ways) return step_injector(s, thread - c_.workers * ways);
    return step_worker(s, thread / ways, thread % ways);
  }
  void at_rest(const State& s) const {
    if (s.run != (1 << c_.task_count) - 1) throw Broken{"a task is left, and nobody sees it"};
    if (s.timer != 0) throw Broken{"a timer is left, and nobody sees it"};
  }
  bool is_done(const State& s) const { return s.run == (1 << c_.task_count) - 1; }
  /// Workers are interchangeable.
  State canonical(const State& s) const {
    std::array<Byte, 3> order{0, 1, 2};  // the workers in their new order
    const auto comes_before = [&](Byte a, Byte b) {
      const auto bits = [&](Byte i) {
        return (s.timer >> i & 1) << 2 | (s.idle >> i & 1) << 1 | (s.watcher >> i & 1);
      };
      const int by_bytes = std::memcmp(&s.worker[a], &s.worker[b], sizeof(Worker));
      return by_bytes != 0 ? by_bytes < 0 : bits(a) < bits(b);
    };
    for (Byte last = c_.workers; last > 1; --last) {
      for (Byte i = 1; i < last; ++i) {
        if (comes_before(order[i], order[i - 1])) std::swap(order[i], order[i - 1]);
      }
    }
    State c = s;
    std::array<Byte, 3> place{};
    c.idle = c.watcher = c.appointment = c.timer = 0;
    for (Byte at = 0; at < 3; ++at) {
      const Byte from = order[at];
      place[from] = at;
      c.worker[at] = s.worker[from];
      if ((s.idle & bit(from)) != 0) c.idle |= bit(at);
      if ((s.watcher & bit(from)) != 0) c.watcher |= bit(at);
      if ((s.appointment & bit(from)) != 0) c.appointment |= bit(at);
      if ((s.timer & bit(from)) != 0) c.timer |= bit(at);
    }
    for (Worker& w : c.worker) {
      if (w.victim != none) w.victim = place[w.victim];
    }
    for (Injector& i : c.injector) {
      if (i.victim != none) i.victim = place[i.victim];
    }
    return c;
  }
  void tell(const State& s, std::size_t thread) const {
    if (thread >= c_.workers * ways) {
      const Injector& i = s.injector[thread - c_.workers * ways];
      std::printf("  injector %zu at %u", thread - c_.workers * ways, i.at);
    } else {
      const Worker& w = s.worker[thread / ways];
      std::printf("  worker %zu at %-2u task %2d queue %x", thread / ways,
                  static_cast<unsigned>(w.at), w.task == none ? -1 : w.task, w.queue);
    }
    std::printf("  [idle %x watcher %x searching %u injected %x run %x]\n", s.idle, s.watcher,
                s.searching, s.injected, s.run);
  }

 private:
  // A worker that spins goes on with what it finds, or with nothing: its ways are the tasks, then
  // the other workers' queues, then nothing.
  static constexpr std::size_t ways = 5;

  Byte all() const { return static_cast<Byte>((1 << c_.workers) - 1); }
  static Byte bit(std::size_t i) { return static_cast<Byte>(1 << i); }
  static Byte first(Byte bits) {
    Byte i = 0;
    while ((bits >> i & 1) == 0) ++i;
    return i;
  }
  Byte last() const { return static_cast<Byte>(c_.task_count - 1); }

  void take(Worker& w, Byte& from, Byte task) const {
    from &= static_cast<Byte>(~bit(task));
    w.task = task;
  }
  // ThreadPool::take_injected(), with a share for the worker's own queue.
  bool take_injected(State& s, Worker& w, std::size_t way) const {
    if (way >= c_.task_count || (s.injected & bit(way)) == 0) return false;
    take(w, s.injected, static_cast<Byte>(way));
    Byte left = 0;
    for (Byte i = 0; i < tasks_max; ++i) left = static_cast<Byte>(left + (s.injected >> i & 1));
    for (Byte share = static_cast<Byte>(left / c_.workers); share != 0; --share) {
      const Byte task = first(s.injected);
      s.injected &= static_cast<Byte>(~bit(task));
      w.queue |= bit(task);
    }
    return true;
  }
  static void wake(Worker& w, At after) {
    w.at = At::wake_claim;
    w.after = after;
  }
  // Goes on with a task in hand.
  void go_on(State& s, Worker& w) const {
    w.at = At::leave;
    if (!w.has_slept && !w.tells_any_push) run(s, w);
  }
  void run(State& s, Worker& w) const {
    if ((s.run & bit(w.task)) != 0) throw Broken{"a task runs twice"};
    s.run |= bit(w.task);
    switch (c_.tasks[w.task]) {
      case Kind::plain:
        w.task = none;
        w.at = At::pick;
        return;
      case Kind::set_timer:
        s.timer = bit(static_cast<std::size_t>(&w - s.worker.data()));
        w.task = none;
        w.at = At::pick;
        return;
      case Kind::wait_for_last: w.at = At::wait; return;
      default: w.at = At::push;
    }
  }
  bool is_due(const State& s, std::size_t i) const { return (s.timer & bit(i)) != 0; }
  bool is_due_elsewhere(const State& s, std::size_t i) const { return (s.timer & ~bit(i)) != 0; }
  void fire(State& s, Worker& w) const {
    s.timer = 0;
    for (Byte task = c_.injectors; task < c_.task_count; ++task) w.queue |= bit(task);
  }

  bool step_worker(State& s, std::size_t i, std::size_t way) const {
    Worker& w = s.worker[i];
    switch (w.at) {
      case At::pick:
        if (way != 0) return false;
        if (w.queue == 0) return w.at = At::injected, true;
        take(w, w.queue, first(w.queue));
        return go_on(s, w), true;
      case At::injected:
        if (s.injected == 0) {
          if (way != 0) return false;
          return w.at = At::search, true;
        }
        if (!take_injected(s, w, way)) return false;
        return w.at = At::check_rest, true;
      case At::search:
        if (way != 0) return false;
        ++s.searching;
        return w.at = At::spin, true;
      case At::spin: return spin(s, w, i, way);
      case At::stop_search:
        if (way != 0) return false;
        --s.searching;
        if (w.task != none) w.at = At::check_rest;
        else w.at = bug_ == Bug::stop_searching_late ? At::sleep : At::set_idle;
        return true;
      case At::check_rest:
        if (way != 0) return false;
        if (s.injected != 0 && bug_ != Bug::searcher_forgets) wake(w, At::leave);
        else go_on(s, w);
        return true;
      case At::leave_look:
        if (way == 1 && s.appointment != 0) return run(s, w), true;
        [[fallthrough]];  // no wake-up comes, or not soon
      default: return way == 0 && (w.at < At::leave ? fall_asleep(s, w, i) : work(s, w, i));
    }
  }

  bool spin(State& s, Worker& w, std::size_t i, std::size_t way) const {
    if (way == ways - 1) {  // it has searched long enough
      w.at = bug_ == Bug::stop_searching_late ? At::set_idle : At::stop_search;
      return true;
    }
    if (way < tasks_max && take_injected(s, w, way)) return w.at = At::stop_search, true;
    if (way == 0 && is_due(s, i)) {
      fire(s, w);
    } else if (way == 3 && is_due_elsewhere(s, i) && (s.idle & s.timer) == 0 &&
               bug_ != Bug::deaf_to_timers) {
      fire(s, w);
    } else {
      if (way == 0 || way > c_.workers || way - 1 == i) return false;
      Worker& victim = s.worker[way - 1];
      if (victim.queue == 0) return false;
      take(w, victim.queue, first(victim.queue));
      return w.at = At::stop_search, true;
    }
    take(w, w.queue, first(w.queue));
    return w.at = At::stop_search, true;
  }

  static At after_sleep(const Worker& w) {
    return w.has_appointment ? At::clear_appointment : At::clear_idle;
  }
  // ThreadPool::sleep(), claim_watch(), claim_appointment()
  bool fall_asleep(State& s, Worker& w, std::size_t i) const {
    switch (w.at) {
      case At::set_idle:
        w.has_slept = true;
        w.tells_any_push = false;
        if (bug_ == Bug::look_before_idle)
          return w.at = s.injected != 0 ? At::pick : At::set_idle_late, true;
        [[fallthrough]];
      case At::set_idle_late:
        s.idle |= bit(i);
        w.has_deadline = false;
        return w.at = At::claim, true;
      case At::claim:
        w.at = At::appoint;
        if (!w.is_watcher) {
          if (s.watcher != 0) return true;
          s.watcher = bit(i);
          w.is_watcher = true;
        }
        w.at = At::look_idle;
        return true;
      case At::look_idle:
        w.has_deadline = s.idle != all();  // one quiet period is enough in the model
        w.at = w.has_deadline ? At::appoint : At::release;
        return true;
      case At::release:
        w.is_watcher = false;
        s.watcher = 0;
        w.at = At::look_again;
        return true;
      case At::look_again:
        w.has_deadline = s.idle != all() && bug_ != Bug::watch_for_ever_less;
        return w.at = At::appoint, true;
      case At::appoint:
        w.at = At::check;
        if (w.is_watcher || s.appointment != 0 || !is_due_elsewhere(s, i)) return true;
        w.has_deadline = w.has_appointment = true;
        s.appointment = bit(i);
        return true;
      case At::check: {
        const bool is_blind = bug_ == Bug::no_look || bug_ == Bug::look_before_idle;
        w.at = s.injected != 0 && !is_blind ? after_sleep(w) : At::sleep;
        if (bug_ == Bug::stop_searching_late) w.at = At::stop_search;
        return true;
      }
      case At::sleep:
        if (!w.token && !w.has_deadline && !is_due(s, i)) return false;
        w.token = false;
        return w.at = after_sleep(w), true;
      case At::clear_appointment:
        if (bug_ != Bug::keep_appointment) s.appointment = 0;
        w.has_appointment = false;
        return w.at = At::clear_idle, true;
      case At::clear_idle:
        s.idle &= static_cast<Byte>(~bit(i));
        w.has_deadline = false;
        return w.at = w.queue != 0 ? At::pick : At::injected, true;
      default: return false;
    }
  }

  // ThreadPool::hand_over_watch(), wake_one(), and what tasks do
  bool work(State& s, Worker& w, std::size_t i) const {
    switch (w.at) {
      case At::leave:
        if (bug_ == Bug::no_relay) return run(s, w), true;
        if (!w.has_slept && !w.tells_any_push) return run(s, w), true;
        w.has_slept = w.tells_any_push = false;
        if (!w.is_watcher && s.watcher != 0) return run(s, w), true;
        if (w.is_watcher && bug_ != Bug::keep_watch) {
          w.is_watcher = false;
          s.watcher = 0;
        }
        return w.at = At::leave_look, true;
      case At::leave_look: {
        if (s.idle == 0) return run(s, w), true;
        const bool is_alone = (s.idle | bit(i)) == all();
        const bool has_tasks = w.queue != 0 && bug_ != Bug::flag_over_tasks;
        const bool has_timers = is_due(s, i) && bug_ != Bug::flag_over_timers;
        if (!is_alone || has_tasks || has_timers) return wake(w, At::leave), true;
        w.tells_any_push = bug_ != Bug::no_flag;
        return run(s, w), true;
      }
      case At::push: {
        w.queue |= bit(last());
        w.at = At::wait;
        if (c_.tasks[w.task] == Kind::push_last) w.at = At::pick, w.task = none;
        if (w.tells_any_push) wake(w, w.at);
        w.tells_any_push = false;
        return true;
      }
      case At::wait:
        if ((s.run & bit(last())) == 0) return false;
        w.task = none;
        return w.at = At::pick, true;
      case At::wake_claim:
        if (claim(s, w.victim)) return w.at = At::wake_unpark, true;
        return w.at = w.after, true;
      case At::wake_unpark:
        unpark(s, w.victim);
        w.victim = none;
        return w.at = w.after, true;
      default: return false;
    }
  }

  // ThreadPool::wake_one(), up to the compare-and-swap: a failed one starts again.
  bool claim(State& s, Byte& victim) const {
    if (s.idle == 0) return false;
    const Byte others = static_cast<Byte>(s.idle & ~s.watcher);
    victim = first(others != 0 ? others : s.idle);
    s.idle &= static_cast<Byte>(~bit(victim));
    return true;
  }
  void unpark(State& s, Byte victim) const {
    Worker& sleeper = s.worker[victim];
    sleeper.token = bug_ != Bug::no_token || sleeper.at == At::sleep;
  }

  // ThreadPool::inject()
  bool step_injector(State& s, std::size_t n) const {
    Injector& i = s.injector[n];
    const bool is_reversed = bug_ == Bug::wake_before_push;
    constexpr Byte over = 4;
    switch (i.at) {
      case 0:
        if (!is_reversed) s.injected |= bit(n);
        i.at = 1;
        return true;
      case 1: i.at = s.searching == 0 ? 2 : over; return true;
      case 2: i.at = claim(s, i.victim) ? 3 : over; return true;
      case 3:
        unpark(s, i.victim);
        i.victim = none;
        i.at = over;
        return true;
      case 4:
        if (!is_reversed) return false;
        s.injected |= bit(n);
        i.at = 5;
        return true;
      default: return false;
    }
  }

  const Configuration& c_;
  const Bug bug_;
};

}  // namespace actord::sim::sleeping
