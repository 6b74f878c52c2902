// SPDX-License-Identifier: Apache-2.0
//
// What can be switched on and off for all actors while they run: kinds of log lines at level debug,
// and traces.
#pragma once

#include <cstdint>

#include "base/sync.hpp"

namespace actord::actor {

/// Log lines at level debug that have a switch of their own (supervision.md 179h).
struct DebugSwitches {
  bool receive = false;       // each message that reaches a handler
  bool autoreceive = false;   // each PoisonPill, Kill, Terminated and Identify
  bool lifecycle = false;     // started, restarted, stopped, supervised, watched …
  bool unhandled = false;     // each unhandled message
  bool event_stream = false;  // each subscription
};

/// The same switches while actors run. Any thread may set them; each is read by a relaxed load.
struct LiveSwitches {
  base::Atomic<bool> receive{false}, autoreceive{false}, lifecycle{false}, unhandled{false},
      event_stream{false};

  void set(const DebugSwitches& to) noexcept {
    receive.store(to.receive, base::relaxed);
    autoreceive.store(to.autoreceive, base::relaxed);
    lifecycle.store(to.lifecycle, base::relaxed);
    unhandled.store(to.unhandled, base::relaxed);
    event_stream.store(to.event_stream, base::relaxed);
  }
};

struct TracingSettings {
  bool is_enabled = true;   // contexts from outside are taken
  double sample_ratio = 0;  // share of the messages of timers and from outside that begin a trace
};

/// The same while actors run. Any thread may set them; each is read by a relaxed load.
struct Tracing {
  base::Atomic<bool> is_enabled{true};
  base::Atomic<std::uint64_t> sampled_below{0};  // how many of 2^64 such messages begin a trace

  void set(const TracingSettings& to) noexcept {
    const double ratio = to.is_enabled ? to.sample_ratio : 0;
    is_enabled.store(to.is_enabled, base::relaxed);
    sampled_below.store(ratio >= 1 ? UINT64_MAX : static_cast<std::uint64_t>(ratio * 0x1.0p64),
                        base::relaxed);
  }
};

}  // namespace actord::actor
