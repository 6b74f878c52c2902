// SPDX-License-Identifier: Apache-2.0
//
// What an operator writes in a swarm, as data: configured actors under /user and what path patterns
// say. Each number means another configuration, and enough of it is what others say too.
//
// Not here: what the running system has to make of it (reconfiguration_check.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario.hpp"

namespace actord::sim {

/// A configured actor.
struct NodePlan {
  std::uint32_t config = 0;    // of which configuration it is a part
  std::uint32_t place = 0;     // the names from the top down, three bits each; 0: nowhere
  std::uint64_t name = 0;      // as an actor's that code names
  std::uint32_t actor = 0;     // of the scenario's, whose ways it has
  std::int32_t strategy = -1;  // of the scenario's; -1: says nothing
  std::uint32_t content = 0;   // what it is built from
  std::uint16_t capacity = 0;  // of the mailbox; 0: unbounded
  bool is_blocking = false;    // runs on blocking-io
  std::vector<NodePlan> children;

  /// Another actor has to take its place.
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

  /// Null: nobody stands there.
  const NodePlan* find(std::uint32_t place) const;
};

/// The configuration that `detail` means in this scenario, as the one with that number.
ConfigPlan config_of(const Scenario& scenario, std::uint32_t detail, std::uint32_t number);

/// For people: a line for each actor and rule.
std::string text_of(const ConfigPlan& config);

}  // namespace actord::sim
