// SPDX-License-Identifier: Apache-2.0
//
// The whole series, from boot: gets a child into each trouble, looks what has become of it and of
// its supervisor, and tells the log.
#pragma once

#include <optional>

#include "lab_supervisors.hpp"

namespace lab {

/// One trial after the other. In each: how things are before; the trouble; whichever comes first,
/// the child's answer or word of its end; how things are with its supervisor.
class Experiment : public actord::Actor {
 public:
  static constexpr std::string_view doc =
      "Shows each directive once: a lab.observed per trial, then lab.finished.";

  struct Config {
    std::int64_t value = 42;  // that the children keep before the trouble
  };

  /// It is itself the one to whom the supervisors escalate, and it restarts them.
  static actord::Strategy supervision() {
    return actord::one_for_one().otherwise(actord::Directive::restart);
  }

  Experiment(actord::Context& ctx, const Config& config);

  void born(actord::Context& ctx, const ChildBorn& message);
  void told(actord::Context& ctx, const Value& message);
  void ended(actord::Context& ctx, const actord::Terminated& message);
  using Receive = actord::Handlers<&Experiment::born, &Experiment::told, &Experiment::ended>;

 private:
  struct Seen {
    std::optional<Value> child, supervisor;
  };

  void pre_start(actord::Context& ctx) override;
  void begin_trial(actord::Context& ctx);
  void look(actord::Context& ctx);
  void make_trouble(actord::Context& ctx);
  void conclude(actord::Context& ctx);
  actord::Directive observed() const;

  const Config config_;
  actord::Ref supervisors_[2];  // a Supervisor and a KeepingSupervisor
  actord::Ref child_;           // nobody: the trial needs a new one
  std::size_t trial_ = 0, as_foreseen_ = 0;
  Seen before_, after_;
  bool is_troubled_ = false, has_ended_ = false;
};
ACTORD_FIELDS(Experiment::Config, value)

}  // namespace lab
