// SPDX-License-Identifier: Apache-2.0
//
// Helpers for the cases about back-off supervisors: a supervisor "/user/guard" with an actor
// "child" below it.
#pragma once

#include <actord/backoff_supervisor.hpp>

#include "seeded_test.hpp"

namespace actord::conformance {

using Guard = BackoffSupervisor<ScriptedActor>;

/// 100 ms doubled up to 800 ms, without a random part; each cause is decided as its name says.
inline BackoffOptions on_stop() {
  return BackoffOptions::on_stop(100ms, 800ms, 0).strategy(by_name()).manual_reset();
}
inline BackoffOptions on_failure() {
  return BackoffOptions::on_failure(100ms, 800ms, 0).strategy(by_name()).manual_reset();
}

/// "/user/guard" with "/user/guard/child" below it.
inline Ref put(SeededTest& test, BackoffOptions options, Script script = {}) {
  return {test.world.spawn<Guard>("guard", std::move(options), std::string{"child"}, &test,
                                  std::move(script))};
}
inline Ref put_under(SeededTest& test, Ref parent, const BackoffOptions& options,
                     const Script& script = {}) {
  Ref guard;
  test.perform(parent, [&](ScriptedActor&, Context& ctx) {
    guard = ctx.spawn<Guard>("guard", options, "child", &test, script);
  });
  return guard;
}
inline Ref child(SeededTest& test) { return test.find("/user/guard/child"); }

/// Advances the time until the child exists. Returns by how much, in nanoseconds, or -1 if no child
/// comes.
inline std::int64_t time_until_child(SeededTest& test) {
  return test.advance_until_found("/user/guard/child");
}

inline void stop_itself(SeededTest& test) {
  test.perform(child(test), [](ScriptedActor&, Context& ctx) { ctx.stop_self(); });
}

/// Asks a back-off supervisor, and keeps the answers.
class Inquirer : public Actor {
 public:
  struct Answers {
    std::vector<std::int64_t> counts;
    std::vector<Ref> children;
  };
  explicit Inquirer(Answers* answers) : answers_(*answers) {}
  void count(const RestartCount& answer) { answers_.counts.push_back(answer.count); }
  void child(const CurrentChild& answer) { answers_.children.push_back(answer.child); }
  using Receive = Handlers<&Inquirer::count, &Inquirer::child>;

 private:
  Answers& answers_;
};

inline std::int64_t count_of(SeededTest& test, Ref guard) {
  Inquirer::Answers answers;
  const actor::Ref who = test.world.spawn<Inquirer>("", &answers);
  test.world.send(guard.value, GetRestartCount{}, who);
  test.world.stop(who);
  return answers.counts.size() == 1 ? answers.counts[0] : -1;
}
inline std::optional<Ref> current_child(SeededTest& test, Ref guard) {
  Inquirer::Answers answers;
  const actor::Ref who = test.world.spawn<Inquirer>("", &answers);
  test.world.send(guard.value, GetCurrentChild{}, who);
  test.world.stop(who);
  return answers.children.size() == 1 ? std::optional{answers.children[0]} : std::nullopt;
}

/// A script for a child that has a child "kid". The kid's post_stop is `does`, which runs while the
/// child waits for the kid.
inline Script with_kid_that(Script::Hook does) {
  return {.pre_start = [does = std::move(does)](ScriptedActor& actor, Context& ctx) {
    ctx.spawn<ScriptedActor>("kid", &actor.test(), Script{.post_stop = does});
  }};
}

template <class Make>
bool is_refused(Make&& make) {
  try {
    make();
  } catch (const Error&) {
    return true;
  }
  return false;
}

}  // namespace actord::conformance
