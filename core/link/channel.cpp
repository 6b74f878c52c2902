// SPDX-License-Identifier: Apache-2.0
#include "link/channel.hpp"

namespace actord::link {

namespace {

constexpr std::size_t usual_bytes = 240;  // of the requests of one turn

}  // namespace

Channel::Turned Channel::run(std::string_view frame, Server& server) {
  std::string requests;
  requests.reserve(usual_bytes);
  bool was_started = false;
  for (;;) {
    const Turned turned = exchange(frame, requests);
    was_started = was_started || turned.was_started;
    frame = server.serve(requests, turned.is_alive);
    if (!turned.is_alive || frame.empty())
      return {turned.is_alive, was_started, turned.is_bystander};
  }
}

}  // namespace actord::link
