// SPDX-License-Identifier: Apache-2.0
//
// Worlds with configured actors: helpers for the cases about configured children and about
// replacing the configuration.
#pragma once

#include <memory>

#include "seeded_test.hpp"

namespace actord::conformance {

/// An actor of actord.user.
struct Node {
  std::string name;
  std::vector<Node> children = {};
  std::optional<actor::Strategy> strategy = {};
  bool is_plain = false;  // without a behaviour
  std::string dispatcher = {};
  std::string content = {};  // of its config
  std::string origin = {};
  // In a world that is isolated: whether the actor lives in actord all the same, and else which
  // actors it shares a process with.
  bool is_in_actord = false;
  std::string group = {};
};

using Nodes = std::vector<Node>;

/// The nodes in the form that the system takes.
std::vector<actor::NodeSpec> specs_of(const system::BehaviourRegistry& known, const Nodes& nodes);

/// A world with these children of /user, each with its script. It boots without children that
/// cannot be created.
SeededTest::Setup boot(const Nodes& nodes, const std::function<Scripts()>& scripts = {});

/// The result of a reconfiguration.
struct Change {
  actor::ReconfigurationPtr reconfiguration;
  std::shared_ptr<bool> is_done;
  std::weak_ptr<const void> keeper;  // expires when the config values are freed
};

/// Replaces the current nodes and rules, and does not run the world.
Change configure(SeededTest& test, const Nodes& nodes,
                 std::vector<actor::Deployment> deployments = {});
/// The same, and runs the world.
Change reconfigure(SeededTest& test, const Nodes& nodes,
                   std::vector<actor::Deployment> deployments = {});

inline Script stillborn() {
  return {.pre_start = [](ScriptedActor&, Context&) {
    throw Stopping("port in use", {{"errno", 98}});
  }};
}

/// A strategy that decides every failure in the same way.
actor::Strategy always(actor::Strategy::Otherwise verdict, std::string origin = {});
inline actor::Strategy restarting(std::int64_t limit = -1) {
  actor::Strategy strategy = always(actor::Strategy::Otherwise::restart);
  strategy.restart_limit.max_restarts = limit;
  return strategy;
}

inline actor::Deployment rule_for(std::string pattern, actor::Strategy strategy) {
  actor::Deployment rule;
  rule.pattern = std::move(pattern);
  rule.options.strategy = std::move(strategy);
  return rule;
}

}  // namespace actord::conformance
