// SPDX-License-Identifier: Apache-2.0
//
// 100 000 one-shot timers, uniform in 0 … 2 s, set by one handler. To count instructions: 10 000
// one-shot timers, uniform in 0 … 10 ms, each of which is set again when it fires.
#include <algorithm>

#include "rig.hpp"
#include "rows.hpp"

namespace actord::bench {

namespace {

// The time at which the message is due, ns of the monotonic clock.
using Due = Number;

struct Book {
  explicit Book(std::size_t timers) { late_ns.reserve(timers); }
  std::vector<std::int64_t> late_ns;
  double insert_ns = 0;
  Finish finish;
};

class Sleeper : public Actor {
 public:
  explicit Sleeper(Book* book) : book_(*book) {}

  void set(Context& ctx, const Grow& timers) {
    wanted_ = static_cast<std::size_t>(timers.count);
    std::vector<std::int64_t> delays;  // drawn before, so that the time does not include random()
    for (std::int64_t i = 0; i < timers.count; ++i)
      delays.push_back(static_cast<std::int64_t>(ctx.random() % 2'000'000'000));
    const std::int64_t start = monotonic_ns();
    std::int64_t now = start;
    for (std::size_t i = 0; i < delays.size(); ++i) {
      // The clock costs too much to be read for each timer. So Due may be too early by 16
      // insertions, and a timer that fires before Due fires too early for certain.
      if (i % 16 == 0) now = monotonic_ns();
      ctx.schedule_once(std::chrono::nanoseconds{delays[i]}, ctx.self(), Due{now + delays[i]});
    }
    book_.insert_ns = static_cast<double>(monotonic_ns() - start) / static_cast<double>(wanted_);
  }
  void wake(const Due& due) {
    book_.late_ns.push_back(monotonic_ns() - due.value);
    if (book_.late_ns.size() == wanted_) book_.finish.signal();
  }
  using Receive = Handlers<&Sleeper::set, &Sleeper::wake>;

 private:
  Book& book_;
  std::size_t wanted_ = 0;
};

// Sets each of its timers again when the timer fires. Half of them are the actor's own, started by
// key; the others are messages that the system sends later. Each time it also restarts a timeout of
// an hour, which cancels the timeout before.
class Clockwork : public Actor {
 public:
  static constexpr std::size_t timers = 10'000;
  static constexpr std::uint64_t longest_ns = 10'000'000;

  explicit Clockwork(Finish* finish) : finish_(finish) {
    for (std::size_t i = 0; i < timers; ++i) keys_.push_back("timer-" + std::to_string(i));
  }

  void begin(Context& ctx, const Grow& wanted) {
    unset_ = unfired_ = wanted.count;
    for (std::size_t i = 0; i < timers; ++i) set(ctx, i);
  }
  void fire(Context& ctx, const Number& timer) {
    const auto i = static_cast<std::size_t>(timer.value);
    check(dues_[i] != Context::Duration::max(), "timer: one fired twice");
    check(ctx.now() >= dues_[i], "timer: one fired early");
    dues_[i] = Context::Duration::max();
    if (--unfired_ == 0) return end(ctx);
    set(ctx, i);
  }
  void time_out(const Answer&) { check(false, "timer: one fired that was replaced or cancelled"); }
  using Receive = Handlers<&Clockwork::begin, &Clockwork::fire, &Clockwork::time_out>;

 private:
  void set(Context& ctx, std::size_t i) {
    if (unset_ == 0) return;
    --unset_;
    const Context::Duration delay = next_delay();
    const Number timer{static_cast<std::int64_t>(i)};
    dues_[i] = ctx.now() + delay;
    if (i % 2 == 0) ctx.start_timer(keys_[i], delay, timer);
    else ctx.schedule_once(delay, ctx.self(), timer);
    ctx.start_timer("timeout", std::chrono::hours{1}, Answer{});
  }
  // Does not use ctx.random(), since its seed differs in each run.
  Context::Duration next_delay() {
    random_ = random_ * 6364136223846793005 + 1442695040888963407;
    return Context::Duration{(random_ >> 32) % longest_ns};
  }
  void end(Context& ctx) {
    ctx.cancel_timer("timeout");
    check(!ctx.has_timer("timeout"), "timer: it was cancelled");
    finish_->signal();
  }

  Finish* finish_;
  std::vector<std::string> keys_;
  // By timer; max: the timer is not set.
  std::vector<Context::Duration> dues_ =
      std::vector<Context::Duration>(timers, Context::Duration::max());
  std::int64_t unset_ = 0, unfired_ = 0;
  std::uint64_t random_ = 1;
};

}  // namespace

Figures run_timers(const Plan& plan) {
  Rig rig(plan.workers);
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const std::int64_t timers = is_warm_up ? 2'000 : 100'000;
    Book book(static_cast<std::size_t>(timers));
    const Ref sleeper = rig.spawn<Sleeper>(&book);
    const Stopwatch watch;
    rig.tell(sleeper, Grow{0, timers});
    book.finish.wait();
    const double cpu_s = watch.cpu_seconds();
    std::ranges::sort(book.late_ns);
    check(book.late_ns.front() >= 0, "timers: one came early");
    return {{"timers_p50_late_us",
             static_cast<double>(book.late_ns[book.late_ns.size() / 2]) * 1e-3, "us"},
            {"timers_cpu_s", cpu_s, "s"},
            {"timers_insert_ns", book.insert_ns, "ns"}};
  });
}

Figures run_timer(const Plan& plan) {
  Rig rig(plan.workers);
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    Finish finish;
    rig.tell(rig.spawn<Clockwork>(&finish), Grow{0, is_warm_up ? 20'000 : plan.length_or(200'000)});
    finish.wait();
    return {};
  });
}

}  // namespace actord::bench
