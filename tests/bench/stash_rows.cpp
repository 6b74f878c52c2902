// SPDX-License-Identifier: Apache-2.0
//
// A closed actor stashes ten numbers; when it is opened, it unstashes and handles them.
#include "rig.hpp"
#include "rows.hpp"

namespace actord::bench {

namespace {

constexpr std::int64_t batch = 10;

// Handles numbers in their order while it is open, and stashes them while it is closed. It closes
// after each batch and says so to the sender.
class Gate : public Actor {
 public:
  void open(Context& ctx, const Answer& batches) {
    check(stashed_ == batch && handled_ == batches.value * batch, "stash: a number is missing");
    is_open_ = true;
    stashed_ = 0;
    ctx.unstash_all();
  }
  void handle(Context& ctx, const Number& n) {
    if (!is_open_) {
      ++stashed_;
      return ctx.stash();
    }
    check(n.value == handled_, "stash: another order");
    if (++handled_ % batch != 0) return;
    is_open_ = false;
    ctx.tell(ctx.sender(), Answer{handled_ / batch});
  }
  using Receive = Handlers<&Gate::handle, &Gate::open>;

 private:
  bool is_open_ = false;
  std::int64_t stashed_ = 0, handled_ = 0;
};

// Sends the gate a batch while it is closed, opens it, and goes on when it has handled the batch.
class Visitors : public Actor {
 public:
  Visitors(Ref gate, Finish* finish) : gate_(gate), finish_(finish) {}

  void begin(Context& ctx, const Number& batches) {
    batches_ = batches.value;
    send(ctx, {});
  }
  void send(Context& ctx, const Answer& handled) {
    if (handled.value == batches_) return finish_->signal(handled.value);
    for (std::int64_t i = 0; i < batch; ++i) ctx.tell(gate_, Number{handled.value * batch + i});
    ctx.tell(gate_, handled);
  }
  using Receive = Handlers<&Visitors::begin, &Visitors::send>;

 private:
  Ref gate_;
  Finish* finish_;
  std::int64_t batches_ = 0;
};

}  // namespace

Figures run_stash(const Plan& plan) {
  Rig rig(plan.workers);
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const std::int64_t batches = (is_warm_up ? 10'000 : plan.length_or(1'000'000)) / batch;
    Finish finish;
    const Ref gate = rig.spawn<Gate>();
    rig.tell(rig.spawn<Visitors>(gate, &finish), batches);
    check(finish.wait() == batches, "stash: a batch is missing");
    return {};
  });
}

}  // namespace actord::bench
