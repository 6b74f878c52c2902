// SPDX-License-Identifier: Apache-2.0
#include "link/guest_shutdown.hpp"

#include "link/guest_call.hpp"

namespace actord::link::guest_shutdown {

actord_status add_shutdown_task(actord_context* c, actord_str phase, actord_str task,
                                actord_ref actor, std::int32_t is_end, actord_errors* errors) {
  GuestCall& call = GuestCall::of(c);
  FrameWriter& frame = call.begin(Request::add_shutdown_task);
  frame.text(phase);
  frame.text(task);
  frame.put(actor);
  frame.put(is_end);
  FrameReader answer = call.ask();
  const auto status = answer.take<actord_status>();
  call.report_answered(answer, errors);
  return status;
}

}  // namespace actord::link::guest_shutdown
