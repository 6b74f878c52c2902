// SPDX-License-Identifier: Apache-2.0
//
// What happens to a configured actor, as its system is told. Actors without a node in the
// configuration take no such steps.
#pragma once

#include <cstdint>
#include <string_view>

#include "actor/failure.hpp"
#include "actor/system_message.hpp"

namespace actord::actor {

struct ConfiguredStep {
  enum class Kind : std::uint8_t {
    starting,     // its parent creates it
    up,           // it has started, or restarted
    waiting,      // for the end of a back-off: failure, delay_ns
    stopped,      // reason, failure, stopped_by
    quarantined,  // it is not started, because it has crashed earlier processes: failure
    // of a back-off supervisor:
    child_waiting,  // it waits before it starts its child again: delay_ns
    gave_up         // it is about to stop, because its limit is reached
  };

  Kind kind;
  StopReason reason = StopReason::stopped;
  const Failure* failure = nullptr;  // that it waits or was stopped for; null: none
  std::int64_t delay_ns = 0;
  std::string_view stopped_by = {};  // path of the actor that has stopped it; empty: no actor has
};

}  // namespace actord::actor
