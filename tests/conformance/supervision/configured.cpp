// SPDX-License-Identifier: Apache-2.0
#include "configured.hpp"

namespace actord::conformance {

namespace {

/// An actor that a configuration can name. Its name selects its script.
class Configured : public ScriptedActor {
 public:
  explicit Configured(Context& ctx) : ScriptedActor(ctx, test, script_for(ctx, scripts)) {}

  static inline SeededTest* test = nullptr;
  static inline Scripts scripts;
};

}  // namespace

std::vector<actor::NodeSpec> specs_of(const system::BehaviourRegistry& known, const Nodes& nodes) {
  std::vector<actor::NodeSpec> specs;
  for (const Node& each : nodes) {
    actor::NodeSpec& spec = specs.emplace_back();
    spec.name = each.name;
    spec.behaviour = *known.find(each.is_plain ? "actord/Supervisor" : "roster/Configured");
    spec.options.strategy = each.strategy;
    spec.options.dispatcher = each.dispatcher;
    spec.options.worker_group = each.group;
    if (each.is_in_actord) spec.options.isolation = actor::Isolation::thread;
    spec.content = each.content;
    spec.origin = each.origin;
    spec.children = specs_of(known, each.children);
  }
  return specs;
}

SeededTest::Setup boot(const Nodes& nodes, const std::function<Scripts()>& scripts) {
  SeededTest::Setup setup;
  setup.options.boots_degraded = true;
  setup.before_start = [=](SeededTest& test) {
    Configured::test = &test;
    Configured::scripts = scripts ? scripts() : Scripts{};
    test.world.use(*plugin_table<Behaviours<Configured>,
                                 Messages<Act, Note, Question, Answer, BackgroundMessage, Signal>>(
        "roster", "1"));
    test.user.children = specs_of(test.world.system().behaviours(), nodes);
  };
  return setup;
}

Change configure(SeededTest& test, const Nodes& nodes, std::vector<actor::Deployment> deployments) {
  system::ActorSystem& system = test.world.system();
  Change change;
  change.is_done = std::make_shared<bool>(false);
  auto keeper = std::make_shared<const int>(1);
  change.keeper = keeper;
  system::SnapshotSpec wanted{.deployments = std::move(deployments), .keeper = std::move(keeper)};
  wanted.user.options.strategy = test.user.options.strategy;
  wanted.user.children = specs_of(system.behaviours(), nodes);
  auto built = system.build_snapshot(std::move(wanted));
  REQUIRE(built.ok());
  change.reconfiguration = system.reconfigure(std::move(*built), false, [is_done = change.is_done] {
    CHECK_FALSE(*is_done);
    *is_done = true;
  });
  return change;
}

Change reconfigure(SeededTest& test, const Nodes& nodes,
                   std::vector<actor::Deployment> deployments) {
  Change change = configure(test, nodes, std::move(deployments));
  test.world.run();
  return change;
}

actor::Strategy always(actor::Strategy::Otherwise verdict, std::string origin) {
  actor::Strategy strategy;
  strategy.name = "config";
  strategy.otherwise = verdict;
  strategy.otherwise_origin = std::move(origin);
  return strategy;
}

}  // namespace actord::conformance
