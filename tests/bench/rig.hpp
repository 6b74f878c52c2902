// SPDX-License-Identifier: Apache-2.0
//
// A system as the daemon runs it, and what a row and its actors say to each other.
#pragma once

#include <actord/actord.hpp>

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "bench_messages.hpp"
#include "log/hub.hpp"
#include "measuring.hpp"
#include "sched/thread_executor.hpp"
#include "sinks/log_writer.hpp"
#include "system/actor_system.hpp"

namespace actord::bench {

/// What an actor tells the row that waits for it: once, with a number to check. May be gone before
/// signal() returns.
class Finish {
 public:
  void signal(std::int64_t value = 0) {
    const auto promise = promise_;
    promise->set_value(value);
  }
  std::int64_t wait() { return promise_->get_future().get(); }

 private:
  std::shared_ptr<std::promise<std::int64_t>> promise_ =
      std::make_shared<std::promise<std::int64_t>>();
};

/// Thread: the row's.
class Rig {
 public:
  struct Options {
    unsigned workers = 0;          // 0: as many as the machine has CPUs
    int log_fd = -1;               // JSON lines from level info on go there; -1: nothing is logged
    const char* plugin = nullptr;  // a file to load besides the actors of this program
  };

  explicit Rig(unsigned workers) : Rig(Options{.workers = workers}) {}
  explicit Rig(const Options& options);
  /// Stops all actors and joins the workers.
  ~Rig();
  Rig(const Rig&) = delete;

  /// A child of /user, under a name of its own.
  template <class A, class... Args>
  Ref spawn(Args&&... args) {
    return spawn(detail::props_of<A>(std::forward<Args>(args)...));
  }
  Ref spawn(const actord_props& props);
  Ref spawn(std::string_view behaviour);  // of a plugin

  template <Message M>
  void tell(Ref to, M message) {
    system_->tell(to.value, detail::listed_type_id<M>(), &message);
  }
  void tell(Ref to, std::int64_t value) { tell(to, Number{value}); }

  /// Everything that was logged is in the file; nothing more will be. Checks that nothing was lost.
  void end_log();

 private:
  void load(const char* file);

  sched::ThreadExecutor executor_;
  log::Hub hub_;
  std::unique_ptr<sinks::LogWriter> writer_;
  std::unique_ptr<system::ActorSystem> system_;
  std::promise<void> ready_, stopped_;
  int last_name_ = 0;
};

}  // namespace actord::bench
