// SPDX-License-Identifier: Apache-2.0
//
// What a configured actor is charged with when it has crashed an earlier process. The crash is a
// failure of the actor that no supervisor could judge then (supervision.md 179j), so the supervisor
// judges it before the actor starts in the next process (supervision.md 179k).
//
// Not here: who is charged with which crash (daemon/app/crash_ledger.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "actor/failure.hpp"

namespace actord::actor {

struct CrashCharge {
  struct Crash {
    std::int64_t ago_ns = 0;    // how long before now
    std::int64_t lived_ns = 0;  // how long the process had run
  };
  std::string id;  // of the last crash, in the daemon's records
  // "SIGSEGV"; "Hang": a handler did not return; empty: code of a plugin has ended the process
  std::string signal;
  std::string what;          // the text of the failure
  std::string message_type;  // that was being handled; empty: not known
  Crash last;
  bool is_judged = false;  // the last crash was judged before: it only counts, as the earlier ones
  std::vector<Crash> earlier;  // those that the restart limit and the back-off count, oldest first
  // The actor is not started at all, whatever its supervisor's strategy is.
  bool is_quarantined = false;
  std::string behaviour;  // of a quarantined actor, as configured: "crawler/Master"
};
using CrashChargePtr = std::shared_ptr<const CrashCharge>;

/// The types of a failure by that signal: `actord::crash::SIGSEGV`, `actord::crash::Signal`,
/// `actord::WorkerCrash` …
const TypeChain& chain_of_signal(std::string_view signal, TypeChains& chains);
/// The last crash as a failure of the actor: `actord::crash::SIGSEGV`, `actord::crash::Signal`,
/// `actord::WorkerCrash` …, or for an exit `actord::crash::Exit`, `actord::WorkerCrash` …
FailurePtr failure_of(const CrashCharge& charge, TypeChains& chains);

}  // namespace actord::actor
