// SPDX-License-Identifier: Apache-2.0
//
// How an instance comes into being, the first one and the later ones, and how it goes.
#include "actor/activation.hpp"

namespace actord::actor {

// Constructor and start hook of the first incarnation. A creation that failed leaves no instance
// behind: that is how every later order recognises it (supervision.md 41-50).
void Activation::create() {
  cell_.stage = Stage::running;
  Phase phase = Phase::constructor;
  FailurePtr failure = construct();
  if (!failure) {
    phase = Phase::pre_start;
    if (table().pre_start != nullptr) failure = call_hook(table().pre_start);
  }
  if (!failure) {
    cell_.owner_flags |= Cell::was_started;
    if (local_.log.is_enabled(log::Level::info)) log_started();
    log_lifecycle("started");
    tell_of_life(LifeStep::started, {});
    if (cell_.props->node != nullptr) start_roster();
    return;
  }
  destroy_instance();
  FailurePtr wrapped = builtin_failure(causes::initialization, failure->what.view(), failure);
  wrapped->is_foreign = failure->is_foreign;
  fail(std::move(wrapped), phase);
}

FailurePtr Activation::construct() {
  const actord_behaviour& behaviour = table();
  Props& props = *cell_.props;
  void* const block = block_for_instance();
  cell_.receive = &props.behaviour.initial();
  cell_.owner_flags &= static_cast<std::uint8_t>(~Cell::post_stop_done);
  if (cell_.organs != nullptr && lived_ns() >= 0) cell_.organs->alive_since_ns = local_.now_ns();
  if (props.node != nullptr) props.built_from = props.blueprint;
  const Props::Create build = props.create != nullptr ? props.create : behaviour.create;
  const void* const args = props.keeps_args ? props.args_in(block).args : props.args.args;
  FailurePtr failure = enter([&](actord_context* context, actord_errors* errors) {
    return build(block, context, props.config, args, errors);
  });
  if (failure) organs().block = block;
  else cell_.instance = block;
  return failure;
}

// That of the incarnation before, or where the arguments wait for the first, or a new one.
void* Activation::block_for_instance() {
  if (cell_.instance != nullptr) return std::exchange(cell_.instance, nullptr);
  if (cell_.organs != nullptr && cell_.organs->block != nullptr)
    return std::exchange(cell_.organs->block, nullptr);
  return local_.blocks.take(cell_.props->block);
}

// Its block stays for the next incarnation.
void Activation::destroy_instance() {
  if (cell_.instance != nullptr) organs().block = take_apart();
}

// The block alone, if there is one.
void* Activation::take_apart() {
  if (void* const block = std::exchange(cell_.instance, nullptr)) {
    table().destroy(block);
    return block;
  }
  return cell_.organs != nullptr ? std::exchange(cell_.organs->block, nullptr) : nullptr;
}

// The end of what an actor was built from, and in.
void Activation::free_block(Cell& of, void* block) {
  Props& props = *std::exchange(of.props, nullptr);
  if (block != nullptr) {
    if (props.keeps_args) props.args_in(block).drop();
    local_.blocks.give(block, props.block);
  }
  if (!props.is_shared) props.drop();
}

}  // namespace actord::actor
