// SPDX-License-Identifier: Apache-2.0
#include "actor/reconfigurer.hpp"

#include <algorithm>
#include <unordered_map>

#include "actor/cell_extras.hpp"
#include "actor/child_list.hpp"
#include "actor/spawning.hpp"

namespace actord::actor::reconfigurer {

namespace {

// The nodes of a parent's children by name.
class ChildNodes {
 public:
  explicit ChildNodes(const NodeSpec* parent) {
    if (parent == nullptr) return;
    by_name_.reserve(parent->children.size());
    for (const NodeSpec& child : parent->children) by_name_.emplace(child.name, &child);
  }
  // Null if there is none.
  const NodeSpec* find(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<std::string_view, const NodeSpec*> by_name_;
};

// What a new snapshot means for an actor, with all memory that carrying it out needs.
struct Succession {
  struct KeptChild {
    Ref ref;
    const NodeSpec* node;
  };
  Props* props = nullptr;  // to be changed; null: the operator says nothing, now as before
  Terms terms;
  std::vector<KeptChild> kept_children;  // children that stay
  std::vector<Cell*> leavers;            // children that do not
  std::vector<std::uint32_t> due;        // of the start sequence
  bool is_built_anyway = false;          // by its parent's restart, or because it has no instance
  FailurePtr cause;                      // of its own restart; null: none
};

bool is_said(const NodeSpec* node, const Terms& terms) noexcept {
  return node != nullptr || terms.strategy != nullptr || terms.stash_capacity != 0;
}

// Null: nothing is said of the actor, now as before; or it was spawned from a newer snapshot,
// which is on its way, too.
Props* props_under(Turn& turn, const ConfigSnapshot& snapshot, const NodeSpec* node, Terms& terms) {
  const ConfigSnapshotPtr& former = turn.cell().props->snapshot;
  if (former && former->number > snapshot.number) return nullptr;
  if (node != nullptr || !snapshot.deployments.empty())
    terms = snapshot.terms_of(node, turn.path());
  return is_said(node, terms) || former ? &own_props(turn.cell()) : nullptr;
}

void adopt(const ConfigSnapshotPtr& snapshot, const NodeSpec* node, const Succession& next) {
  Props& own = *next.props;
  if (node != nullptr) own.build_from(*node);
  own.strategy = next.terms.strategy;
  own.stash_capacity = next.terms.stash_capacity;
  own.snapshot = is_said(node, next.terms) ? snapshot : ConfigSnapshotPtr{};
}

// Divides the children into those that stay and those that do not. True: they cannot be what they
// should be without a restart of this actor, which starts them itself.
bool divide_children(Turn& turn, const ChildNodes& before, const ChildNodes& after,
                     const NodeSpec* node, Succession& next) {
  const bool starts_them = starts_own_children(turn);
  bool must_restart = starts_them && turn.cell().props->node != nullptr && node != nullptr &&
                      std::ranges::any_of(node->children, [&](const NodeSpec& child) {
                        return before.find(child.name) == nullptr;
                      });
  for (Cell& child : children_of(turn)) {
    if ((child.child_flags & Cell::dying) != 0) continue;
    const bool is_configured = (child.child_flags & Cell::from_node) != 0;
    const NodeSpec* const was = is_configured ? before.find(name_of(child)) : nullptr;
    const NodeSpec* const is = is_configured ? after.find(name_of(child)) : nullptr;
    const bool may_stay = !is_configured || (was != nullptr && is != nullptr &&
                                             change_between(*was, *is) != NodeChange::replaced);
    if (may_stay) next.kept_children.push_back({turn.environment().cells.ref_of(child), is});
    else if (starts_them) must_restart = true;
    else next.leavers.push_back(&child);
  }
  return must_restart;
}

// The children to be started: the new ones; those that have been waited for already; and those that
// live no more, or are being stopped, and are not what they were. A child that ended by itself and
// is what it was stays away.
std::vector<std::uint32_t> due_under(const Turn& turn, const NodeSpec& node, const NodeSpec* was,
                                     const ChildNodes& before) {
  std::vector<std::string_view> waiting;
  if (const CellExtras* const extras = turn.find_extras(); was != nullptr && extras != nullptr) {
    for (const std::uint32_t index : extras->start_sequence.due())
      waiting.push_back(was->children[index].name);
  }
  std::ranges::sort(waiting);
  const auto goes_or_is_gone = [&](const NodeSpec& child, NodeChange change) {
    const Cell* const living = find_child(turn, child.name);
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

FailurePtr cause_of_restart(Turn& turn, const NodeSpec& node) {
  FailurePtr cause = turn.builtin_failure(causes::config_changed,
                                          "the configuration of " + turn.path() + " has changed" +
                                              (node.origin.empty() ? "" : ": ") + node.origin);
  cause->phase = Phase::pre_restart;
  cause->actor = turn.self;
  cause->behaviour = &turn.cell().props->behaviour;
  cause->incarnation = turn.cell().life.incarnation();
  return cause;
}

// Changes nothing but which actors the request awaits, and that last.
Succession succession_by(Turn& turn, Reconfiguration& request, const NodeSpec* node,
                         bool is_restarted_with_parent) {
  Succession next;
  const Cell& cell = turn.cell();
  const NodeSpec* const was = cell.props->node;
  const ChildNodes before(was), after(node);
  next.props = props_under(turn, *request.snapshot, node, next.terms);
  next.is_built_anyway =
      is_restarted_with_parent || cell.life.stage() != Stage::running || cell.instance == nullptr;
  const bool must_restart =
      divide_children(turn, before, after, node, next) ||
      (was != nullptr && node != nullptr && change_between(*was, *node) == NodeChange::rebuilt);
  if (must_restart && !next.is_built_anyway) next.cause = cause_of_restart(turn, *node);
  if (node != nullptr && !starts_own_children(turn)) next.due = due_under(turn, *node, was, before);
  if (next.cause || !next.due.empty()) static_cast<void>(turn.extras());
  std::vector<Ref> refs;
  refs.reserve(next.kept_children.size());
  for (const auto& [ref, own] : next.kept_children) refs.push_back(ref);
  if (!refs.empty()) request.await(refs);
  return next;
}

void tell_kept_children(Turn& turn, Reconfiguration& request, const Succession& next) {
  for (const auto& [ref, own] : next.kept_children) {
    turn.thread().send_system(
        ref, SystemMessage::reconfigure(ReconfigurationPtr(&request).release(), own,
                                        next.is_built_anyway || next.cause));
  }
}

}  // namespace

void reconfigure(Turn& turn, Reconfiguration& request, const NodeSpec* node,
                 bool is_restarted_with_parent) {
  PendingAck pending_ack(request, turn.self);
  if (turn.cell().life.is_ending() || turn.cell().life.is_doomed())
    return;  // with all its children
  Succession next;
  try {
    next = succession_by(turn, request, node, is_restarted_with_parent);
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    pending_ack.fail();
    return turn.log().reconfiguration_failed();
  }
  if (next.props != nullptr) adopt(request.snapshot, node, next);
  for (Cell* const leaver : next.leavers) stop_child(turn, *leaver, StopReason::config);
  tell_kept_children(turn, request, next);
  CellExtras* const extras = turn.find_extras();
  if (next.is_built_anyway) {
    // It begins its start sequence anew: the children that were due stood in another configuration.
    if (extras != nullptr) extras->start_sequence.clear_due();
    return;
  }
  if (next.cause)
    return Recovery::restart_for_reload(turn, std::move(next.cause), std::move(pending_ack));
  if (node != nullptr && extras != nullptr)
    extras->start_sequence.replace_due(turn, std::move(next.due), std::move(pending_ack));
}

}  // namespace actord::actor::reconfigurer
