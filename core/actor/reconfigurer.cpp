// SPDX-License-Identifier: Apache-2.0
#include "actor/reconfigurer.hpp"

#include <algorithm>
#include <unordered_map>

#include "actor/cell_extras.hpp"
#include "actor/child_list.hpp"
#include "actor/spawning.hpp"

namespace actord::actor::reconfigurer {

namespace {

// Finds the node of a configured child by its name.
class ChildNodes {
 public:
  explicit ChildNodes(const NodeSpec* parent) {
    if (parent == nullptr) return;
    by_name_.reserve(parent->children.size());
    for (const NodeSpec& child : parent->children) by_name_.emplace(child.name, &child);
  }
  // Null if no configured child has that name.
  const NodeSpec* find(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<std::string_view, const NodeSpec*> by_name_;
};

// What a new snapshot changes for an actor, with all memory that is needed to take it over.
struct ActorChanges {
  struct KeptChild {
    Ref ref;
    const NodeSpec* node;  // in the new snapshot; null: code has spawned the child
  };
  Props* props = nullptr;  // the props to be changed; null: none, see props_to_change()
  ActorSettings settings;  // the new settings of the actor
  std::vector<KeptChild> kept_children;   // children that go on and take the snapshot over
  std::vector<Cell*> children_to_stop;    // children to be stopped
  std::vector<Cell*> routees_to_dismiss;  // that handle what they have first
  std::vector<std::uint32_t> due;         // children to be started, as in StartSequence::due()
  bool is_built_anyway = false;           // an instance will be built in any case
  FailurePtr cause;                       // of the restart by this reload; null: no restart
};

// True if the snapshot configures the actor, so that its props must hold the snapshot.
bool has_configuration(const NodeSpec* node, const ActorSettings& settings) noexcept {
  return node != nullptr || has_settings_of_props(settings) || settings.router != nullptr;
}

// The props to be changed; sets `settings` to the new settings. Null if neither the former nor the
// new snapshot configures the actor, or if the actor was spawned from an even newer snapshot, for
// which it will get a request of its own.
Props* props_to_change(Turn& turn, const ConfigSnapshot& snapshot, const NodeSpec* node,
                       ActorSettings& settings) {
  const ConfigSnapshotPtr& former = turn.cell().props->snapshot;
  if (former && former->number > snapshot.number) return nullptr;
  if (node != nullptr || snapshot.has_deployments())
    settings = snapshot.settings_of(node, [&] { return turn.path(); });
  return (has_configuration(node, settings) || former) ? &own_props(turn.cell()) : nullptr;
}

// Writes the new configuration into the actor's props.
void adopt(const ConfigSnapshotPtr& snapshot, const NodeSpec* node, const ActorChanges& changes) {
  Props& props = *changes.props;
  if (node != nullptr) props.build_from(*node);
  props.adopt(changes.settings);
  if (props.is_router) props.build_from(changes.settings.router);
  props.snapshot = has_configuration(node, changes.settings) ? snapshot : ConfigSnapshotPtr{};
}

// Divides the living children into kept children and children to stop. Returns true if this actor
// must be restarted: it starts its configured children itself, and one of them is new, must be
// replaced, or is no longer configured.
bool divide_children(Turn& turn, const ChildNodes& before, const ChildNodes& after,
                     const NodeSpec* node, ActorChanges& changes) {
  const bool starts_them = starts_own_children(turn);
  bool must_restart = starts_them && turn.cell().props->node != nullptr && node != nullptr &&
                      std::ranges::any_of(node->children, [&](const NodeSpec& child) {
                        return before.find(child.name) == nullptr;
                      });
  for (Cell& child : children_of(turn)) {
    if (child.has(Cell::dying)) continue;
    const bool is_configured = child.has(Cell::from_node);
    const NodeSpec* const was = is_configured ? before.find(child.name.given_text()) : nullptr;
    const NodeSpec* const is = is_configured ? after.find(child.name.given_text()) : nullptr;
    const bool may_stay = !is_configured || (was != nullptr && is != nullptr &&
                                             change_between(*was, *is) != NodeChange::replaced);
    constexpr unsigned configured_routee = Cell::from_node | Cell::routee;
    if (is == nullptr && (child.child_flags & configured_routee) == configured_routee)
      changes.routees_to_dismiss.push_back(&child);
    else if (may_stay)
      changes.kept_children.push_back({turn.environment().cells.ref_of(child), is});
    else if (starts_them) must_restart = true;
    else changes.children_to_stop.push_back(&child);
  }
  return must_restart;
}

// The configured children to be started, as indexes into `node.children`, the next one last. They
// are the new children, those that the start sequence has yet to start, and those whose node has
// changed and that have ended, are ending or must be replaced. Those that are lost are tried again,
// too; a child that has ended in peace is not started again, unless the reload is forced.
std::vector<std::uint32_t> children_to_start(const Turn& turn, const NodeSpec& node,
                                             const NodeSpec* was, const ChildNodes& before,
                                             bool is_forced) {
  std::vector<std::string_view> waiting;
  if (const CellExtras* const extras = turn.find_extras(); was != nullptr && extras != nullptr) {
    for (const std::uint32_t index : extras->start_sequence.due())
      waiting.push_back(was->children[index].name);
  }
  std::ranges::sort(waiting);
  const auto must_start_again = [&](const NodeSpec& child, NodeChange change) {
    const Cell* const living = find_child(turn, child.name);
    if (living == nullptr || living->has(Cell::dying)) return true;
    return change == NodeChange::replaced && living->has(Cell::from_node);
  };
  const auto is_due_again = [&](const NodeSpec& child) {
    return find_child(turn, child.name) == nullptr &&
           turn.environment().is_due_again(turn.path() + '/' + child.name, is_forced);
  };
  std::vector<std::uint32_t> due;
  for (std::size_t i = node.children.size(); i-- > 0;) {
    const NodeSpec& child = node.children[i];
    const NodeSpec* const former = before.find(child.name);
    const NodeChange change = former != nullptr ? change_between(*former, child) : NodeChange::none;
    if (former == nullptr || std::ranges::binary_search(waiting, child.name) ||
        (change != NodeChange::none && must_start_again(child, change)) || is_due_again(child))
      due.push_back(static_cast<std::uint32_t>(i));
  }
  return due;
}

FailurePtr cause_of_restart(Turn& turn, const NodeSpec& node) {
  return Recovery::operator_cause(turn, causes::config_changed,
                                  "the configuration of " + turn.path() + " has changed" +
                                      (node.origin.empty() ? "" : ": ") + node.origin);
}

// Works out what the actor must do, and allocates the props, the extras and the lists for it. The
// last step lets the request await the kept children, so that an exception leaves no actor awaited.
ActorChanges work_out_changes(Turn& turn, Reconfiguration& request, const NodeSpec* node,
                              bool is_restarted_with_parent) {
  ActorChanges changes;
  const Cell& cell = turn.cell();
  const NodeSpec* const was = cell.props->node;
  const ChildNodes before(was), after(node);
  changes.props = props_to_change(turn, *request.snapshot, node, changes.settings);
  changes.is_built_anyway =
      is_restarted_with_parent || cell.life.stage() != Stage::running || cell.instance == nullptr;
  const bool must_restart =
      divide_children(turn, before, after, node, changes) ||
      (was != nullptr && node != nullptr && change_between(*was, *node) == NodeChange::rebuilt);
  if (must_restart && !changes.is_built_anyway) changes.cause = cause_of_restart(turn, *node);
  if (node != nullptr && !starts_own_children(turn))
    changes.due = children_to_start(turn, *node, was, before, request.is_forced);
  if (changes.cause || !changes.due.empty()) static_cast<void>(turn.extras());
  std::vector<Ref> refs;
  refs.reserve(changes.kept_children.size());
  for (const auto& [ref, own] : changes.kept_children) refs.push_back(ref);
  if (!refs.empty()) request.await(refs);
  return changes;
}

// A routee that is no longer configured gets no more messages. The router lets it stop when it has
// handled those that it has (actord/router.hpp).
void dismiss_routees(Turn& turn, const ActorChanges& changes) {
  Environment& environment = turn.environment();
  for (Cell* const child : changes.routees_to_dismiss) {
    Ref routee = environment.cells.ref_of(*child);
    environment.routes.remove(turn.cell(), routee);
    child->child_flags &= static_cast<std::uint8_t>(~Cell::from_node);
    turn.thread().tell(turn.self, environment.builtin.remove_routee, &routee, nobody);
  }
}

// Lets a router that code has spawned have as many routees as its pattern says now. A pattern that
// no longer says it leaves them as they are. A router that has not begun yet will be built with the
// new size. The change is that of the configured size, because one that was sent before may still
// wait in the mailbox.
void resize(Turn& turn, std::int64_t size_before) {
  const std::int64_t size = turn.cell().props->configured_size;
  const bool is_routing = (turn.cell().sender_flags.load(base::relaxed) & Cell::routing) != 0;
  if (size == 0 || size == size_before || !is_routing) return;
  Environment& environment = turn.environment();
  std::int64_t before = size_before;
  if (before == 0) before = std::ssize(environment.routes.read(turn.self));
  std::int64_t change = size - before;
  turn.thread().tell(turn.self, environment.builtin.adjust_pool_size, &change, nobody);
}

// Sends the snapshot on to the kept children.
void reconfigure_kept_children(Turn& turn, Reconfiguration& request, const ActorChanges& changes) {
  for (const auto& [ref, own] : changes.kept_children) {
    turn.thread().send_system(
        ref, SystemMessage::reconfigure(&request, own, changes.is_built_anyway || changes.cause));
  }
}

}  // namespace

void reconfigure(Turn& turn, Reconfiguration& request, const NodeSpec* node,
                 bool is_restarted_with_parent) {
  PendingAck pending_ack(request, turn.self);
  if (turn.cell().life.is_ending() || turn.cell().life.is_doomed())
    return;  // the actor ends, and all its children with it
  ActorChanges changes;
  try {
    changes = work_out_changes(turn, request, node, is_restarted_with_parent);
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    pending_ack.fail();
    return turn.log().reconfiguration_failed();
  }
  const std::int64_t size_before = turn.cell().props->configured_size;
  if (changes.props != nullptr) adopt(request.snapshot, node, changes);
  resize(turn, size_before);
  ActorCounts& counts = turn.environment().counts;
  counts.set_counted(turn.cell(), counts.includes(node != nullptr));
  for (Cell* const child : changes.children_to_stop) stop_child(turn, *child, StopReason::config);
  dismiss_routees(turn, changes);
  reconfigure_kept_children(turn, request, changes);
  CellExtras* const extras = turn.find_extras();
  if (changes.is_built_anyway) {
    // The new instance begins the start sequence anew. The indexes that were due belong to the
    // former node.
    if (extras != nullptr) extras->start_sequence.clear_due();
    return;
  }
  if (changes.cause)
    return Recovery::restart_by_operator(turn, std::move(changes.cause), std::move(pending_ack));
  if (node != nullptr && extras != nullptr)
    extras->start_sequence.replace_due(turn, std::move(changes.due), std::move(pending_ack));
}

}  // namespace actord::actor::reconfigurer
