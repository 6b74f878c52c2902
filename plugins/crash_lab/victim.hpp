// SPDX-License-Identifier: Apache-2.0
//
// An actor that dies on request, and at a moment that its config names.
#pragma once

#include <actord/shared_circuit_breaker.hpp>

#include <string>
#include <vector>

#include "crash_messages.hpp"

namespace crash_lab {

class Victim : public actord::Actor {
 public:
  static constexpr std::string_view doc =
      "Counts, and takes its process down as a crash_lab.Die/1 or its config says.";

  struct Config {
    Moment dies_in = Moment::never;
    Way how = Way::null_dereference;
    std::int64_t times = 0;  // 0: whenever the moment comes
    std::string deaths;      // a file; needed for `times`
    static std::vector<actord::About> about();
  };

  Victim(actord::Context& ctx, const Config& config);

  void die(const Die& message);
  void add(const Count& message) { count_ += message.by; }
  Counted counted(const GetCount&) const;
  ChildBorn create_child(actord::Context& ctx, const NewChild& message);
  Called call(actord::Context& ctx, const Call& message);
  using Receive = actord::Handlers<&Victim::die, &Victim::add, &Victim::counted,
                                   &Victim::create_child, &Victim::call>;

 private:
  void pre_start(actord::Context&) override { die_in(Moment::pre_start); }
  void pre_restart(actord::Context& ctx, const actord::Failure& reason) override;
  void post_restart(actord::Context& ctx, const actord::Failure& reason) override;
  void post_stop(actord::Context&) override { die_in(Moment::post_stop); }
  actord::Directive decide(actord::Context&, const actord::Failure&) override;
  void die_in(Moment moment) const;

  const Config config_;
  const std::uint64_t instance_;
  std::int64_t count_ = 0;
  actord::SharedCircuitBreaker breaker_{"crash_lab"};
};
ACTORD_FIELDS(Victim::Config, dies_in, how, times, deaths)

}  // namespace crash_lab
