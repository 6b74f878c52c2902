// SPDX-License-Identifier: Apache-2.0
//
// What an actor weighs that has had one message and waits.
#include <atomic>

#include "rig.hpp"

namespace actord::bench {

namespace {

class Idle : public Actor {
 public:
  void on(const Number& n) { sum_ += n.value; }
  using Receive = Handlers<&Idle::on>;

 private:
  std::int64_t sum_ = 0;
};

// Spawns without names, sends each child its message, and says when all are done.
class Nursery : public Actor {
 public:
  explicit Nursery(Finish* finish) : finish_(finish) {}

  void on(Context& ctx, const Number& n) {
    if (n.value == 0) return finish_->signal();
    for (std::int64_t i = 0; i < n.value; ++i) ctx.tell(ctx.spawn<Idle>(""), Number{i});
    ctx.tell(ctx.self(), Number{0});  // behind the children in every queue of this worker
  }
  using Receive = Handlers<&Nursery::on>;

 private:
  Finish* finish_;
};

}  // namespace

Figures run_idle_bytes(unsigned workers, bool is_warm_up) {
  const std::int64_t actors = is_warm_up ? 1'000 : 1'000'000;
  Rig rig(workers);
  Finish finish;
  const actor::Ref nursery = rig.spawn<Nursery>("nursery", &finish);
  const double before = resident_bytes();
  rig.tell(nursery, actors);
  finish.wait();
  const double grown = resident_bytes() - before;
  return {{"idle_bytes", grown / static_cast<double>(actors), "bytes"}};
}

}  // namespace actord::bench
