// SPDX-License-Identifier: Apache-2.0
//
// The thread that starts host processes, reads what they send, watches them, and says how they have
// ended. It lives as long as any of them, because the kernel kills a host when the thread that has
// started it ends.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/sync.hpp"
#include "isolate/host_process.hpp"
#include "isolate/zygote.hpp"
#include "os/ready_wait.hpp"

namespace actord::isolate {

/// What decides which hosts there are. Called on the isolation thread.
class HostKeeper {
 public:
  /// The process has ended, or could not be started.
  virtual void on_over(const HostProcessPtr& host) = 0;
  /// Does what is due, and returns when it is to be called again at the latest.
  virtual std::int64_t keep(std::int64_t now_ns) = 0;

 protected:
  ~HostKeeper() = default;
};

class IsolationThread {
 public:
  explicit IsolationThread(HostKeeper& keeper) : keeper_(keeper) {}
  /// All hosts that are left are killed.
  ~IsolationThread();
  IsolationThread(const IsolationThread&) = delete;
  IsolationThread& operator=(const IsolationThread&) = delete;

  os::ReadyWait& wait() noexcept { return wait_; }
  /// Starts a process, and the thread if this is the first. Any thread.
  void add(HostProcessPtr host);
  /// Waits until no host is left. The keeper has ended them.
  void join_hosts();

 private:
  void run();
  void take_new();
  void look();

  HostKeeper& keeper_;
  os::ReadyWait wait_;
  Zygote zygote_;                      // of the thread
  std::vector<HostProcessPtr> hosts_;  // of the thread
  std::int64_t next_look_ns_ = 0;      // of the thread

  base::Mutex mutex_;
  base::Condition is_empty_;
  std::vector<HostProcessPtr> new_hosts_;
  std::size_t count_ = 0;  // hosts of both lists
  bool is_stopping_ = false;
  base::Thread thread_;
};

}  // namespace actord::isolate
