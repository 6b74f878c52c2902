// SPDX-License-Identifier: Apache-2.0
//
// Worlds whose actors the configuration has described: what cases about a roster, and about another
// one in its place, are written with.
#pragma once

#include <map>
#include <memory>

#include "seeded_test.hpp"

namespace actord::conformance {

/// An actor of actord.user.
struct Node {
  std::string name;
  std::vector<Node> children = {};
  std::optional<actor::Strategy> strategy = {};
  bool is_plain = false;  // without a behaviour of its own
  std::string dispatcher = {};
  std::string content = {};  // of its config
  std::string origin = {};
};

using Nodes = std::vector<Node>;
using Parts = std::map<std::string, Script>;  // by the name of the actor

/// As the system wants them.
std::vector<actor::NodeSpec> specs_of(const system::BehaviourRegistry& known, const Nodes& nodes);

/// A world with these children of /user, who play these parts. It boots without those that cannot
/// be created.
SeededTest::Setup boot(const Nodes& nodes, const std::function<Parts()>& parts = {});

/// What came of another configuration.
struct Change {
  actor::ReconfigurationPtr wish;
  std::shared_ptr<bool> is_done;
  std::weak_ptr<const void> keeper;  // of what its values point to
};

/// Puts these in the place of the nodes and rules that hold, and does not run the world.
Change configure(SeededTest& test, const Nodes& nodes, std::vector<system::PathRule> rules = {});
/// The same, and runs it.
Change reconfigure(SeededTest& test, const Nodes& nodes, std::vector<system::PathRule> rules = {});

inline Script stillborn() {
  return {.pre_start = [](ScriptedActor&, Context&) {
    throw Stopping("port in use", {{"errno", 98}});
  }};
}

/// By which every failure comes to the same.
actor::Strategy always(actor::Strategy::Otherwise verdict, std::string origin = {});
inline actor::Strategy restarting(std::int64_t limit = -1) {
  actor::Strategy strategy = always(actor::Strategy::Otherwise::restart);
  strategy.budget.max_restarts = limit;
  return strategy;
}

inline system::PathRule rule_for(std::string pattern, actor::Strategy strategy) {
  system::PathRule rule;
  rule.pattern = std::move(pattern);
  rule.strategy = std::move(strategy);
  return rule;
}

}  // namespace actord::conformance
