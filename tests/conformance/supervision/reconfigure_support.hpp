// SPDX-License-Identifier: Apache-2.0
//
// Helpers for the cases about reconfiguration.
#pragma once

#include "configured.hpp"

namespace actord::conformance {

using Otherwise = actor::Strategy::Otherwise;

/// "top" with one child, and with this strategy.
inline Nodes family(const actor::Strategy& strategy) { return {{"top", {{"child"}}, strategy}}; }

inline actor::Strategy backing_off(std::int64_t delay_ns) {
  actor::Strategy strategy = restarting();
  strategy.backoff = actor::Backoff{delay_ns, delay_ns, 0, delay_ns, 1'000};
  return strategy;
}

/// The child's failure reaches its supervisor while the supervisor is suspended.
inline void fail_while_suspended(SeededTest& test, Ref child, Ref supervisor) {
  test.perform(child, [=](ScriptedActor& actor, Context&) {
    actor.test().send_system(supervisor, actor::SystemMessage::suspend());
    throw Resuming("boom");
  });
}

}  // namespace actord::conformance
