// SPDX-License-Identifier: Apache-2.0
//
// Failures on order: tables of behaviours that look here before they call the author's functions.
//
// The plan is the host that plugins see, so that every spawn goes through it, whoever asks, and so
// that a call finds its plan without anything global.
#pragma once

#include <actord/testkit.hpp>

#include <map>
#include <memory>
#include <vector>

namespace actord::testkit {

/// One thread. Outlives the system it is the host of.
class FaultPlan : public actord_host {
 public:
  explicit FaultPlan(const actord_host& real);
  ~FaultPlan();
  FaultPlan(const FaultPlan&) = delete;
  FaultPlan& operator=(const FaultPlan&) = delete;

  void add(Fault fault, const detail::TypeChain& cause, std::string what);
  std::size_t left() const;

  /// The same plugin, or what to spawn, with tables that ask the plan. They live as long as it.
  const actord_plugin& wrapped(const actord_plugin& plugin);
  actord_props wrapped(const actord_props& props);

  /// Whether the actor of this call fails now; then it has been reported.
  bool strikes(actord_context& context, Moment moment, actord_errors& errors);

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
