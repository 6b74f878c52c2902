// SPDX-License-Identifier: Apache-2.0
//
// A lane of a host process, and the actor that is in a call on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/sync.hpp"
#include "isolate/options.hpp"
#include "link/channel.hpp"
#include "os/lane_ends.hpp"
#include "os/shared_lanes.hpp"

namespace actord::isolate {

class HostProcess;

/// The runtime's end of a lane, as link/ sees it.
class LaneChannel final : public link::Channel, os::LongWait {
 public:
  LaneChannel(HostProcess& host, os::SharedLanes& lanes, unsigned number)
      : lane(lanes, number), host_(host) {}

  Turned exchange(std::string_view frame, std::string& requests) override;
  /// The actor whose call has lasted for long, or in whose call the process has ended. Any thread.
  std::optional<CallSite> site() const;
  void forget_site() noexcept;

  os::ParentLane lane;
  // Counts up when a thread takes the lane and when it gives it back, so that it is odd in between.
  // To read the clock would cost a twentieth of a round trip. Relaxed: only the thread that has the
  // lane writes it, and the watching thread only looks whether it is another number.
  base::Atomic<std::uint64_t> uses{0};
  bool is_in_use() const noexcept { return uses.load(base::relaxed) % 2 != 0; }

  // ---- of the watching thread ----
  struct Seen {
    std::uint64_t use = 0;
    std::int64_t since_ns = 0;  // when it saw that use first
    bool is_warned_of = false;
    bool is_aborted = false;
  };
  Seen seen;

  void count_use() noexcept { uses.store(uses.load(base::relaxed) + 1, base::relaxed); }

 private:
  void on_long_wait() noexcept override { note_site(); }
  void note_site() noexcept;

  HostProcess& host_;
  mutable base::Mutex site_mutex_;
  std::optional<CallSite> site_;
  // Relaxed: written and read by the thread that has the lane.
  base::Atomic<bool> has_site_{false};
};

}  // namespace actord::isolate
