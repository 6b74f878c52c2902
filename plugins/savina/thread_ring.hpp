// SPDX-License-Identifier: Apache-2.0
//
// Thread ring: a token is handed round a ring of actors.
#pragma once

#include "program.hpp"

namespace savina {

struct ThreadRingConfig {
  std::uint32_t actors = 100;
  std::uint64_t hops = 100'000;
  std::chrono::nanoseconds deadline = usual_deadline;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(ThreadRingConfig, actors, hops, deadline)

/// To an actor of the ring: the one after it.
struct NextInRing {
  actord::Ref next;
};
ACTORD_MESSAGE(NextInRing, "savina.NextInRing/1", next)
/// What is handed round, with the number of hops that are left.
struct Token {
  std::uint64_t hops = 0;
};
ACTORD_MESSAGE(Token, "savina.Token/1", hops)
/// To the master, from the actor that got the last token.
struct LastToken {
  std::uint32_t index = 0;
};
ACTORD_MESSAGE(LastToken, "savina.LastToken/1", index)

class RingMember : public actord::Actor {
 public:
  explicit RingMember(std::uint32_t index) : index_(index) {}

  void link(const NextInRing& m) { next_ = m.next; }
  void pass(actord::Context& ctx, const Token& m);
  using Receive = actord::Handlers<&RingMember::link, &RingMember::pass>;

 private:
  const std::uint32_t index_;
  actord::Ref next_;
};

/// Builds the ring, and begins with the member 0.
class RingMaster : public Escalating {
 public:
  using Config = ThreadRingConfig;
  static constexpr std::string_view program = "ThreadRing";
  static constexpr std::string_view doc =
      "Hands a token round a ring: one message at a time, each to an actor that rests.";
  /// The index of the actor that gets the last token.
  static std::int64_t expected(const Config& config);

  explicit RingMaster(const Config& config) : config_(config) {}

  void ended(actord::Context& ctx, const LastToken& m);
  using Receive = actord::Handlers<&RingMaster::ended>;

 private:
  void pre_start(actord::Context& ctx) override;

  const Config config_;
};

using ThreadRing = Program<RingMaster>;

}  // namespace savina
