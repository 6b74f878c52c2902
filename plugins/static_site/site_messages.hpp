// SPDX-License-Identifier: Apache-2.0
//
// What the I/O thread tells the actors. Sockets and open files never travel in a message: a
// connection is spoken of by its number, and replies go to the server directly.
#pragma once

#include <actord/actord.hpp>

#include <cstdint>
#include <string>

#include "http_exchange.hpp"

namespace static_site {

ACTORD_MESSAGE(Request, "static_site.Request/1", method, target, if_modified_since, ask, problem)

/// To the site: somebody connected.
struct Accepted {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;  // a site may stop any time

  std::uint64_t server = 0;  // which incarnation's: an older one's connections are gone
  std::uint64_t connection = 0;
  std::string peer;  // address:port
};
ACTORD_MESSAGE(Accepted, "static_site.Accepted/1", server, connection, peer)

/// To the site: its I/O thread has ended by an exception.
struct ServerFailed {
  std::uint64_t server = 0;
  std::string reason;
};
ACTORD_MESSAGE(ServerFailed, "static_site.ServerFailed/1", server, reason)

/// To a connection: its socket is closed.
struct Closed {
  // both ends may end at once
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;

  std::string reason;
};
ACTORD_MESSAGE(Closed, "static_site.Closed/1", reason)

/// To a connection, from its own timer: the answer has been delayed enough.
struct AnswerDue {};
ACTORD_MESSAGE(AnswerDue, "static_site.AnswerDue/1")

}  // namespace static_site
