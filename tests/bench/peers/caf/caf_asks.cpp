// SPDX-License-Identifier: Apache-2.0
//
// Rows of questions and of timers.
#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

#include "caf_rows.hpp"

namespace caf_bench {

namespace {

using namespace std::chrono_literals;
using caf::actor;
using caf::actor_config;
using caf::behavior;
using caf::event_based_actor;

behavior oracle() {
  return {[](Number question) -> Number { return question + 1; }};
}

class Asker : public event_based_actor {
 public:
  Asker(actor_config& config, actor oracle, Number questions, std::chrono::milliseconds pause,
        Latencies* latencies, Finish* finish)
      : event_based_actor(config),
        oracle_(std::move(oracle)),
        left_(questions),
        pause_(pause),
        latencies_(*latencies),
        finish_(finish) {}

  behavior make_behavior() override {
    return {[this](start_atom) { ask(); }};
  }

 private:
  void ask() {
    const std::uint64_t asked_at = ticks();
    request(oracle_, 5s, left_).then([this, asked_at](Number answer) {
      latencies_.add(asked_at, ticks());
      check(answer == left_ + 1, "another answer");
      if (--left_ == 0) return finish_->signal();
      if (pause_ == 0ms) return ask();
      delayed_send(this, pause_, start_atom::value);
    });
  }

  actor oracle_;
  Number left_;
  std::chrono::milliseconds pause_;
  Latencies& latencies_;
  Finish* finish_;
};

Latencies ask(caf::actor_system& system, Number questions, std::chrono::milliseconds pause) {
  Latencies latencies(static_cast<std::size_t>(questions));
  Finish finish;
  const actor asked = system.spawn(oracle);
  const actor asker = system.spawn<Asker>(asked, questions, pause, &latencies, &finish);
  caf::anon_send(asker, start_atom::value);
  finish.wait();
  return latencies;
}

struct Book {
  explicit Book(std::size_t timers) { late_ns.reserve(timers); }
  std::vector<Number> late_ns;
  double insert_ns = 0;
  Finish finish;
};

class Sleeper : public event_based_actor {
 public:
  Sleeper(actor_config& config, Number timers, Book* book)
      : event_based_actor(config), wanted_(static_cast<std::size_t>(timers)), book_(*book) {}

  behavior make_behavior() override {
    return {[this](start_atom) { set(); },
            [this](Number due) {
              book_.late_ns.push_back(actord::bench::monotonic_ns() - due);
              if (book_.late_ns.size() == wanted_) book_.finish.signal();
            }};
  }

 private:
  void set() {
    std::mt19937_64 chance(1);
    std::vector<Number> delays;
    for (std::size_t i = 0; i < wanted_; ++i)
      delays.push_back(static_cast<Number>(chance() % 2'000'000'000));
    const Number start = actord::bench::monotonic_ns();
    Number now = start;
    for (std::size_t i = 0; i < wanted_; ++i) {
      if (i % 16 == 0) now = actord::bench::monotonic_ns();
      delayed_send(this, std::chrono::nanoseconds{delays[i]}, now + delays[i]);
    }
    book_.insert_ns =
        static_cast<double>(actord::bench::monotonic_ns() - start) / static_cast<double>(wanted_);
  }

  std::size_t wanted_;
  Book& book_;
};

}  // namespace

Figures run_ask(caf::actor_system& system, bool is_warm_up) {
  Latencies latencies = ask(system, is_warm_up ? 20'000 : 200'000, 0ms);
  return {{"ask_p50_us", latencies.us(0.5), "us"}, {"ask_p999_us", latencies.us(0.999), "us"}};
}

Figures run_ask_sleeping(caf::actor_system& system, bool is_warm_up) {
  Latencies latencies = ask(system, is_warm_up ? 100 : 3'000, 1ms);
  return {{"ask_sleeping_p50_us", latencies.us(0.5), "us"},
          {"ask_sleeping_p99_us", latencies.us(0.99), "us"}};
}

Figures run_timers(caf::actor_system& system, bool is_warm_up) {
  const Number timers = is_warm_up ? 2'000 : 100'000;
  Book book(static_cast<std::size_t>(timers));
  const actor sleeper = system.spawn<Sleeper>(timers, &book);
  const Stopwatch watch;
  caf::anon_send(sleeper, start_atom::value);
  book.finish.wait();
  const double cpu_s = watch.cpu_seconds();
  std::sort(book.late_ns.begin(), book.late_ns.end());
  check(book.late_ns.front() >= 0, "timers: one came early");
  return {{"timers_p50_late_us", static_cast<double>(book.late_ns[book.late_ns.size() / 2]) * 1e-3,
           "us"},
          {"timers_cpu_s", cpu_s, "s"},
          {"timers_insert_ns", book.insert_ns, "ns"}};
}

}  // namespace caf_bench
