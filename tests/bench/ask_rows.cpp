// SPDX-License-Identifier: Apache-2.0
//
// An actor asks another, one ask after the other: at once, or after all workers have fallen asleep.
#include "rig.hpp"
#include "rows.hpp"

namespace actord::bench {

using namespace std::chrono_literals;

namespace {

class Oracle : public Actor {
 public:
  Number answer(const Number& question) { return {question.value + 1}; }
  using Receive = Handlers<&Oracle::answer>;
};

class Asker : public Actor {
 public:
  Asker(Ref oracle, std::int64_t questions, Context::Duration pause, Latencies* latencies,
        Finish* finish)
      : oracle_(oracle), left_(questions), pause_(pause), latencies_(*latencies), finish_(finish) {}

  void ask(Context& ctx, const Number&) {
    asked_at_ = ticks();
    ctx.ask<&Asker::hear>(oracle_, Number{left_}, 5s);
  }
  void hear(Context& ctx, const Reply<Number>& answer) {
    latencies_.add(asked_at_, ticks());
    check(answer && answer->value == left_ + 1, "ask: another answer");
    if (--left_ == 0) return finish_->signal();
    if (pause_ == 0s) return ask(ctx, {});
    ctx.start_timer("pause", pause_, Number{});
  }
  using Receive = Handlers<&Asker::ask>;

 private:
  Ref oracle_;
  std::int64_t left_;
  Context::Duration pause_;
  Latencies& latencies_;
  Finish* finish_;
  std::uint64_t asked_at_ = 0;
};

Latencies ask(Rig& rig, std::int64_t questions, Context::Duration pause) {
  Latencies latencies(static_cast<std::size_t>(questions));
  Finish finish;
  const Ref oracle = rig.spawn<Oracle>();
  rig.tell(rig.spawn<Asker>(oracle, questions, pause, &latencies, &finish), 0);
  finish.wait();
  return latencies;
}

}  // namespace

Figures run_ask(const Plan& plan) {
  Rig rig(plan.workers);
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    Latencies latencies = ask(rig, is_warm_up ? 20'000 : plan.length_or(200'000), 0s);
    if (plan.length != 0) return {};  // us() sorts: its instructions would vary from run to run
    return {{"ask_p50_us", latencies.us(0.5), "us"}, {"ask_p999_us", latencies.us(0.999), "us"}};
  });
}

Figures run_ask_sleeping(const Plan& plan) {
  Rig rig(plan.workers);
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    Latencies latencies = ask(rig, is_warm_up ? 100 : 3'000, 1ms);
    return {{"ask_sleeping_p50_us", latencies.us(0.5), "us"},
            {"ask_sleeping_p99_us", latencies.us(0.99), "us"}};
  });
}

}  // namespace actord::bench
