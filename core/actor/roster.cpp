// SPDX-License-Identifier: Apache-2.0
//
// Configured children: started in the order of the file, each when the one before has settled, that
// is has returned from its start hook with all its own configured children settled, or has had its
// first failure judged. After a restart that stopped them they are started again.
#include <algorithm>

#include "actor/activation.hpp"

namespace actord::actor {

void Activation::start_roster() {
  const NodeSpec* const node = cell_.props->node;
  if (node == nullptr) return;
  if (node->children.empty()) return settle();
  organs().roster = {};
  if ((table().flags & ACTORD_STARTS_OWN_CHILDREN) != 0)
    organs().roster.next = node->children.size();
  start_next_of_roster();
}

namespace {

PropsPtr props_of(const NodeSpec& node) {
  PropsPtr props(new Props(*node.behaviour));
  props->node = &node;
  props->config = node.config;
  props->create = node.create;
  props->args.args = const_cast<void*>(node.args.get());  // the node's, which outlives the actor
  return props;
}

}  // namespace

Ref Activation::spawn_configured(std::string_view name, std::string& why_not) {
  if (const NodeSpec* const node = cell_.props->node) {
    const auto wanted = std::ranges::find(node->children, name, &NodeSpec::name);
    if (wanted != node->children.end()) return spawn(name, props_of(*wanted), why_not);
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
  while (roster.next < node.children.size()) {
    const NodeSpec& wanted = node.children[roster.next++];
    if (is_name_taken(wanted.name)) continue;  // it outlived our restart
    std::string why_not;
    const Ref child = spawn(wanted.name, props_of(wanted), why_not);
    if (child == nobody) {
      const FailurePtr failure = builtin_failure(causes::initialization, why_not);
      lose_configured_child((parent == nobody ? "" : path()) + '/' + wanted.name, *failure);
      continue;
    }
    child_of(child)->child_flags |= Cell::configured;
    roster.awaited = child;
    return;
  }
  settle();
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
  organs().roster.next = cell_.props->node->children.size();
  cell_.owner_flags |= Cell::settled_once;
}

void Activation::on_settled(Ref child) {
  if (cell_.organs != nullptr && cell_.organs->roster.awaited == child) start_next_of_roster();
}

}  // namespace actord::actor
