// SPDX-License-Identifier: Apache-2.0
//
// Runs all trials at boot: makes a child fail in each way, asks the child and its supervisor for
// their state before and after, and logs the result.
#pragma once

#include <optional>

#include "lab_supervisors.hpp"

namespace lab {

/// Runs one trial after the other. The steps of a trial are: ask for the state of child and
/// supervisor; make the child fail; wait for the answer of the child or for its Terminated; ask for
/// the state of the supervisor.
class Experiment : public actord::Actor {
 public:
  static constexpr std::string_view doc =
      "Shows each directive once: a lab.observed per trial, then lab.finished.";

  struct Config {
    std::int64_t value = 42;  // the number that the child keeps before each trial
  };

  /// The two supervisors are its children: when one of them escalates, it is restarted.
  static actord::Strategy supervision() {
    return actord::one_for_one().otherwise(actord::Directive::restart);
  }

  Experiment(actord::Context& ctx, const Config& config);

  void born(actord::Context& ctx, const ChildBorn& message);
  void value_received(actord::Context& ctx, const Value& message);
  void ended(actord::Context& ctx, const actord::Terminated& message);
  using Receive =
      actord::Handlers<&Experiment::born, &Experiment::value_received, &Experiment::ended>;

 private:
  struct Seen {
    std::optional<Value> child, supervisor;
  };

  void pre_start(actord::Context& ctx) override;
  void begin_trial(actord::Context& ctx);
  void ask_for_state(actord::Context& ctx);
  void make_child_fail(actord::Context& ctx);
  void finish_trial(actord::Context& ctx);
  actord::Directive observed() const;

  const Config config_;
  actord::Ref supervisors_[2];  // a Supervisor and a KeepingSupervisor
  actord::Ref child_;           // empty: the trial needs a new child
  std::size_t trial_ = 0, as_foreseen_ = 0;
  Seen before_, after_;
  bool is_fail_sent_ = false, has_ended_ = false;
};
ACTORD_FIELDS(Experiment::Config, value)

}  // namespace lab
