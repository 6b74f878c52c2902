// SPDX-License-Identifier: Apache-2.0
//
// The actor of the row crossing that knows a parcel in another layout than the bench.
#include "../bench_messages.hpp"

namespace actord::bench {

namespace elsewhere {

struct Parcel {
  std::string label;
  std::int64_t hops = 0;
};
ACTORD_MESSAGE(Parcel, "bench.Parcel/1", hops, label)

}  // namespace elsewhere

/// Sends each parcel on to the next actor, with one hop less.
class Carrier : public Actor {
 public:
  void meet(const Roles& roles) { next_ = roles.next; }
  void carry(Context& ctx, const elsewhere::Parcel& parcel) {
    ctx.tell(next_, elsewhere::Parcel{parcel.label, parcel.hops - 1});
  }
  using Receive = Handlers<&Carrier::carry, &Carrier::meet>;

 private:
  Ref next_;
};

}  // namespace actord::bench

ACTORD_PLUGIN("layouts", "1.0.0", actord::Behaviours<actord::bench::Carrier>,
              actord::Messages<actord::bench::Roles, actord::bench::elsewhere::Parcel>)
