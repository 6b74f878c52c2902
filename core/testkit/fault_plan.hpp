// SPDX-License-Identifier: Apache-2.0
//
// Planned failures: behaviour tables that consult the plan before they call the author's functions.
//
// The plan is also the host table that plugins see. Every spawn therefore goes through it, and a
// call finds its plan without a global variable.
#pragma once

#include <actord/testkit.hpp>

#include <map>
#include <memory>
#include <vector>

namespace actord::testkit {

/// One thread. It is the host of a system and outlives it.
class FaultPlan : public actord_host {
 public:
  explicit FaultPlan(const actord_host& real);
  ~FaultPlan();
  FaultPlan(const FaultPlan&) = delete;
  FaultPlan& operator=(const FaultPlan&) = delete;

  void add(Fault fault, const detail::TypeChain& cause, std::string what);
  std::size_t left() const;

  /// The same plugin or props, with tables that consult the plan. They live as long as the plan.
  const actord_plugin& wrapped(const actord_plugin& plugin);
  actord_props wrapped(const actord_props& props);

  /// Reports the planned failure for this call to `errors`. False if none is planned.
  bool report_planned(actord_context& context, Moment moment, actord_errors& errors);

 private:
  struct Planned {
    Fault fault;
    const detail::TypeChain* cause;
    std::string what;
  };
  struct WrappedReceive;
  struct WrappedBehaviour;
  struct WrappedPlugin;
  struct Calls;

  const actord_behaviour& wrapped(const actord_behaviour& behaviour);

  const actord_host& real_;
  std::vector<Planned> planned_;
  std::map<const actord_behaviour*, std::unique_ptr<WrappedBehaviour>> behaviours_;  // by original
  std::vector<std::unique_ptr<WrappedPlugin>> plugins_;
};

}  // namespace actord::testkit
