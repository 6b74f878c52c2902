// SPDX-License-Identifier: Apache-2.0
//
// What the cases about back-off supervisors share: a supervisor "/user/guard" with a puppet "child"
// below it.
#pragma once

#include <actord/backoff_supervisor.hpp>

#include "play.hpp"

namespace actord::conformance {

inline constexpr std::int64_t ms = 1'000'000;

using Guard = BackoffSupervisor<Puppet>;

/// 100 ms doubled up to 800 ms, without chance; each cause is judged as it is named.
inline BackoffOptions on_stop() {
  return BackoffOptions::on_stop(100ms, 800ms, 0).strategy(by_name()).manual_reset();
}
inline BackoffOptions on_failure() {
  return BackoffOptions::on_failure(100ms, 800ms, 0).strategy(by_name()).manual_reset();
}

/// "/user/guard" with "/user/guard/child" below it.
inline Ref put(Play& play, BackoffOptions options, Part part = {}) {
  return {play.world.spawn<Guard>("guard", std::move(options), std::string{"child"}, &play,
                                  std::move(part))};
}
inline Ref put_under(Play& play, Ref parent, const BackoffOptions& options, const Part& part = {}) {
  Ref guard;
  play.perform(parent, [&](Puppet&, Context& ctx) {
    guard = ctx.spawn<Guard>("guard", options, "child", &play, part);
  });
  return guard;
}
inline Ref child(Play& play) { return play.find("/user/guard/child"); }

/// Lets time pass until there is a child, and tells how much; -1 if none comes.
inline std::int64_t down_for(Play& play) {
  const std::int64_t begin = play.world.now_ns();
  while (!child(play)) {
    if (!play.world.simulator().advance_to_next_timer()) return -1;
  }
  return play.world.now_ns() - begin;
}

inline void stop_itself(Play& play) {
  play.perform(child(play), [](Puppet&, Context& ctx) { ctx.stop_self(); });
}

/// Asks a back-off supervisor, and keeps the answers.
class Inquirer : public Actor {
 public:
  struct Told {
    std::vector<std::int64_t> counts;
    std::vector<Ref> children;
  };
  explicit Inquirer(Told* told) : told_(*told) {}
  void count(const RestartCount& answer) { told_.counts.push_back(answer.count); }
  void child(const CurrentChild& answer) { told_.children.push_back(answer.child); }
  using Receive = Handlers<&Inquirer::count, &Inquirer::child>;

 private:
  Told& told_;
};

inline std::int64_t count_of(Play& play, Ref guard) {
  Inquirer::Told told;
  const actor::Ref who = play.world.spawn<Inquirer>("", &told);
  play.world.send(guard.value, GetRestartCount{}, who);
  play.world.stop(who);
  return told.counts.size() == 1 ? told.counts[0] : -1;
}
inline std::optional<Ref> current_child(Play& play, Ref guard) {
  Inquirer::Told told;
  const actor::Ref who = play.world.spawn<Inquirer>("", &told);
  play.world.send(guard.value, GetCurrentChild{}, who);
  play.world.stop(who);
  return told.children.size() == 1 ? std::optional{told.children[0]} : std::nullopt;
}

/// A part whose child has a kid, which does this as it ends: while the child still waits for it.
inline Part with_kid_that(Part::Does does) {
  return {.pre_start = [does = std::move(does)](Puppet& puppet, Context& ctx) {
    ctx.spawn<Puppet>("kid", &puppet.play(), Part{.post_stop = does});
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
