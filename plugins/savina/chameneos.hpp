// SPDX-License-Identifier: Apache-2.0
//
// Chameneos: creatures meet in pairs in a mall, and each takes the colour that follows from both.
#pragma once

#include "program.hpp"

namespace savina {

enum class Colour { blue, red, yellow };
ACTORD_ENUM(Colour, blue, red, yellow)

struct ChameneosConfig {
  std::uint32_t chameneos = 100;
  std::uint64_t meetings = 200'000;
  std::chrono::nanoseconds deadline = usual_deadline;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(ChameneosConfig, chameneos, meetings, deadline)

/// A creature to the mall: it wants to meet another one. Answered with Met or Closing.
struct Meet {
  std::uint32_t index = 0;
  Colour colour = Colour::blue;
};
ACTORD_MESSAGE(Meet, "savina.Meet/1", index, colour)
/// The creature has met one of this colour.
struct Met {
  Colour other = Colour::blue;
};
ACTORD_MESSAGE(Met, "savina.Met/1", other)
/// There are no more meetings. Answered with MetInAll.
struct Closing {};
ACTORD_MESSAGE(Closing, "savina.Closing/1")
/// What a creature has in the end.
struct MetInAll {
  std::uint32_t index = 0;
  std::uint64_t meetings = 0;
  Colour colour = Colour::blue;
};
ACTORD_MESSAGE(MetInAll, "savina.MetInAll/1", index, meetings, colour)

class Chameneo : public actord::Actor {
 public:
  Chameneo(std::uint32_t index, Colour colour) : index_(index), colour_(colour) {}

  void met(actord::Context& ctx, const Met& m);
  MetInAll closing(const Closing&) const { return {index_, meetings_, colour_}; }
  using Receive = actord::Handlers<&Chameneo::met, &Chameneo::closing>;

 private:
  void pre_start(actord::Context& ctx) override;

  const std::uint32_t index_;
  Colour colour_;
  std::uint64_t meetings_ = 0;
};

/// Pairs the creatures in the order in which they come. It records the pairs, and computes from
/// them how often each creature has met another one, and its last colour.
class Mall : public Escalating {
 public:
  using Config = ChameneosConfig;
  static constexpr std::string_view program = "Chameneos";
  static constexpr std::string_view doc =
      "Pairs creatures in a mall: many actors that compete for one.";
  /// The meetings of all creatures.
  static std::int64_t expected(const Config& config);
  static Colour first_colour(std::uint32_t index) { return static_cast<Colour>(index % 3); }

  explicit Mall(const Config& config) : config_(config) {}

  void meet(actord::Context& ctx, const Meet& m);
  void left(actord::Context& ctx, const MetInAll& m);
  using Receive = actord::Handlers<&Mall::meet, &Mall::left>;

 private:
  struct Creature {
    std::uint64_t meetings = 0;
    int colour = 0;
  };

  void pre_start(actord::Context& ctx) override;
  void record(const Meet& a, const Meet& b);

  const Config config_;
  std::vector<Creature> recorded_;  // what follows from the pairs
  actord::Ref waiting_;
  Meet waiting_meet_;
  std::uint64_t pairs_ = 0;
  std::uint32_t left_ = 0;
  std::uint64_t meetings_ = 0;
};

using Chameneos = Program<Mall>;

}  // namespace savina
