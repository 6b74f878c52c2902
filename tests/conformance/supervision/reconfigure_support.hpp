// SPDX-License-Identifier: Apache-2.0
//
// What cases about another configuration in the place of the one that holds are written with.
#pragma once

#include "configured.hpp"

namespace actord::conformance {

using Otherwise = actor::Strategy::Otherwise;

inline constexpr std::int64_t ms = 1'000'000;

/// "top" with a child, judged so.
inline Nodes family(const actor::Strategy& strategy) { return {{"top", {{"child"}}, strategy}}; }

inline actor::Strategy backing_off(std::int64_t delay_ns) {
  actor::Strategy strategy = restarting();
  strategy.backoff = actor::Backoff{delay_ns, delay_ns, 0, delay_ns, 1'000};
  return strategy;
}

/// The child's failure reaches its supervisor when that has been suspended.
inline void fail_while_suspended(SeededTest& test, Ref child, Ref supervisor) {
  test.perform(child, [=](ScriptedActor& actor, Context&) {
    actor.test().send_system(supervisor, actor::SystemMessage::suspend());
    throw Resuming("boom");
  });
}

}  // namespace actord::conformance
