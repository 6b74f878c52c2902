// SPDX-License-Identifier: Apache-2.0
//
// The request of an actor in a host process that is about the coordinated shutdown.
#include "link/request_server.hpp"

namespace actord::link {

bool RequestServer::serve_shutdown_task(FrameReader& frame) {
  const actord_str phase = frame.str(), task = frame.str();
  const auto actor = frame.take<actord_ref>();
  const auto is_end = frame.take<std::int32_t>();
  if (frame.has_failed()) return false;
  Reported reported(plugin_.codec);
  const actord_status status =
      host().add_shutdown_task(&context_, phase, task, actor, is_end, &reported);
  begin_answer();
  answer_.put(status);
  reported.put(answer_);
  return true;
}

}  // namespace actord::link
