// SPDX-License-Identifier: Apache-2.0
//
// A system as the daemon runs it, without a sink, and the figures a row brings back.
#pragma once

#include <actord/actord.hpp>

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "log/hub.hpp"
#include "sched/thread_executor.hpp"
#include "system/actor_system.hpp"

namespace actord::bench {

struct Figure {
  std::string row;
  double value;
  std::string unit;
};
using Figures = std::vector<Figure>;

/// Messages carry one int64, as in all peers.
struct Number {
  std::int64_t value = 0;
};
ACTORD_MESSAGE(Number, "bench.Number/1", value)

/// What a behaviour tells the row that waits for it, once.
class Finish {
 public:
  void signal() { promise_.set_value(); }
  void wait() { promise_.get_future().wait(); }

 private:
  std::promise<void> promise_;
};

class Rig {
 public:
  explicit Rig(unsigned workers);
  ~Rig();
  Rig(const Rig&) = delete;

  template <class A, class... Args>
  actor::Ref spawn(std::string name, Args&&... args) {
    auto props = system_->props_of(detail::props_of<A>(std::forward<Args>(args)...));
    return *system_->spawn(std::move(name), std::move(*props));
  }
  void tell(actor::Ref to, std::int64_t value) {
    Number number{value};
    system_->tell(to, detail::listed_type_id<Number>(), &number);
  }

 private:
  sched::ThreadExecutor executor_;
  log::Hub hub_;
  std::unique_ptr<system::ActorSystem> system_;
  const actor::NodeSpec user_;
  std::promise<void> ready_, stopped_;
};

/// Seconds between now and the destruction.
class Stopwatch {
 public:
  Stopwatch();
  double seconds() const;

 private:
  std::int64_t start_ns_;
};

double resident_bytes();
double peak_resident_mb();

Figures run_pingpong(unsigned workers, bool is_warm_up);
Figures run_many2one(unsigned workers, bool is_warm_up);
Figures run_forkjoin(unsigned workers, bool is_warm_up);
Figures run_idle_bytes(unsigned workers, bool is_warm_up);
Figures run_failure1(unsigned workers, bool is_warm_up);

}  // namespace actord::bench
