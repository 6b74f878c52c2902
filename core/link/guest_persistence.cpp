// SPDX-License-Identifier: Apache-2.0
#include "link/guest_persistence.hpp"

#include "link/guest_call.hpp"
#include "message/report.hpp"

namespace actord::link::guest_persistence {

namespace {

GuestCall& begin(actord_context* c, Request request, std::uint64_t number, actord_str text = {}) {
  GuestCall& call = GuestCall::of(c);
  FrameWriter& frame = call.begin(request);
  frame.put(number);
  frame.text(text);
  return call;
}

std::int32_t store(actord_context* c, Request request, std::uint32_t flags, actord_type_id type,
                   const void* message, std::uint64_t* sequence, actord_errors* errors) {
  GuestCall& call = begin(c, request, flags);
  if (!call.put_message(type, message)) {
    static_cast<void>(message::report(*errors, "the message cannot be written"));
    return ACTORD_REJECTED;
  }
  FrameReader answer = call.ask();
  const auto status = answer.take<std::int32_t>();
  *sequence = answer.take<std::uint64_t>();
  call.report_answered(answer, errors);
  return status;
}

}  // namespace

actord_status persistence_id(actord_context* c, actord_str id, actord_errors* errors) {
  GuestCall& call = begin(c, Request::persistence_id, 0, id);
  FrameReader answer = call.ask();
  const auto status = answer.take<actord_status>();
  call.report_answered(answer, errors);
  return status;
}

std::int32_t persist(actord_context* c, actord_type_id type, const void* event, std::uint32_t flags,
                     std::uint64_t* sequence, actord_errors* errors) {
  return store(c, Request::persist, flags, type, event, sequence, errors);
}

std::int32_t save_snapshot(actord_context* c, actord_type_id type, const void* state,
                           actord_errors* errors) {
  std::uint64_t none = 0;
  return store(c, Request::save_snapshot, 0, type, state, &none, errors);
}

void delete_events(actord_context* c, std::uint64_t to) {
  begin(c, Request::delete_events, to).send();
}

void persistence_state(actord_context* c, actord_persistence_state* out) {
  FrameReader answer = begin(c, Request::persistence_state, 0).ask();
  out->sequence = answer.take<std::uint64_t>();
  out->snapshot = answer.take<std::uint64_t>();
  out->unconfirmed = answer.take<std::uint64_t>();
  out->is_recovering = answer.take<std::int32_t>();
  out->reserved = 0;
  out->id = answer.str();
}

}  // namespace actord::link::guest_persistence
