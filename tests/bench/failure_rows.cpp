// SPDX-License-Identifier: Apache-2.0
//
// Rows of failures: a throw, the supervisor's decision, the restart, the next message. The strategy
// is silent, as in all peers.
#include <atomic>
#include <deque>
#include <stdexcept>

#include "rig.hpp"
#include "rows.hpp"

namespace actord::bench {

namespace {

// The state that outlives an incarnation.
struct alignas(64) Score {
  std::int64_t left = 0;           // throws to come
  std::uint64_t thrown_at = 0;     // ticks
  Latencies* latencies = nullptr;  // from a throw to the next handler of the new incarnation
};

struct Trial {
  explicit Trial(std::size_t children) : scores(children), unfinished(children) {}
  std::vector<Score> scores;
  std::atomic<std::size_t> unfinished;
  Finish finish;
};

class Failing : public Actor {
 public:
  Failing(Trial* trial, Score* score) : trial_(*trial), score_(*score) {}

  void on(const Number&) {
    if (score_.latencies != nullptr && score_.thrown_at != 0)
      score_.latencies->add(score_.thrown_at, ticks());
    if (score_.left-- == 0) return finish();
    if (score_.latencies != nullptr) score_.thrown_at = ticks();
    throw std::runtime_error("no");
  }
  using Receive = Handlers<&Failing::on>;

 private:
  void finish() {
    if (--trial_.unfinished == 0) trial_.finish.signal();
  }

  Trial& trial_;
  Score& score_;
};

// Sends each child one message for each of its throws, and a last one.
class Supervisor : public Actor {
 public:
  static Strategy supervision() {
    return one_for_one().on<std::runtime_error>(Directive::restart).silent();
  }
  explicit Supervisor(Trial* trial) : trial_(*trial) {}

  void begin(Context& ctx, const Number& throws) {
    std::vector<Ref> children;
    for (Score& score : trial_.scores) children.push_back(ctx.spawn<Failing>("", &trial_, &score));
    for (std::int64_t i = 0; i <= throws.value; ++i) {
      for (const Ref child : children) ctx.tell(child, Number{i});
    }
  }
  using Receive = Handlers<&Supervisor::begin>;

 private:
  Trial& trial_;
};

double failures_per_second(Rig& rig, Trial& trial, std::int64_t each) {
  for (Score& score : trial.scores) score.left = each;
  const Ref supervisor = rig.spawn<Supervisor>(&trial);
  const Stopwatch watch;
  rig.tell(supervisor, each);
  trial.finish.wait();
  return static_cast<double>(each) * static_cast<double>(trial.scores.size()) / watch.seconds();
}

// The state that outlives the incarnations of a child, which fails at every message but the last.
struct Course {
  std::int64_t incarnations = 0;
  Finish finish;  // gets the number of messages that the last incarnation has received
};

enum class Way { throws, reports };

// Sends itself the next message and fails at this one, as often as the first message says.
template <Way way>
class RepeatedlyFailing : public Actor {
 public:
  explicit RepeatedlyFailing(Course* course) : course_(*course) { ++course_.incarnations; }

  void on(Context& ctx, const Number& failures) {
    ++received_;
    if (failures.value == 0) return course_.finish.signal(received_);
    ctx.tell(ctx.self(), Number{failures.value - 1});
    if constexpr (way == Way::throws) throw std::runtime_error("no");
    else ctx.fail<std::runtime_error>("no");
  }
  using Receive = Handlers<&RepeatedlyFailing::on>;

 private:
  Course& course_;
  std::int64_t received_ = 0;
};

// Answers each failure of its child with the same directive.
template <Directive directive, Way way>
class SingleChildSupervisor : public Actor {
 public:
  static Strategy supervision() { return one_for_one().on<std::runtime_error>(directive).silent(); }
  explicit SingleChildSupervisor(Course* course) : course_(*course) {}

  void begin(Context& ctx, const Number& failures) {
    ctx.tell(ctx.spawn<RepeatedlyFailing<way>>("", &course_), failures);
  }
  using Receive = Handlers<&SingleChildSupervisor::begin>;

 private:
  Course& course_;
};

// One child fails at one message after the other. A resumed child keeps its incarnation; a
// restarted child gets a new one for each message.
template <Directive directive, Way way>
Figures fail_often(const Plan& plan) {
  constexpr bool is_restart = directive == Directive::restart;
  std::deque<Course> courses;  // outlive their actors
  Rig rig(plan.workers);
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const std::int64_t failures = is_warm_up ? 5'000 : plan.length_or(200'000);
    Course& course = courses.emplace_back();
    rig.tell(rig.spawn<SingleChildSupervisor<directive, way>>(&course), failures);
    const std::int64_t received = course.finish.wait();
    check(course.incarnations == (is_restart ? failures + 1 : 1), "failure: another directive");
    check(received == (is_restart ? 1 : failures + 1), "failure: a message is missing");
    return {};
  });
}

}  // namespace

Figures run_failure1(const Plan& plan) {
  std::deque<Trial> trials;  // outlive their actors
  Rig rig(plan.workers);
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const std::int64_t throws = is_warm_up ? 5'000 : 200'000;
    Latencies latencies(static_cast<std::size_t>(throws));
    Trial& trial = trials.emplace_back(1);
    trial.scores.front().latencies = &latencies;
    const double rate = failures_per_second(rig, trial, throws);
    check(latencies.count() == static_cast<std::size_t>(throws), "failure1: a restart is missing");
    return {{"failure1", rate, "failures/s"},
            {"failure1_p50_us", latencies.us(0.50), "us"},
            {"failure1_p90_us", latencies.us(0.90), "us"},
            {"failure1_p99_us", latencies.us(0.99), "us"},
            {"failure1_p999_us", latencies.us(0.999), "us"},
            {"failure1_max_us", latencies.us(1.0), "us"}};
  });
}

Figures run_failure1000(const Plan& plan) {
  std::deque<Trial> trials;
  Rig rig(plan.workers);
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    return {{"failure1000",
             failures_per_second(rig, trials.emplace_back(1'000), is_warm_up ? 5 : 200),
             "failures/s"}};
  });
}

Figures run_failure_resume(const Plan& plan) {
  return fail_often<Directive::resume, Way::throws>(plan);
}

Figures run_failure_restart(const Plan& plan) {
  return fail_often<Directive::restart, Way::throws>(plan);
}

Figures run_failure_no_throw(const Plan& plan) {
  return fail_often<Directive::restart, Way::reports>(plan);
}

}  // namespace actord::bench
