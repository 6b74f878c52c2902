// SPDX-License-Identifier: Apache-2.0
#include "actor/receive_stack.hpp"

#include "actor/cell_extras.hpp"

namespace actord::actor {

void ReceiveStack::become(Turn& turn, const actord_receive* state, bool keep_old) {
  Cell& cell = turn.cell();
  const ReceiveTable* const resolved = cell.props->behaviour.find(state);
  if (resolved == nullptr) return;
  if (keep_old) turn.extras().receive_stack.below_.push_back(cell.receive);
  cell.receive = resolved;
}

void ReceiveStack::unbecome(Turn& turn) {
  CellExtras* const extras = turn.find_extras();
  if (extras == nullptr || extras->receive_stack.below_.empty()) return reset(turn);
  std::vector<const ReceiveTable*>& below = extras->receive_stack.below_;
  turn.cell().receive = below.back();
  below.pop_back();
}

void ReceiveStack::reset(Turn& turn) {
  Cell& cell = turn.cell();
  cell.receive = &cell.props->behaviour.initial();
  if (CellExtras* const extras = turn.find_extras()) extras->receive_stack.below_.clear();
}

}  // namespace actord::actor
