// SPDX-License-Identifier: Apache-2.0
//
// Sieve of Eratosthenes: a line of actors, each of which keeps some primes and passes on what they
// do not divide.
#pragma once

#include "program.hpp"

namespace savina {

struct SieveConfig {
  std::uint64_t limit = 100'000;
  std::uint32_t primes_per_actor = 200;
  std::chrono::nanoseconds deadline = usual_deadline;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(SieveConfig, limit, primes_per_actor, deadline)

/// A number that the actors before have not divided.
struct Candidate {
  std::uint64_t number = 0;
};
ACTORD_MESSAGE(Candidate, "savina.Candidate/1", number)
/// Along the line after the last number, and from its end to the master: what is known so far.
struct Sieved {
  std::uint64_t primes = 0;
  std::uint64_t largest = 0;
  std::uint64_t messages = 0;
};
ACTORD_MESSAGE(Sieved, "savina.Sieved/1", primes, largest, messages)

/// Creates the next actor of the line when it has as many primes as it may keep.
class Sifter : public Escalating {
 public:
  Sifter(std::uint32_t capacity, actord::Ref master) : capacity_(capacity), master_(master) {}

  void sift(actord::Context& ctx, const Candidate& m);
  void end(actord::Context& ctx, const Sieved& m);
  using Receive = actord::Handlers<&Sifter::sift, &Sifter::end>;

 private:
  const std::uint32_t capacity_;
  const actord::Ref master_;
  std::vector<std::uint64_t> primes_;  // at least one after the first message
  std::uint64_t messages_ = 0;
  actord::Ref next_;
};

class SieveMaster : public Escalating {
 public:
  using Config = SieveConfig;
  static constexpr std::string_view program = "Sieve";
  static constexpr std::string_view doc =
      "Finds primes by a line of actors: a pipeline that grows, behind a burst of messages.";
  /// The number of primes up to the limit.
  static std::int64_t expected(const Config& config);

  explicit SieveMaster(const Config& config) : config_(config) {}

  void sieved(actord::Context& ctx, const Sieved& m);
  using Receive = actord::Handlers<&SieveMaster::sieved>;

 private:
  void pre_start(actord::Context& ctx) override;

  const Config config_;
};

using Sieve = Program<SieveMaster>;

}  // namespace savina
