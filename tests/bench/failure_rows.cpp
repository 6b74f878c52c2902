// SPDX-License-Identifier: Apache-2.0
//
// Failures handled: a throw, the supervisor's decision, the restart, the next message. Logging is
// off for the strategy, as in all peers.
#include <algorithm>

#include "base/clock.hpp"
#include "rig.hpp"

namespace actord::bench {

namespace {

struct Score {
  std::int64_t wanted = 0;
  std::int64_t thrown = 0;
  std::int64_t thrown_at_ns = 0;
  std::vector<std::int64_t>
      latencies_ns;  // from a throw to the next handler of the new incarnation
  Finish finish;
};

class Failing : public Actor {
 public:
  explicit Failing(Score* score) : score_(score) {}

  void on(const Number&) {
    Score& s = *score_;
    const std::int64_t now = base::monotonic_ns();
    if (s.thrown_at_ns != 0) s.latencies_ns.push_back(now - s.thrown_at_ns);
    if (++s.thrown > s.wanted) return s.finish.signal();
    s.thrown_at_ns = base::monotonic_ns();
    throw std::runtime_error("no");
  }
  using Receive = Handlers<&Failing::on>;

 private:
  Score* score_;
};

class Parent : public Actor {
 public:
  static Strategy supervision() {
    return one_for_one().on<std::runtime_error>(Directive::restart).silent();
  }
  explicit Parent(Score* score) : score_(score) {}

  void on(Context& ctx, const Number& n) {
    const Ref child = ctx.spawn<Failing>("child", score_);
    for (std::int64_t i = 0; i <= n.value; ++i) ctx.tell(child, Number{i});
  }
  using Receive = Handlers<&Parent::on>;

 private:
  Score* score_;
};

}  // namespace

Figures run_failure1(unsigned workers, bool is_warm_up) {
  Score score;
  score.wanted = is_warm_up ? 5'000 : 200'000;
  score.latencies_ns.reserve(static_cast<std::size_t>(score.wanted) + 1);
  Rig rig(workers);
  const actor::Ref parent = rig.spawn<Parent>("parent", &score);
  const Stopwatch watch;
  rig.tell(parent, score.wanted);
  score.finish.wait();
  const double seconds = watch.seconds();
  auto& latencies = score.latencies_ns;
  ACTORD_ASSERT(static_cast<std::int64_t>(latencies.size()) == score.wanted);
  std::ranges::sort(latencies);
  const auto percentile = [&](std::size_t p) {
    return static_cast<double>(latencies[latencies.size() * p / 100]) * 1e-3;
  };
  return {{"failure1", static_cast<double>(score.wanted) / seconds, "failures/s"},
          {"failure1_p50_us", percentile(50), "us"},
          {"failure1_p99_us", percentile(99), "us"}};
}

}  // namespace actord::bench
