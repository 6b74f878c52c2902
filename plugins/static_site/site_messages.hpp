// SPDX-License-Identifier: Apache-2.0
//
// The messages of the I/O thread to the actors. They contain no sockets and no open files: a
// connection has a number, and replies go to the server directly.
#pragma once

#include <actord/actord.hpp>

#include <cstdint>
#include <string>

#include "http_exchange.hpp"

namespace static_site {

ACTORD_MESSAGE(Request, "static_site.Request/1", method, target, if_modified_since, ask, problem)

/// To the site: a client has connected.
struct Accepted {
  // The site may have stopped.
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;

  std::uint64_t server = 0;  // number of the server; connections of an older one are closed
  std::uint64_t connection = 0;
  std::string peer;  // address:port
};
ACTORD_MESSAGE(Accepted, "static_site.Accepted/1", server, connection, peer)

/// To the site: its I/O thread has ended with an exception.
struct ServerFailed {
  std::uint64_t server = 0;
  std::string reason;
};
ACTORD_MESSAGE(ServerFailed, "static_site.ServerFailed/1", server, reason)

/// To a connection: its socket is closed.
struct Closed {
  // The actor may have stopped at the same time.
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;

  std::string reason;
};
ACTORD_MESSAGE(Closed, "static_site.Closed/1", reason)

/// To a connection, from its own timer: the delay of the answer is over.
struct AnswerDue {};
ACTORD_MESSAGE(AnswerDue, "static_site.AnswerDue/1")

}  // namespace static_site
