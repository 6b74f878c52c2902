// SPDX-License-Identifier: Apache-2.0
//
// A parcel with a label goes to and fro between two actors that know it in different layouts.
#include <string>

#include "rig.hpp"
#include "rows.hpp"

namespace actord::bench {

namespace {

const std::string label = "a label that is too long to lie within the string itself";

class Sender : public Actor {
 public:
  Sender(Ref carrier, Finish* finish) : carrier_(carrier), finish_(finish) {}

  void begin(Context& ctx, const Number& hops) {
    ctx.tell(carrier_, Roles{ctx.self(), {}});
    ctx.tell(carrier_, Parcel{hops.value, label});
  }
  void send(Context& ctx, const Parcel& parcel) {
    check(parcel.label == label, "crossing: another label");
    // Only the sender looks: what began as an even number comes back as -1.
    if (parcel.hops <= 0) return finish_->signal(parcel.hops);
    ctx.tell(carrier_, Parcel{parcel.hops - 1, parcel.label});
  }
  using Receive = Handlers<&Sender::send, &Sender::begin>;

 private:
  Ref carrier_;
  Finish* finish_;
};

}  // namespace

Figures run_crossing(const Plan& plan) {
  Rig rig({.workers = plan.workers, .plugin = ACTORD_LAYOUT_PLUGIN});
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const std::int64_t hops = is_warm_up ? 10'000 : plan.length_or(1'000'000);
    Finish finish;
    const Ref carrier = rig.spawn("layouts/Carrier");
    rig.tell(rig.spawn<Sender>(carrier, &finish), hops);
    check(finish.wait() == hops % 2 - 1, "crossing: another number of hops");
    return {};
  });
}

}  // namespace actord::bench
