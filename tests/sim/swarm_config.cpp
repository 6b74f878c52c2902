// SPDX-License-Identifier: Apache-2.0
#include "sim/swarm_config.hpp"

#include <algorithm>
#include <set>

#include "actor/child_list.hpp"
#include "sim/swarm_actor.hpp"

namespace actord::sim {

namespace {

using actor::Cell;

actor::NodeSpec spec_of(Witness& witness, const NodePlan& plan) {
  actor::NodeSpec spec;
  spec.name = "n" + std::to_string(plan.name);
  spec.behaviour = *witness.world->system().behaviours().find("sim/SwarmActor");
  spec.content = std::to_string(plan.content);
  if (plan.strategy >= 0)
    spec.options.strategy = witness.strategies[static_cast<std::size_t>(plan.strategy)];
  if (plan.is_blocking) spec.options.dispatcher = "blocking-io";
  spec.options.mailbox_capacity = plan.capacity;
  const actord_props props = actord::detail::props_of<SwarmActor>(&witness, &plan);
  spec.create = props.create;
  spec.args = {props.args, props.args_destroy};
  for (const NodePlan& child : plan.children) spec.children.push_back(spec_of(witness, child));
  return spec;
}

/// Compares the whole tree with the last configuration.
class Comparison {
 public:
  explicit Comparison(Witness& witness)
      : witness_(witness), snapshot_(witness.world->system().snapshot()) {}

  void run() {
    const Cell& user = witness_.world->cell(witness_.world->system().find("/user"));
    compare(user, &snapshot_->user());
    for (const ConfigCheck::Config& config : witness_.configs.all()) {
      if (&config != witness_.configs.last() && !config.is_freed && !kept_.contains(config.number))
        say(43, user, "leaves configuration " + std::to_string(config.number) + " behind");
    }
  }

 private:
  void compare(const Cell& cell, const actor::NodeSpec* node) {
    check_terms(cell, node);
    const actor::Ref self = witness_.world->system().cells.ref_of(cell);
    if (const Id who = witness_.id_of(self); who != 0 && node != nullptr)
      check_instance(who, *node);
    std::vector<std::string_view> present;
    for (const Cell& child : actor::children_of(witness_.world->system().cells, cell)) {
      const bool is_configured = child.has(Cell::from_node);
      const actor::NodeSpec* const own =
          is_configured ? find(node, child.name.given_text()) : nullptr;
      if (is_configured && own == nullptr) {
        say(40, child, "stands in no configuration");
        continue;
      }
      if (own != nullptr) present.push_back(own->name);
      compare(child, own);
    }
    if (node == nullptr) return;
    for (const actor::NodeSpec& child : node->children) {
      if (std::ranges::find(present, child.name) == present.end())
        witness_.configs.check_absent(witness_.id_of(self), plan_of(child));
    }
  }

  void check_terms(const Cell& cell, const actor::NodeSpec* node) {
    const actor::Props& props = *cell.props;
    const actor::ActorSettings settings =
        snapshot_->settings_of(node, [&] { return witness_.world->system().cells.path_of(cell); });
    if (props.node != node) return say(41, cell, "has the node of another configuration");
    if (settings.strategy == nullptr && node == nullptr) {
      if (props.snapshot) say(41, cell, "keeps a configuration that says nothing of it");
      return;
    }
    if (props.strategy != settings.strategy) say(41, cell, "judges by another configuration");
    if (props.snapshot.get() != snapshot_.get()) say(41, cell, "keeps another configuration");
  }

  void check_instance(Id who, const actor::NodeSpec& node) {
    const NodePlan& built = *witness_.configs.built_from(who);
    const NodePlan& plan = plan_of(node);
    const Cell& cell = witness_.world->cell(witness_.ref_of(who));
    kept_.insert(built.config);
    if (built.content != plan.content) say(41, cell, "is built from another configuration");
    const bool is_bounded = cell.has(Cell::has_own_mailbox),
               is_blocking = cell.dispatcher.load() == 2;
    if (is_bounded != (plan.capacity != 0) || is_blocking != plan.is_blocking)
      say(41, cell, "has another mailbox or dispatcher than it should");
  }

  static const actor::NodeSpec* find(const actor::NodeSpec* parent, std::string_view name) {
    if (parent == nullptr) return nullptr;
    const auto found = std::ranges::find(parent->children, name, &actor::NodeSpec::name);
    return found == parent->children.end() ? nullptr : &*found;
  }

  static const NodePlan& plan_of(const actor::NodeSpec& node) {
    return *std::get<const NodePlan*>(*static_cast<const NodeArgs*>(node.args.get()));
  }

  void say(int invariant, const Cell& cell, const std::string& what) {
    witness_.findings.add(invariant, witness_.world->system().cells.path_of(cell) + ' ' + what);
  }

  Witness& witness_;
  const actor::ConfigSnapshotPtr snapshot_;
  std::set<std::uint32_t> kept_;  // configurations that some actor was built from
};

void mark_present(Witness& witness, const Cell& cell, std::vector<bool>& there) {
  const actor::CellPool& cells = witness.world->system().cells;
  for (const Cell& child : actor::children_of(cells, cell)) {
    const Id who = witness.id_of(cells.ref_of(child));
    there.resize(witness.next());
    there[who] = true;
    mark_present(witness, child, there);
  }
}

}  // namespace

std::vector<bool> present(Witness& witness) {
  std::vector<bool> there(witness.next());
  if (const actor::Ref user = witness.world->system().find("/user"); witness.world->is_alive(user))
    mark_present(witness, witness.world->cell(user), there);
  return there;
}

system::SnapshotSpec snapshot_spec_of(Witness& witness, ConfigCheck::Config& config,
                                      actor::NodeSpec user) {
  system::SnapshotSpec wanted;
  wanted.user = std::move(user);
  for (const NodePlan& node : config.plan.nodes)
    wanted.user.children.push_back(spec_of(witness, node));
  for (const RulePlan& plan : config.plan.rules) {
    actor::Deployment& rule = wanted.deployments.emplace_back();
    rule.pattern = plan.pattern;
    rule.options.strategy = witness.strategies[plan.strategy];
  }
  wanted.keeper =
      std::shared_ptr<const void>(&config, [&config](const void*) { config.is_freed = true; });
  return wanted;
}

void scan_configured(Witness& witness) {
  if (witness.configs.last() != nullptr) Comparison(witness).run();
}

}  // namespace actord::sim
