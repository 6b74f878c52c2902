// SPDX-License-Identifier: Apache-2.0
//
// A system as the daemon runs it, and the signal with which actors report to their row.
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

/// The signal of an actor to the row that waits for it: once, with a number to check. The row may
/// destroy it before signal() returns.
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

/// Signals what it is told.
class Referee : public Actor {
 public:
  explicit Referee(Finish* finish) : finish_(finish) {}

  void on(const Number& n) { finish_->signal(n.value); }
  using Receive = Handlers<&Referee::on>;

 private:
  Finish* finish_;
};

/// A system of actors for one row. Used by the row's thread only.
class Rig {
 public:
  struct Options {
    unsigned workers = 0;          // 0: as many as the machine has CPUs
    int log_fd = -1;               // JSON lines from level info on go there; -1: nothing is logged
    const char* plugin = nullptr;  // a file to load besides the actors of this program
    bool restarts_all = false;     // also children of /user that cannot be created
    std::shared_ptr<persist::Store> store = {};  // of persistent actors; null: there are none
  };

  explicit Rig(unsigned workers) : Rig(Options{.workers = workers}) {}
  explicit Rig(const Options& options);
  /// Stops all actors and joins the workers.
  ~Rig();
  Rig(const Rig&) = delete;

  /// Spawns a child of /user under a new name.
  template <class A, class... Args>
  Ref spawn(Args&&... args) {
    return spawn(detail::props_of<A>(std::forward<Args>(args)...));
  }
  Ref spawn(const actord_props& props);
  Ref spawn(std::string_view behaviour);  // of a plugin
  /// An actor that does not run on the workers of the default dispatcher.
  template <class A>
  Ref spawn_on(std::string_view dispatcher) {
    auto props = system_->props_of(detail::props_of<A>());
    check(props.ok(), "no such behaviour");
    return spawn_on(dispatcher, "actor-" + std::to_string(++last_name_), std::move(*props));
  }
  Ref spawn_on(std::string_view dispatcher, std::string name, actor::PropsPtr props);

  template <Message M>
  void tell(Ref to, M message) {
    system_->tell(to.value, detail::listed_type_id<M>(), &message);
  }
  system::ActorSystem& system() { return *system_; }
  /// Stops all actors and joins the workers. The destructor does it, if it was not done.
  void stop();
  void tell(Ref to, std::int64_t value) { tell(to, Number{value}); }

  /// Without a `log_fd` the row is the log's sink.
  log::Hub& log() { return hub_; }
  /// Writes the rest of the log to the file and ends the log. Checks that no line was lost.
  void end_log();

 private:
  void load(const char* file);

  sched::ThreadExecutor executor_;
  log::Hub hub_;
  std::unique_ptr<sinks::LogWriter> writer_;
  std::unique_ptr<system::ActorSystem> system_;
  std::promise<void> ready_, stopped_;
  bool is_stopped_ = false;
  int last_name_ = 0;
};

}  // namespace actord::bench
