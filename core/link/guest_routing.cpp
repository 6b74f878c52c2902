// SPDX-License-Identifier: Apache-2.0
#include "link/guest_routing.hpp"

#include "link/guest_call.hpp"

namespace actord::link::guest_routing {

namespace {

// Begins a request about the actor `ref`.
GuestCall& begin(actord_context* c, Request request, actord_ref ref, std::int32_t logic = 0,
                 actord_str text = {}) {
  GuestCall& call = GuestCall::of(c);
  FrameWriter& frame = call.begin(request);
  frame.put(ref);
  frame.put(logic);
  frame.text(text);
  return call;
}

actord_status ask_for_status(GuestCall& call, actord_errors* errors) {
  FrameReader answer = call.ask();
  const auto status = answer.take<actord_status>();
  call.report_answered(answer, errors);
  return status;
}

}  // namespace

actord_status route(actord_context* c, std::int32_t logic, actord_errors* errors) {
  return ask_for_status(begin(c, Request::route, 0, logic), errors);
}
actord_status add_routee(actord_context* c, actord_ref routee, actord_errors* errors) {
  return ask_for_status(begin(c, Request::add_routee, routee), errors);
}
void remove_routee(actord_context* c, actord_ref routee) {
  begin(c, Request::remove_routee, routee).send();
}

std::size_t routees(actord_context* c, actord_ref router, actord_routee* out,
                    std::size_t capacity) {
  FrameReader answer = begin(c, Request::routees, router).ask();
  const auto n = answer.take<std::uint32_t>();
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto ref = answer.take<actord_ref>();
    const auto waiting = answer.take<std::int64_t>();
    const auto is_idle = answer.take<std::int32_t>();
    const auto unhandled = answer.take<std::uint32_t>();
    if (i < capacity) out[i] = {ref, waiting, is_idle, unhandled};
  }
  return n;
}

std::size_t tell_routees(actord_context* c, actord_ref router, actord_type_id type, void* message) {
  GuestCall& call = begin(c, Request::tell_routees, router);
  if (!call.put_message(type, message)) return 0;
  return call.ask().take<std::uint64_t>();
}

actord_ref spawn_like(actord_context* c, actord_ref child, actord_str name, actord_errors* errors) {
  GuestCall& call = begin(c, Request::spawn_like, child, 0, name);
  FrameReader answer = call.ask();
  const auto spawned = answer.take<actord_ref>();
  call.report_answered(answer, errors);
  return spawned;
}

std::int32_t hash_of_field(actord_context* c, actord_str field, std::uint64_t* out) {
  FrameReader answer = begin(c, Request::hash_of_field, 0, 0, field).ask();
  const auto is_there = answer.take<std::int32_t>();
  *out = answer.take<std::uint64_t>();
  return is_there;
}

void refuse(actord_context* c) { begin(c, Request::refuse, 0).send(); }
std::int32_t offer(actord_context* c, actord_ref routee) {
  return begin(c, Request::offer, routee).ask().take<std::int32_t>();
}

}  // namespace actord::link::guest_routing
