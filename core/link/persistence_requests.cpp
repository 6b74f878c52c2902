// SPDX-License-Identifier: Apache-2.0
//
// The requests of an actor in a host process that is persistent.
#include "link/request_server.hpp"

namespace actord::link {

bool RequestServer::serve_persistence(FrameReader& frame, Request request) {
  const auto number = frame.take<std::uint64_t>();  // flags, or an event
  const actord_str text = frame.str();
  if (frame.has_failed()) return false;
  switch (request) {
    case Request::persistence_id: {
      Reported reported(plugin_.codec);
      const actord_status status = host().persistence_id(&context_, text, &reported);
      begin_answer();
      answer_.put(status);
      reported.put(answer_);
      return true;
    }
    case Request::persist:
    case Request::save_snapshot: {
      TakenMessage message;
      if (!take_message(frame, message)) return false;
      Reported reported(plugin_.codec);
      std::uint64_t sequence = 0;
      const std::int32_t status =
          request == Request::persist
              ? host().persist(&context_, message.id(), message.content(),
                               static_cast<std::uint32_t>(number), &sequence, &reported)
              : host().save_snapshot(&context_, message.id(), message.content(), &reported);
      begin_answer();
      answer_.put(status);
      answer_.put(sequence);
      reported.put(answer_);
      return true;
    }
    case Request::delete_events: host().delete_events(&context_, number); return true;
    default: {  // persistence_state
      actord_persistence_state now{};
      host().persistence_state(&context_, &now);
      begin_answer();
      answer_.put(now.sequence);
      answer_.put(now.snapshot);
      answer_.put(now.unconfirmed);
      answer_.put(now.is_recovering);
      answer_.text(now.id);
      return true;
    }
  }
}

}  // namespace actord::link
