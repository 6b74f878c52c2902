// SPDX-License-Identifier: Apache-2.0
#include "actor/start_sequence.hpp"

#include <algorithm>
#include <numeric>

#include "actor/cell_extras.hpp"
#include "actor/supervision.hpp"

namespace actord::actor {

namespace {

PropsPtr props_of(const NodeSpec& node, const ConfigSnapshotPtr& of) {
  PropsPtr props(new Props(*node.behaviour));
  props->snapshot = of;
  props->build_from(node);
  return props;
}

// Spawns a child of the configuration, which fails with `charge` before it is created, if there is
// one.
base::Result<Ref, SpawnError> spawn_charged(Turn& turn, const NodeSpec& wanted,
                                            const CrashChargePtr& charge,
                                            FailurePtr started_for = {}) {
  PropsPtr props = props_of(wanted, turn.cell().props->snapshot);
  props->started_for = std::move(started_for);
  if (charge && !charge->is_judged) props->crash = charge;
  auto spawned = spawn(turn, wanted.name, std::move(props));
  if (!spawned || !charge) return spawned;
  Cell& child = *find_child(turn, *spawned);
  ACTORD_ASSERT(child.stats == nullptr);
  child.stats = new ChildStats;
  charge_crashes(turn.cell().props->strategy_of_children(), *charge, *child.stats,
                 turn.thread().now_ns());
  return spawned;
}

}  // namespace

base::Result<Ref, SpawnError> spawn_configured(Turn& turn, std::string_view name) {
  const Props& own = *turn.cell().props;
  if (own.node != nullptr) {
    const auto wanted = std::ranges::find(own.node->children, name, &NodeSpec::name);
    if (wanted != own.node->children.end()) {
      const std::string path = turn.path() + '/' + wanted->name;
      return spawn_charged(turn, *wanted, turn.environment().take_crash_charge(path));
    }
  }
  return SpawnError{{"the configuration of " + turn.path() + " has no child " + std::string{name}}};
}

void StartSequence::start(Turn& turn, FailurePtr restarted_for) {
  const NodeSpec* const node = turn.cell().props->node;
  ACTORD_ASSERT(node != nullptr);
  if (node->children.empty()) return report_subtree_started(turn);
  StartSequence& sequence = turn.extras().start_sequence;
  sequence.reset();
  sequence.restarted_for_ = std::move(restarted_for);
  if (!starts_own_children(turn)) {
    sequence.due_.resize(node->children.size());
    std::iota(sequence.due_.rbegin(), sequence.due_.rend(), 0u);
  }
  sequence.start_next(turn);
}

void StartSequence::start_next(Turn& turn) {
  if (turn.cell().life.stage() != Stage::running || turn.cell().life.is_doomed()) return;
  ACTORD_ASSERT(turn.cell().props->node != nullptr);
  const NodeSpec& node = *turn.cell().props->node;
  awaited_ = nobody;
  for (std::size_t i = due_.size(); i-- > 0;) {
    ACTORD_ASSERT(due_[i] < node.children.size());
    const NodeSpec& wanted = node.children[due_[i]];
    const Cell* const of_name = find_child(turn, wanted.name);
    // waits until it has ended
    if (of_name != nullptr && of_name->has(Cell::dying)) continue;
    due_.erase(due_.begin() + static_cast<std::ptrdiff_t>(i));
    const bool outlived_restart = of_name != nullptr && of_name->has(Cell::from_node);
    if (outlived_restart) continue;
    if (start_one(turn, wanted)) return;
    i = std::min(i, due_.size());  // on_child_lost() may have emptied the list
  }
  if (!due_.empty()) return;
  restarted_for_ = {};
  pending_ack_ = {};
  report_subtree_started(turn);
}

bool StartSequence::start_one(Turn& turn, const NodeSpec& wanted) {
  const std::string path = (turn.parent == nobody ? "" : turn.path()) + '/' + wanted.name;
  const CrashChargePtr charge = turn.environment().take_crash_charge(path);
  if (charge && charge->is_quarantined) {
    const FailurePtr crash = failure_of(*charge, turn.environment().chains);
    turn.environment().on_configured_step(
        path, {.kind = ConfiguredStep::Kind::quarantined, .failure = crash.get()});
    turn.log().quarantined(path, wanted, *charge);
    return false;
  }
  turn.environment().on_configured_step(path, {.kind = ConfiguredStep::Kind::starting});
  const auto spawned = spawn_charged(turn, wanted, charge, restarted_for_);
  if (!spawned) {
    const FailurePtr failure = turn.builtin_failure(causes::initialization, spawned.error().what);
    on_child_lost(turn, path, *failure);
    return false;
  }
  const Ref ref = *spawned;
  Cell* const child = find_child(turn, ref);
  ACTORD_ASSERT(child != nullptr && awaited_ == nobody);
  child->child_flags |= Cell::configured;
  awaited_ = ref;
  return true;
}

void StartSequence::continue_if_possible(Turn& turn) {
  if (awaited_ == nobody && !turn.cell().life.is_suspended()) start_next(turn);
}

void StartSequence::start_requested(Turn& turn, StartRequest& request) {
  const Cell& cell = turn.cell();
  const NodeSpec* const node = cell.props->node;
  if (node == nullptr || starts_own_children(turn)) return;
  if (cell.life.stage() != Stage::running || cell.life.is_doomed()) return;
  const auto wanted = std::ranges::find(node->children, request.name, &NodeSpec::name);
  if (wanted == node->children.end()) return;  // a reload has removed it
  const Cell* const living = find_child(turn, request.name);
  if (living != nullptr &&
      (living->child_flags & (Cell::dying | Cell::from_node)) == Cell::from_node) {
    // If it has ended, the notice of its end is on its way.
    if (turn.environment().has_stopped(turn.path() + '/' + request.name))
      return turn.thread().send_system(turn.self, SystemMessage::start_child(RequestPtr(&request)));
    return turn.thread().send_system(turn.environment().cells.ref_of(*living),
                                     SystemMessage::backoff_over(0));
  }
  StartSequence& sequence = turn.extras().start_sequence;
  const auto index = static_cast<std::uint32_t>(wanted - node->children.begin());
  if (std::ranges::find(sequence.due_, index) == sequence.due_.end())
    sequence.due_.insert(sequence.due_.begin(), index);  // after those that are due already
  sequence.unblock(turn);
}

void StartSequence::replace_due(Turn& turn, std::vector<std::uint32_t> due,
                                PendingAck pending_ack) {
  due_ = std::move(due);
  if (!due_.empty()) {
    pending_ack_ = std::move(pending_ack);
    unblock(turn);
  } else if (awaited_ == nobody) {
    start_next(turn);  // releases the PendingAck of an earlier reload: no child is left to start
  }
}

// Sent once, because the parent's sequence only waits for the first start of this actor.
void StartSequence::report_subtree_started(Turn& turn) {
  Cell& cell = turn.cell();
  if (cell.has(Cell::subtree_started_once)) return;
  cell.owner_flags |= Cell::subtree_started_once;
  turn.environment().configured_children_started(turn);
  turn.thread().send_system(turn.parent, SystemMessage::subtree_started(turn.self));
}

void StartSequence::on_child_lost(Turn& turn, std::string_view child_path, const Failure& failure) {
  if (turn.environment().configured_child_lost(child_path, failure)) return;
  due_.clear();
  turn.cell().owner_flags |= Cell::subtree_started_once;
}

}  // namespace actord::actor
