// SPDX-License-Identifier: Apache-2.0
#include "actor/instance.hpp"

#include "actor/cell_extras.hpp"

namespace actord::actor {

Instance::Failed Instance::recreate(Turn& turn, const Failure& cause) {
  if (FailurePtr failure = construct(turn)) return {std::move(failure), Phase::constructor};
  const actord_behaviour& table = turn.table();
  return {table.post_restart != nullptr ? turn.call_restart_hook(table.post_restart, cause)
                                        : turn.call_hook(table.pre_start),
          Phase::post_restart};
}

FailurePtr Instance::construct(Turn& turn) {
  Cell& cell = turn.cell();
  Props& props = *cell.props;
  void* const block = block_for(turn);
  cell.receive = &props.behaviour.initial();
  cell.owner_flags &= static_cast<std::uint8_t>(~Cell::post_stop_done);
  if (cell.extras != nullptr && cell.extras->instance.alive_since_ns_ != 0)
    cell.extras->instance.begin_lifetime(turn);
  if (props.node != nullptr) props.built_from = props.snapshot;
  const Props::Create build = props.create != nullptr ? props.create : turn.table().create;
  const void* const args = props.keeps_args ? props.args_in(block).args : props.args.args;
  FailurePtr failure = turn.call_plugin([&](actord_context* context, actord_errors* errors) {
    return build(block, context, props.config, args, errors);
  });
  if (failure) turn.extras().instance.spare_block_ = block;
  else cell.instance = block;
  return failure;
}

// The block of the previous incarnation; for the first one the block that holds the arguments, if
// there is one; else a new block.
inline void* Instance::block_for(Turn& turn) {
  Cell& cell = turn.cell();
  if (cell.instance != nullptr) {
    ACTORD_ASSERT(cell.life.incarnation() == 0);  // this block holds the arguments, not an instance
    return std::exchange(cell.instance, nullptr);
  }
  if (cell.extras != nullptr && cell.extras->instance.spare_block_ != nullptr)
    return std::exchange(cell.extras->instance.spare_block_, nullptr);
  return turn.thread().blocks.take(cell.props->block);
}

void Instance::destroy(Turn& turn) {
  if (turn.cell().instance == nullptr) return;
  void*& spare = turn.extras().instance.spare_block_;
  ACTORD_ASSERT(spare == nullptr);
  spare = destroy_and_take_block(turn);
}

void* Instance::destroy_and_take_block(Turn& turn) {
  Cell& cell = turn.cell();
  if (void* const block = std::exchange(cell.instance, nullptr)) {
    turn.table().destroy(block);
    return block;
  }
  return cell.extras != nullptr ? std::exchange(cell.extras->instance.spare_block_, nullptr)
                                : nullptr;
}

void Instance::release(ThreadState& thread, Cell& of, void* block) {
  Props& props = *std::exchange(of.props, nullptr);
  if (of.has(Cell::has_usage)) [[unlikely]]
    props.behaviour.usage()->give(PluginUsage::actors);
  if (block != nullptr) {
    if (props.keeps_args) props.args_in(block).drop();
    thread.blocks.give(block, props.block);
  }
  if (!props.is_shared) props.drop();
}

void Instance::end_incarnation(Turn& turn) {
  ReceiveStack::reset(turn);
  CellExtras* const extras = turn.find_extras();
  if (extras == nullptr) return;
  extras->timers.cancel_all(turn);
  extras->asks.cancel_all(turn);
  if (extras->persistence != nullptr) extras->persistence->end_incarnation(turn);
}

std::int64_t Instance::lived_ns(const Turn& turn) {
  const CellExtras* const extras = turn.find_extras();
  if (extras == nullptr || extras->instance.alive_since_ns_ == 0) return -1;
  return turn.thread().now_ns() - extras->instance.alive_since_ns_;
}

}  // namespace actord::actor
