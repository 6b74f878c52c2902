// SPDX-License-Identifier: Apache-2.0
//
// Waits until one of several descriptors is ready, or until another thread has something to say.
#pragma once

#include <cstdint>
#include <span>

#include "os/descriptor.hpp"

namespace actord::os {

class ReadyWait {
 public:
  struct Watched {
    int fd = -1;               // -1: nothing
    bool for_writing = false;  // besides reading
    bool is_ready = false;     // or closed by the other side
  };

  /// Throws std::system_error.
  ReadyWait();

  /// Returns when a descriptor is ready, after a wake() since the last call, or at that time of the
  /// monotonic clock. One thread.
  void wait(std::span<Watched> watched, std::int64_t until_ns);
  /// Any thread.
  void wake() noexcept;

 private:
  Descriptor woken_;
};

}  // namespace actord::os
