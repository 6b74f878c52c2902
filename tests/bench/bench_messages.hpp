// SPDX-License-Identifier: Apache-2.0
//
// Messages of the rows, and of the plugin that the boundary row loads.
#pragma once

#include <actord/actord.hpp>

#include <cstdint>
#include <string>

namespace actord::bench {

/// Messages carry one int64, as in all peers.
struct Number {
  std::int64_t value = 0;
};
ACTORD_MESSAGE(Number, "bench.Number/1", value)

/// An answer, for actors that receive questions (Number) too.
struct Answer {
  std::int64_t value = 0;
};
ACTORD_MESSAGE(Answer, "bench.Answer/1", value)

/// Names the actor that the receiver is to send to.
struct Join {
  Ref peer;
};
ACTORD_MESSAGE(Join, "bench.Join/1", peer)

/// The leaves of a tree: `count` of them from `first` on.
struct Grow {
  std::int64_t first = 0;
  std::int64_t count = 0;
};
ACTORD_MESSAGE(Grow, "bench.Grow/1", first, count)

/// Names the actor that the receiver is to send to, and the one that it reports to at the end.
struct Roles {
  Ref next, referee;
};
ACTORD_MESSAGE(Roles, "bench.Roles/1", next, referee)

/// An event that is stored.
struct Filed {
  std::string content;
};
ACTORD_MESSAGE(Filed, "bench.Filed/1", content)

/// A message with a text, which crosses between two layouts.
struct Parcel {
  std::int64_t hops = 0;
  std::string label;
};
ACTORD_MESSAGE(Parcel, "bench.Parcel/1", hops, label)

using AllMessages = Messages<Number, Answer, Join, Grow, Roles, Filed, Parcel>;

}  // namespace actord::bench
