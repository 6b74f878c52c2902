// SPDX-License-Identifier: Apache-2.0
//
// ConfigCheck: which faults of a reconfiguration it must report, and which runs it must accept.
#include "sim/reconfiguration_check.hpp"

#include <doctest/doctest.h>

#include "sim/swarm_config.hpp"

namespace actord::sim {

TEST_SUITE_BEGIN("sim/reconfiguration_check");

namespace {

ConfigPlan plan_of(std::uint32_t number, std::uint32_t content, std::uint16_t capacity = 0) {
  NodePlan node;
  node.config = number;
  node.place = 1;
  node.name = 1;
  node.content = content;
  node.capacity = capacity;
  return {{node}, {}};
}

/// A configured top (1) in a configuration that the system has taken over, and a child of it that
/// code has spawned (2).
struct Configured {
  Configured() : configs(model, findings) {
    scenario.strategies.resize(1);
    scenario.actors.resize(1);
    configs.ended(configs.begin(plan_of(1, 0), is_there));
    be_born(0, 1, &configs.all()[0].plan.nodes[0]);
    be_born(1, 2, nullptr);
    configs.built(1, *configs.all()[0].plan.find(1));
  }
  void be_born(Id parent, std::uint64_t name, const NodePlan* node) {
    const Id id = model.spawned(parent, 0, name);
    model.construct(id, 1);
    model.constructed(id);
    model.pre_start(id);
    model.started(id);
    configs.born(node);
    is_there.push_back(true);
  }
  void reconfigure(ConfigPlan plan) { configs.ended(configs.begin(std::move(plan), is_there)); }
  const NodePlan& newest() const { return configs.last()->plan.nodes[0]; }
  void end_top() {
    for (const Id who : {2u, 1u}) {
      model.stop(who, 0);
      model.post_stop(who);
      model.post_stopped(who);
      model.destroyed(who);
      is_there[who] = false;
    }
  }

  Scenario scenario;
  Findings findings;
  Model model{scenario, findings};
  ConfigCheck configs;
  std::vector<bool> is_there{false};
};

}  // namespace

TEST_CASE("a restart for another config is due, and no other check objects") {
  Configured c;
  c.reconfigure(plan_of(2, 1));
  c.configs.restarts(1, c.newest(), false);
  c.model.pre_restart(1);
  c.model.pre_restarted(1, false);
  c.model.destroyed(1);
  c.model.construct(1, 2);
  c.configs.built(1, c.newest());
  c.configs.check_ended();
  CHECK(c.findings.first() == "");
}

TEST_CASE("40: an actor of the last configuration exists, unless it ended by itself") {
  Configured c;
  SUBCASE("it never came") { c.reconfigure({{plan_of(2, 0).nodes[0]}, {}}); }
  SUBCASE("another has to replace it") { c.reconfigure(plan_of(2, 0, 3)); }
  SUBCASE("it was gone from the file") {
    c.reconfigure({});
    c.reconfigure(plan_of(3, 0));
  }
  SUBCASE("its config has changed since it ended") {
    c.end_top();
    c.reconfigure(plan_of(2, 1));
  }
  NodePlan other = c.newest();
  const bool never_came =
      c.configs.last()->number == 2 && other.content == 0 && other.capacity == 0;
  if (never_came) other.place = 2, other.name = 2;
  c.configs.check_absent(0, other);
  CHECK(c.findings.invariant() == 40);
}

TEST_CASE("40: an actor that ended by itself may stay away, and so may one whose name is taken") {
  Configured c;
  c.end_top();
  SUBCASE("unchanged") { c.reconfigure(plan_of(2, 0)); }
  SUBCASE("taken") {
    c.reconfigure(plan_of(2, 1));
    c.be_born(0, 1, nullptr);
  }
  c.configs.check_absent(0, c.newest());
  CHECK(c.findings.first() == "");
}

TEST_CASE("10: an actor that is gone from the configuration does not live on") {
  Configured c;
  c.reconfigure({});
  c.model.check_settled(1, true);
  CHECK(c.findings.invariant() == 10);
}

TEST_CASE("a restart for one's own config, and with the parent for the next one, are two") {
  Configured c;
  c.be_born(1, 3, &c.configs.all()[0].plan.nodes[0]);
  c.configs.built(3, c.configs.all()[0].plan.nodes[0]);
  c.reconfigure(plan_of(2, 1));
  c.configs.restarts(3, c.newest(), false);
  c.reconfigure(plan_of(3, 2));  // before it is built, so that it is built from this one
  c.configs.built(3, c.newest());
  c.configs.built(1, c.newest());
  c.configs.restarts(3, c.newest(), true);
  CHECK(c.findings.empty());
}

TEST_CASE("41: a restart has a reason, happens once for it, and never for an older one") {
  Configured c;
  SUBCASE("for nothing") {
    c.reconfigure(plan_of(2, 0));
    c.configs.restarts(1, c.newest(), false);
  }
  SUBCASE("twice") {
    c.be_born(1, 3, &c.configs.all()[0].plan.nodes[0]);
    c.configs.built(3, c.configs.all()[0].plan.nodes[0]);
    c.reconfigure(plan_of(2, 1));
    c.configs.restarts(3, c.newest(), false);
    c.configs.built(3, c.newest());
    c.configs.built(1, c.newest());
    CHECK(c.findings.empty());
    c.configs.restarts(3, c.newest(), true);
  }
  SUBCASE("older") {
    c.reconfigure(plan_of(2, 1));
    c.configs.built(1, c.newest());
    c.configs.built(1, c.configs.all()[0].plan.nodes[0]);
  }
  CHECK(c.findings.invariant() == 41);
}

TEST_CASE("42: a reconfiguration ends, and once") {
  Configured c;
  SUBCASE("never") { c.configs.begin(plan_of(2, 0), c.is_there); }
  SUBCASE("twice") {
    ConfigCheck::Config& config = c.configs.begin(plan_of(2, 0), c.is_there);
    c.configs.ended(config);
    c.configs.ended(config);
  }
  c.configs.check_ended();
  CHECK(c.findings.invariant() == 42);
}

TEST_CASE("43: no actor outlives the snapshot it was built from") {
  Configured c;
  c.configs.begin(plan_of(2, 0), c.is_there).is_freed = true;
  c.configs.built(1, c.newest());
  CHECK(c.findings.invariant() == 43);
}

TEST_SUITE_END();

}  // namespace actord::sim
