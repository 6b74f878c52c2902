// SPDX-License-Identifier: Apache-2.0
//
// How an instance comes into being, the first one and the later ones, and how it goes.
#include <new>

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
    failure = call_hook(table().pre_start);
  }
  if (!failure) {
    cell_.owner_flags |= Cell::was_started;
    log_started();
    log_lifecycle("started");
    tell_of_life(LifeStep::started, {});
    return start_roster();
  }
  destroy_instance();
  std::string what = failure->what;
  FailurePtr wrapped = builtin_failure({"actord::InitializationFailure", "actord::Failure"},
                                       std::move(what), failure);
  wrapped->is_foreign = failure->is_foreign;
  fail(std::move(wrapped), phase);
}

FailurePtr Activation::construct() {
  const actord_behaviour& behaviour = table();
  void* const storage =
      ::operator new (behaviour.size != 0 ? behaviour.size : 1, std::align_val_t{behaviour.align});
  cell_.receive = &cell_.props->behaviour.initial();
  cell_.owner_flags &= static_cast<std::uint8_t>(~Cell::post_stop_done);
  if (lived_ns() >= 0) cell_.organs->alive_since_ns = local_.now_ns();
  const Props::Create build =
      cell_.props->create != nullptr ? cell_.props->create : behaviour.create;
  FailurePtr failure = enter([&](actord_context* context, actord_errors* errors) {
    return build(storage, context, cell_.props->config, cell_.props->args, errors);
  });
  if (failure) ::operator delete (storage, std::align_val_t{behaviour.align});
  else cell_.instance = storage;
  return failure;
}

void Activation::destroy_instance() {
  if (cell_.instance == nullptr) return;
  table().destroy(cell_.instance);
  ::operator delete (std::exchange(cell_.instance, nullptr), std::align_val_t{table().align});
}

}  // namespace actord::actor
