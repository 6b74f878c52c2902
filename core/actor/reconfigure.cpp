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
//
// What that comes to is worked out before anything is done. Where there is no memory for it the
// actor and all below it keep what they had, and the next blueprint finds them so.
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

/// What a new blueprint means for an actor, whatever needs memory for it included.
struct Activation::Succession {
  struct Heir {
    Ref ref;
    const NodeSpec* node;
  };
  Props* props = nullptr;  // to be changed; null: nothing is said, now as before
  Terms terms;
  std::vector<Heir> heirs;         // children that stay
  std::vector<Cell*> leavers;      // and those that do not
  std::vector<std::uint32_t> due;  // of the roster
  bool is_built_anyway = false;    // by its parent's restart, or for want of an instance
  FailurePtr cause;                // of its own restart; null: none
};

// `node` is the actor's own in the new blueprint; null for one that code has made. Whoever outlives
// the restart of its parent is restarted with it (supervision.md 33): that one is enough.
void Activation::on_reconfigure(Reconfiguration& wish, const NodeSpec* node,
                                bool is_restarted_with_parent) {
  TakeOver take_over(wish, self);
  if (cell_.stage >= Stage::terminating) return;  // with all its children
  Succession next;
  try {
    next = succession_by(wish, node, is_restarted_with_parent);
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    return keep_former(take_over);
  }
  if (next.props != nullptr) adopt(wish.blueprint, node, next);
  for (Cell* const leaver : next.leavers) stop_child(*leaver, StopReason::config, {}, false);
  for (const auto& [ref, own] : next.heirs) {
    SystemBody body;
    body.request = ReconfigurationPtr(&wish).release();
    body.node = own;
    body.flags = next.is_built_anyway || next.cause ? SystemBody::with_parent : 0;
    local_.order(ref, Order::reconfigure, body);
  }
  if (next.is_built_anyway) {  // and begins its roster anew: whom it was waiting for stood
                               // elsewhere
    if (cell_.organs != nullptr) cell_.organs->roster.due.clear();
    return;
  }
  if (next.cause) return restart_reconfigured(std::move(next.cause), std::move(take_over));
  if (node == nullptr || cell_.organs == nullptr) return;
  Roster& roster = cell_.organs->roster;
  roster.due = std::move(next.due);
  if (!roster.due.empty()) {
    roster.take_over = std::move(take_over);
    resume_roster();
  } else if (roster.awaited == nobody) {
    start_next_of_roster();  // nobody is left of whom an earlier one waited for: that one is done
  }
}

// Changes nothing but who is awaited, and that last.
Activation::Succession Activation::succession_by(Reconfiguration& wish, const NodeSpec* node,
                                                 bool is_restarted_with_parent) {
  Succession next;
  const NodeSpec* const was = cell_.props->node;
  const ChildNodes before(was), after(node);
  next.props = props_under(*wish.blueprint, node, next.terms);
  next.is_built_anyway =
      is_restarted_with_parent || cell_.stage != Stage::running || cell_.instance == nullptr;
  const bool must_restart =
      divide_children(before, after, node, next) ||
      (was != nullptr && node != nullptr && change_between(*was, *node) == NodeChange::rebuilt);
  if (must_restart && !next.is_built_anyway) next.cause = cause_of_restart(*node);
  if (node != nullptr && !starts_own_children()) next.due = due_under(*node, was, before);
  if (next.cause || !next.due.empty()) static_cast<void>(organs());
  std::vector<Ref> refs;
  refs.reserve(next.heirs.size());
  for (const auto& [ref, own] : next.heirs) refs.push_back(ref);
  if (!refs.empty()) wish.await(refs);
  return next;
}

// Null: nothing is said of the actor, now as before, or it was spawned from a newer one, which is
// on its way, too.
Props* Activation::props_under(const Blueprint& blueprint, const NodeSpec* node, Terms& terms) {
  const BlueprintPtr& former = cell_.props->blueprint;
  if (former && former->number > blueprint.number) return nullptr;
  if (node != nullptr || !blueprint.deployments.empty()) terms = blueprint.terms_of(node, path());
  const bool is_said = node != nullptr || terms.strategy != nullptr || terms.stash_capacity != 0;
  return is_said || former ? &own_props(cell_) : nullptr;
}

void Activation::adopt(const BlueprintPtr& blueprint, const NodeSpec* node,
                       const Succession& next) {
  Props& own = *next.props;
  const Terms& terms = next.terms;
  if (node != nullptr) own.build_from(*node);
  own.strategy = terms.strategy;
  own.stash_capacity = terms.stash_capacity;
  const bool is_said = node != nullptr || terms.strategy != nullptr || terms.stash_capacity != 0;
  own.blueprint = is_said ? blueprint : BlueprintPtr{};
}

// Into those that stay and those that do not. True: they cannot be what they should be without a
// restart of this actor, which starts them itself.
bool Activation::divide_children(const ChildNodes& before, const ChildNodes& after,
                                 const NodeSpec* node, Succession& next) {
  const bool starts_them = starts_own_children();
  bool must_restart = starts_them && cell_.props->node != nullptr && node != nullptr &&
                      std::ranges::any_of(node->children, [&](const NodeSpec& child) {
                        return before.find(child.name) == nullptr;
                      });
  for (Cell* child = first_child(); child != nullptr; child = at(child->next_sibling)) {
    if ((child->child_flags & Cell::dying) != 0) continue;
    const bool is_configured = (child->child_flags & Cell::from_node) != 0;
    const NodeSpec* const was = is_configured ? before.find(name_of(*child)) : nullptr;
    const NodeSpec* const is = is_configured ? after.find(name_of(*child)) : nullptr;
    const bool may_stay = !is_configured || (was != nullptr && is != nullptr &&
                                             change_between(*was, *is) != NodeChange::replaced);
    if (may_stay) next.heirs.push_back({ref_of(*child), is});
    else if (starts_them) must_restart = true;
    else next.leavers.push_back(child);
  }
  return must_restart;
}

// Who is to be started: the new ones; who has been waited for already; and who lives no more, or is
// being stopped, and is not what it was. One that ended by itself and is what it was stays away.
std::vector<std::uint32_t> Activation::due_under(const NodeSpec& node, const NodeSpec* was,
                                                 const ChildNodes& before) const {
  std::vector<std::string_view> waiting;
  if (was != nullptr && cell_.organs != nullptr) {
    for (const std::uint32_t index : cell_.organs->roster.due)
      waiting.push_back(was->children[index].name);
  }
  std::ranges::sort(waiting);
  const auto goes_or_is_gone = [&](const NodeSpec& child, NodeChange change) {
    const Cell* const living = child_named(child.name);
    if (living == nullptr || (living->child_flags & Cell::dying) != 0) return true;
    return change == NodeChange::replaced && (living->child_flags & Cell::from_node) != 0;
  };
  std::vector<std::uint32_t> due;
  for (std::size_t i = node.children.size(); i-- > 0;) {
    const NodeSpec& child = node.children[i];
    const NodeSpec* const former = before.find(child.name);
    const NodeChange change = former != nullptr ? change_between(*former, child) : NodeChange::none;
    if (former == nullptr || std::ranges::binary_search(waiting, child.name) ||
        (change != NodeChange::none && goes_or_is_gone(child, change)))
      due.push_back(static_cast<std::uint32_t>(i));
  }
  return due;
}

// As an all-for-one supervisor restarts those that did not fail (supervision.md 83): suspended by
// nobody's failure, with the cause, and released at its end. What a failure of its own or of its
// parent's has suspended besides waits for that verdict.
void Activation::restart_reconfigured(FailurePtr cause, TakeOver take_over) {
  organs().episode.take_over = std::move(take_over);
  on_suspend();
  on_recreate(std::move(cause), 0, true);
}

FailurePtr Activation::cause_of_restart(const NodeSpec& node) {
  FailurePtr cause =
      builtin_failure(causes::config_changed, "the configuration of " + path() + " has changed" +
                                                  (node.origin.empty() ? "" : ": ") + node.origin);
  cause->phase = Phase::pre_restart;
  cause->actor = self;
  cause->behaviour = &cell_.props->behaviour;
  cause->incarnation = cell_.incarnation;
  return cause;
}

// As emergency_stop() does: without memory to say it in, it is counted alone.
void Activation::keep_former(TakeOver& take_over) noexcept {
  take_over.fail();
  try {
    local_.log.emit(log::Level::error, "actor.reconfiguration-failed",
                    "there is no memory to take another configuration over: the actor and all "
                    "below it keep the former one until the next reload",
                    {{"actor.path", path()}});
  } catch (...) {}
}

}  // namespace actord::actor
