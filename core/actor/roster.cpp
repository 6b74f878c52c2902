// SPDX-License-Identifier: Apache-2.0
//
// Configured children: started in the order of the file, each when the one before has settled, that
// is has returned from its start hook with all its own configured children settled, or has had its
// first failure judged. After a restart that stopped them they are started again.
#include <algorithm>
#include <numeric>

#include "actor/activation.hpp"

namespace actord::actor {

void Activation::start_roster() {
  const NodeSpec* const node = cell_.props->node;
  if (node == nullptr) return;
  if (node->children.empty()) return settle();
  Roster& roster = organs().roster;
  roster = {};
  if (!starts_own_children()) {
    roster.due.resize(node->children.size());
    std::iota(roster.due.rbegin(), roster.due.rend(), 0u);
  }
  start_next_of_roster();
}

namespace {

PropsPtr props_of(const NodeSpec& node, const BlueprintPtr& of) {
  PropsPtr props(new Props(*node.behaviour));
  props->blueprint = of;
  props->build_from(node);
  return props;
}

}  // namespace

Ref Activation::spawn_configured(std::string_view name, std::string& why_not) {
  if (const NodeSpec* const node = cell_.props->node) {
    const auto wanted = std::ranges::find(node->children, name, &NodeSpec::name);
    if (wanted != node->children.end())
      return spawn(name, props_of(*wanted, cell_.props->blueprint), why_not);
  }
  why_not = "the configuration gives " + path() + " no child " + std::string{name};
  return nobody;
}

// Who is going down or waits for its restart starts nobody: the restart begins the roster anew.
void Activation::start_next_of_roster() {
  if (cell_.stage != Stage::running) return;
  const NodeSpec& node = *cell_.props->node;
  Roster& roster = organs().roster;
  roster.awaited = nobody;
  for (std::size_t i = roster.due.size(); i-- > 0;) {
    const NodeSpec& wanted = node.children[roster.due[i]];
    const Cell* const of_name = child_named(wanted.name);
    if (of_name != nullptr && (of_name->child_flags & Cell::dying) != 0) continue;  // until it ends
    roster.due.erase(roster.due.begin() + static_cast<std::ptrdiff_t>(i));
    if (of_name != nullptr && (of_name->child_flags & Cell::from_node) != 0)
      continue;  // it outlived our restart
    std::string why_not;
    const Ref child = spawn(wanted.name, props_of(wanted, cell_.props->blueprint), why_not);
    if (child == nobody) {
      const FailurePtr failure = builtin_failure(causes::initialization, why_not);
      lose_configured_child((parent == nobody ? "" : path()) + '/' + wanted.name, *failure);
      i = std::min(i, roster.due.size());  // which may have been the end of it
      continue;
    }
    child_of(child)->child_flags |= Cell::configured;
    roster.awaited = child;
    return;
  }
  if (!roster.due.empty()) return;
  roster.take_over = {};
  settle();
}

// Where it waited for a name that was taken, or for its own suspension to end.
void Activation::resume_roster() {
  const Roster& roster = organs().roster;
  if (!roster.due.empty() && roster.awaited == nobody && cell_.suspensions == 0)
    start_next_of_roster();
}

// Once: the configured parent goes on with its next child.
void Activation::settle() {
  if (cell_.has(Cell::settled_once)) return;
  cell_.owner_flags |= Cell::settled_once;
  SystemBody body;
  body.subject = self;
  local_.order(parent, Order::settled, body);
  environment_.roster_settled(cell_);
}

// Where the boot ends here, the rest of the roster is not started and nobody is told that we
// settled.
void Activation::lose_configured_child(std::string_view child_path, const Failure& failure) {
  if (environment_.configured_child_lost(child_path, failure)) return;
  organs().roster.due.clear();
  cell_.owner_flags |= Cell::settled_once;
}

void Activation::on_settled(Ref child) {
  if (cell_.organs != nullptr && cell_.organs->roster.awaited == child) start_next_of_roster();
}

}  // namespace actord::actor
