// SPDX-License-Identifier: Apache-2.0
//
// 100 000 one-shots, uniform in 0 … 2 s, set from one handler.
#include <algorithm>

#include "rig.hpp"
#include "rows.hpp"

namespace actord::bench {

namespace {

// The time at which it is due, ns of the monotonic clock.
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
    std::vector<std::int64_t> delays;  // drawn before, so that chance is not in the time
    for (std::int64_t i = 0; i < timers.count; ++i)
      delays.push_back(static_cast<std::int64_t>(ctx.random() % 2'000'000'000));
    const std::int64_t start = monotonic_ns();
    std::int64_t now = start;
    for (std::size_t i = 0; i < delays.size(); ++i) {
      // The clock costs too much to be read for each: the time that is written down may be too
      // early by 16 insertions, so what is early against it is early.
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

}  // namespace actord::bench
