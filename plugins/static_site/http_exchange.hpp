// SPDX-License-Identifier: Apache-2.0
//
// The words between the I/O thread and whoever answers: a request as it came, a reply to be sent,
// and how the first reaches the answerer. Nothing here knows of sockets, of Beast or of actors.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "document_root.hpp"

namespace static_site {

/// The head of one request. What it may have as a body is not read.
struct Request {
  std::string method{};
  std::string target{};
  std::string if_modified_since{};  // the header's value; empty: not given
  std::uint32_t ask = 1;            // how often this target was asked for since the server started
  std::uint16_t problem = 0;        // not 0: no acceptable request, to be answered with this status
};

/// The answer to a request. The I/O thread adds Content-Length, Date and Connection, and leaves the
/// body out when the request was a HEAD.
struct Reply {
  std::uint16_t status = 200;
  std::string content_type;  // empty: no such header
  std::string location;
  std::string allow;
  std::optional<std::chrono::sys_seconds> last_modified;
  std::string body;
  std::optional<Document> document;  // when set, its content is the body

  std::uint64_t body_size_bytes() const { return document ? document->size_bytes : body.size(); }
};

/// How the events of a connection reach whoever answers it. Called on the I/O thread, where nothing
/// may block.
class ConnectionEvents {
 public:
  virtual ~ConnectionEvents() = default;
  /// Answered by exactly one answer(), finish() or reset().
  virtual void requested(Request request) = 0;
  /// The client went, or was too slow or too rude. The last call; not made after finish() or
  /// reset().
  virtual void closed(std::string_view reason) = 0;
};

}  // namespace static_site
