// SPDX-License-Identifier: Apache-2.0
//
// A configuration of the swarm, as data: the configured actors under /user and the rules for path
// patterns. Different numbers give different configurations, which have much in common.
//
// Not here: what the running system must make of it (reconfiguration_check.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario.hpp"

namespace actord::sim {

/// A configured actor.
struct NodePlan {
  std::uint32_t config = 0;    // the number of its configuration
  std::uint32_t place = 0;     // the names from the top down, three bits each; 0: none
  std::uint64_t name = 0;      // the number in the name, as for spawned actors
  std::uint32_t actor = 0;     // index of the ActorPlan that it follows
  std::int32_t strategy = -1;  // index in the scenario; -1: none given
  std::uint32_t content = 0;   // stands for its config
  std::uint16_t capacity = 0;  // of the mailbox; 0: unbounded
  bool is_blocking = false;    // runs on blocking-io
  std::vector<NodePlan> children;

  /// True if the running actor cannot be changed into `other` and must be replaced.
  bool is_replaced_by(const NodePlan& other) const noexcept {
    return capacity != other.capacity || is_blocking != other.is_blocking;
  }
};

struct RulePlan {
  std::string_view pattern;
  std::uint16_t strategy = 0;
};

struct ConfigPlan {
  std::vector<NodePlan> nodes;
  std::vector<RulePlan> rules;

  /// Null if the configuration has no actor there.
  const NodePlan* find(std::uint32_t place) const;
};

/// The configuration that `detail` gives in this scenario; its number is `number`.
ConfigPlan config_of(const Scenario& scenario, std::uint32_t detail, std::uint32_t number);

/// Readable text: a line for each actor and rule.
std::string text_of(const ConfigPlan& config);

}  // namespace actord::sim
