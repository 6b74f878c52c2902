// SPDX-License-Identifier: Apache-2.0
//
// What a running actor does when the operator has changed the configuration. Each takes the new
// blueprint over in its own turn, as an order from its parent, and passes it on to its children;
// orders do not overtake each other, and whoever it spawns afterwards is built from the new one.
//
// A strategy is swapped, and holds from the next failure on. What the actor is built from needs a
// restart, unless it is about to be built anyway; its budget is not charged, for nobody failed.
// Children that are new are started as at boot, those that are gone are stopped, those that must be
// of another kind are stopped and then started. All others notice nothing.
#include <algorithm>
#include <unordered_map>

#include "actor/activation.hpp"

namespace actord::actor {

namespace {

std::string_view name_of(const Cell& child) {
  return (child.name & 1) == 0 ? reinterpret_cast<const char*>(child.name) : std::string_view{};
}

}  // namespace

/// The nodes of a parent's children by name.
class ChildNodes {
 public:
  explicit ChildNodes(const NodeSpec* parent) {
    if (parent == nullptr) return;
    by_name_.reserve(parent->children.size());
    for (const NodeSpec& child : parent->children) by_name_.emplace(child.name, &child);
  }
  /// Null if there is none.
  const NodeSpec* find(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<std::string_view, const NodeSpec*> by_name_;
};

// `node` is the actor's own in the new blueprint; null for one that code has made. Whoever outlives
// the restart of its parent is restarted with it (supervision.md 33): that one is enough.
void Activation::on_reconfigure(Reconfiguration& wish, const NodeSpec* node,
                                bool is_restarted_with_parent) {
  TakeOver take_over(wish, self);
  if (cell_.stage >= Stage::terminating) return;  // with all its children
  const BlueprintPtr former = cell_.props->blueprint;
  const NodeSpec* const was = cell_.props->node;
  // Spawned from one that is newer still: that one is on its way, too.
  if (!former || former->number <= wish.blueprint->number) adopt(wish.blueprint, node);
  const ChildNodes before(was), after(node);
  bool must_restart =
      was != nullptr && node != nullptr && change_between(*was, *node) == NodeChange::rebuilt;
  std::vector<Heir> heirs;
  must_restart |= find_heirs(before, after, heirs);
  if (was != nullptr && node != nullptr && (table().flags & ACTORD_STARTS_OWN_CHILDREN) != 0)
    must_restart |= std::ranges::any_of(
        node->children, [&](const NodeSpec& child) { return before.find(child.name) == nullptr; });
  // Without an instance one is about to be built, and from the new node.
  const bool is_built_anyway =
      is_restarted_with_parent || cell_.stage != Stage::running || cell_.instance == nullptr;
  pass_on(wish, heirs, is_built_anyway || must_restart);
  if (is_built_anyway) return;
  if (must_restart) return restart_reconfigured(*node, std::move(take_over));
  if (node == nullptr) return;
  if (add_to_roster(was, before, *node)) {
    organs().roster.take_over = std::move(take_over);
    resume_roster();
  } else if (cell_.organs != nullptr && cell_.organs->roster.awaited == nobody) {
    start_next_of_roster();  // nobody is left of whom an earlier one waited for: that one is done
  }
}

void Activation::adopt(const BlueprintPtr& blueprint, const NodeSpec* node) {
  Terms terms;
  if (node != nullptr || !blueprint->deployments.empty()) terms = blueprint->terms_of(node, path());
  const bool is_nothing_said =
      node == nullptr && terms.strategy == nullptr && terms.stash_capacity == 0;
  if (is_nothing_said && !cell_.props->blueprint) return;
  Props& own = own_props(cell_);
  if (node != nullptr) own.build_from(*node);
  own.strategy = terms.strategy;
  own.stash_capacity = terms.stash_capacity;
  own.blueprint = is_nothing_said ? BlueprintPtr{} : blueprint;
}

// Those children that stay; the others are stopped. True: they cannot be what they should be
// without a restart of this actor, which starts them itself.
bool Activation::find_heirs(const ChildNodes& before, const ChildNodes& after,
                            std::vector<Heir>& heirs) {
  const bool starts_its_own = (table().flags & ACTORD_STARTS_OWN_CHILDREN) != 0;
  bool must_restart = false;
  for (Cell* child = first_child(); child != nullptr;) {
    Cell* const next = at(child->next_sibling);
    if ((child->child_flags & Cell::dying) == 0) {
      const bool is_configured = (child->child_flags & Cell::from_node) != 0;
      const NodeSpec* const was = is_configured ? before.find(name_of(*child)) : nullptr;
      const NodeSpec* const is = is_configured ? after.find(name_of(*child)) : nullptr;
      const bool may_stay = !is_configured || (was != nullptr && is != nullptr &&
                                               change_between(*was, *is) != NodeChange::replaced);
      if (may_stay) heirs.push_back({ref_of(*child), is});
      else if (starts_its_own) must_restart = true;
      else stop_child(*child, StopReason::config, {}, false);
    }
    child = next;
  }
  return must_restart;
}

void Activation::pass_on(Reconfiguration& wish, const std::vector<Heir>& heirs,
                         bool is_built_soon) {
  if (heirs.empty()) return;
  std::vector<Ref> refs;
  refs.reserve(heirs.size());
  for (const auto& [ref, node] : heirs) refs.push_back(ref);
  wish.await(refs);
  for (const auto& [ref, node] : heirs) {
    SystemBody body;
    body.request = ReconfigurationPtr(&wish).release();
    body.node = node;
    body.flags = is_built_soon ? SystemBody::with_parent : 0;
    local_.order(ref, Order::reconfigure, body);
  }
}

// True: somebody is to be started. Those are: the new ones; who has been waited for already; and
// who lives no more, or is being stopped, and is not what it was. One that ended by itself and is
// what it was stays away.
bool Activation::add_to_roster(const NodeSpec* was, const ChildNodes& before,
                               const NodeSpec& node) {
  if ((table().flags & ACTORD_STARTS_OWN_CHILDREN) != 0) return false;
  std::vector<std::string_view> waiting;
  if (was != nullptr && cell_.organs != nullptr) {
    for (const std::uint32_t index : cell_.organs->roster.due)
      waiting.push_back(was->children[index].name);
  }
  std::ranges::sort(waiting);
  std::vector<std::uint32_t> due;
  for (std::size_t i = node.children.size(); i-- > 0;) {
    const NodeSpec& child = node.children[i];
    const NodeSpec* const former = before.find(child.name);
    const auto is_gone = [&] {
      const Cell* const living = child_named(child.name);
      return living == nullptr || (living->child_flags & Cell::dying) != 0;
    };
    if (former == nullptr || std::ranges::binary_search(waiting, child.name) ||
        (change_between(*former, child) != NodeChange::none && is_gone()))
      due.push_back(static_cast<std::uint32_t>(i));
  }
  if (due.empty() && cell_.organs == nullptr) return false;
  organs().roster.due = std::move(due);
  return !organs().roster.due.empty();
}

// As an all-for-one supervisor restarts those that did not fail (supervision.md 83): suspended by
// nobody's failure, with the cause, and released at its end. What a failure of its own or of its
// parent's has suspended besides waits for that verdict.
void Activation::restart_reconfigured(const NodeSpec& node, TakeOver take_over) {
  FailurePtr cause =
      builtin_failure(causes::config_changed, "the configuration of " + path() + " has changed" +
                                                  (node.origin.empty() ? "" : ": ") + node.origin);
  cause->phase = Phase::pre_restart;
  cause->actor = self;
  cause->behaviour = &cell_.props->behaviour;
  cause->incarnation = cell_.incarnation;
  organs().episode.take_over = std::move(take_over);
  on_suspend();
  on_recreate(std::move(cause), 0, true);
}

}  // namespace actord::actor
