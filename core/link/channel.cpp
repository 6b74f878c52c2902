// SPDX-License-Identifier: Apache-2.0
#include "link/channel.hpp"

namespace actord::link {

namespace {

constexpr std::size_t kept_bytes = std::size_t{64} << 10;  // of the requests of a turn

}  // namespace

Channel::Turned Channel::run(std::string_view frame, Server& server) {
  bool was_started = false;
  for (;;) {
    const Turned turned = exchange(frame, requests_);
    was_started = was_started || turned.was_started;
    frame = server.serve(requests_, turned.is_alive);
    if (!turned.is_alive || frame.empty()) {
      if (requests_.capacity() > kept_bytes) std::string{}.swap(requests_);
      return {turned.is_alive, was_started, turned.is_bystander};
    }
  }
}

}  // namespace actord::link
