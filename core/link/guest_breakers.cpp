// SPDX-License-Identifier: Apache-2.0
#include "link/guest_breakers.hpp"

#include "link/guest_call.hpp"

namespace actord::link::guest_breakers {

namespace {

GuestCall& begin(actord_context* c, Request request, std::uint64_t breaker,
                 std::int32_t admission = 0, std::int32_t has_failed = 0, actord_str name = {}) {
  GuestCall& call = GuestCall::of(c);
  FrameWriter& frame = call.begin(request);
  frame.put(breaker);
  frame.put(admission);
  frame.put(has_failed);
  frame.text(name);
  return call;
}

}  // namespace

std::uint64_t breaker(actord_context* c, actord_str name, actord_errors* errors) {
  GuestCall& call = begin(c, Request::breaker, 0, 0, 0, name);
  FrameReader answer = call.ask();
  const auto found = answer.take<std::uint64_t>();
  call.report_answered(answer, errors);
  return found;
}

std::int32_t admit_call(actord_context* c, std::uint64_t breaker, std::int64_t* call_timeout_ns) {
  FrameReader answer = begin(c, Request::admit_call, breaker).ask();
  const auto admission = answer.take<std::int32_t>();
  *call_timeout_ns = answer.take<std::int64_t>();
  return admission;
}

void settle_call(actord_context* c, std::uint64_t breaker, std::int32_t admission,
                 std::int32_t has_failed) {
  begin(c, Request::settle_call, breaker, admission, has_failed).send();
}

void breaker_state(actord_context* c, std::uint64_t breaker, actord_breaker* out) {
  FrameReader answer = begin(c, Request::breaker_state, breaker).ask();
  out->state = answer.take<std::int32_t>();
  out->failures = answer.take<std::uint32_t>();
  out->remaining_ns = answer.take<std::int64_t>();
}

}  // namespace actord::link::guest_breakers
