// SPDX-License-Identifier: Apache-2.0
//
// A system on real workers, more than most machines have cores, audited after its end.
//
// No test here sleeps: the cases wait for signals of actors. Tests with virtual time and seeds use
// seeded_test.hpp.
#pragma once

#include <doctest/doctest.h>
#include <actord/actord.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "log/hub.hpp"
#include "sched/thread_executor.hpp"
#include "support/wait.hpp"
#include "system/actor_system.hpp"

namespace actord::conformance {

struct Go {  // the actor does its work
  std::int64_t n = 0;
};
struct Count {
  std::int64_t sender = 0;
  std::int64_t n = 0;
};
ACTORD_MESSAGE(Go, "crew.Go/1", n)
ACTORD_MESSAGE(Count, "crew.Count/1", sender, n)

/// Instances constructed and not yet destroyed.
class Census {
 public:
  class Member {
   public:
    explicit Member(Census& census) : census_(census) { ++census_.alive_; }
    ~Member() { --census_.alive_; }
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;

   private:
    Census& census_;
  };
  int alive() const { return alive_.load(); }

 private:
  std::atomic<int> alive_{0};
};

class Crew {
 public:
  static constexpr unsigned workers = 8;

  explicit Crew(std::vector<actor::Deployment> deployments);
  Crew() : Crew(std::vector<actor::Deployment>{}) {}
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// May be called by any thread but a worker.
  template <class A, class... Args>
  base::Result<actor::Ref> try_spawn(std::string name, Args&&... args) {
    auto props = system_->props_of(detail::props_of<A>(std::forward<Args>(args)...));
    if (!props) return props.error();
    return system_->spawn(std::move(name), std::move(*props));
  }
  template <class A, class... Args>
  actor::Ref spawn(std::string name, Args&&... args) {
    return *try_spawn<A>(std::move(name), std::forward<Args>(args)...);
  }
  template <Message M>
  void tell(actor::Ref to, M message) {
    system_->tell(to, detail::listed_type_id<M>(), &message);
  }
  void stop(actor::Ref whom) { system_->send_system(whom, actor::SystemMessage::terminate()); }

  void terminate() { system_->terminate(); }
  bool has_stopped() const;
  /// Waits until all actors have stopped and the threads have ended; then nothing may be left.
  void end();

  system::ActorSystem& system() { return *system_; }

 private:
  sched::ThreadExecutor executor_;
  log::Hub hub_;
  std::unique_ptr<system::ActorSystem> system_;
  support::Latch ready_{1}, stopped_{1};
  bool has_ended_ = false;
};

}  // namespace actord::conformance
