// SPDX-License-Identifier: Apache-2.0
//
// The requests of an actor in a host process that are about routers.
#include <algorithm>
#include <vector>

#include "link/request_server.hpp"

namespace actord::link {

namespace {

// More would not fit into a frame.
constexpr std::size_t routees_max = 100'000;

}  // namespace

bool RequestServer::serve_routing(FrameReader& frame, Request request) {
  const auto ref = frame.take<actord_ref>();
  const auto logic = frame.take<std::int32_t>();
  const actord_str text = frame.str();
  if (frame.has_failed()) return false;
  switch (request) {
    case Request::route:
    case Request::add_routee: {
      Reported reported(plugin_.codec);
      const actord_status status = request == Request::route
                                       ? host().route(&context_, logic, &reported)
                                       : host().add_routee(&context_, ref, &reported);
      begin_answer();
      answer_.put(status);
      reported.put(answer_);
      return true;
    }
    case Request::remove_routee: host().remove_routee(&context_, ref); return true;
    case Request::refuse: host().refuse(&context_); return true;
    case Request::offer: {
      const std::int32_t is_sent = host().offer(&context_, ref);
      begin_answer();
      answer_.put(is_sent);
      return true;
    }
    case Request::routees: {
      std::vector<actord_routee> all(
          std::min(host().routees(&context_, ref, nullptr, 0), routees_max));
      const std::size_t n =
          std::min(host().routees(&context_, ref, all.data(), all.size()), all.size());
      begin_answer();
      answer_.put(static_cast<std::uint32_t>(n));
      for (std::size_t i = 0; i < n; ++i) {
        answer_.put(all[i].ref);
        answer_.put(all[i].waiting);
        answer_.put(all[i].is_idle);
        answer_.put(all[i].unhandled);
      }
      return true;
    }
    case Request::tell_routees: {
      TakenMessage message;
      if (!take_message(frame, message)) return false;
      const std::size_t n = host().tell_routees(&context_, ref, message.id(), message.content());
      begin_answer();
      answer_.put<std::uint64_t>(n);
      return true;
    }
    case Request::spawn_like: {
      Reported reported(plugin_.codec);
      const actord_ref child = host().spawn_like(&context_, ref, text, &reported);
      begin_answer();
      answer_.put(child);
      reported.put(answer_);
      return true;
    }
    default: {  // hash_of_field
      std::uint64_t hash = 0;
      const std::int32_t is_there = host().hash_of_field(&context_, text, &hash);
      begin_answer();
      answer_.put(is_there);
      answer_.put(hash);
      return true;
    }
  }
}

}  // namespace actord::link
