// SPDX-License-Identifier: Apache-2.0
//
// The requests of an actor in a host process that are about circuit breakers which actors share.
#include "link/request_server.hpp"

namespace actord::link {

bool RequestServer::serve_breaker(FrameReader& frame, Request request) {
  const auto breaker = frame.take<std::uint64_t>();
  const auto admission = frame.take<std::int32_t>();
  const auto has_failed = frame.take<std::int32_t>();
  const actord_str name = frame.str();
  if (frame.has_failed()) return false;
  switch (request) {
    case Request::breaker: {
      Reported reported(plugin_.codec);
      const std::uint64_t found = host().breaker(&context_, name, &reported);
      begin_answer();
      answer_.put(found);
      reported.put(answer_);
      return true;
    }
    case Request::admit_call: {
      std::int64_t call_timeout_ns = 0;
      const std::int32_t is_admitted = host().admit_call(&context_, breaker, &call_timeout_ns);
      begin_answer();
      answer_.put(is_admitted);
      answer_.put(call_timeout_ns);
      return true;
    }
    case Request::settle_call:
      host().settle_call(&context_, breaker, admission, has_failed);
      return true;
    default: {  // breaker_state
      actord_breaker now{};
      host().breaker_state(&context_, breaker, &now);
      begin_answer();
      answer_.put(now.state);
      answer_.put(now.failures);
      answer_.put(now.remaining_ns);
      return true;
    }
  }
}

}  // namespace actord::link
