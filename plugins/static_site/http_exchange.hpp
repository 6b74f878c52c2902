// SPDX-License-Identifier: Apache-2.0
//
// The types between the I/O thread and the connection that answers: a request, a reply, and the
// interface for events. They depend neither on sockets and Beast nor on actors.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "document_root.hpp"

namespace static_site {

/// The head of one request. A body is not read.
struct Request {
  std::string method{};
  std::string target{};
  std::string if_modified_since{};  // value of the header; empty: no such header
  std::uint32_t ask = 1;            // number of requests for this target since the server started
  std::uint16_t problem = 0;        // not 0: the request is bad and is answered with this status
};

/// The answer to a request. The I/O thread adds Content-Length, Date and Connection, and omits the
/// body if the request was a HEAD.
struct Reply {
  std::uint16_t status = 200;
  std::string content_type;  // empty: no such header; likewise the next three
  std::string content_language;
  std::string location;
  std::string allow;
  std::optional<std::chrono::sys_seconds> last_modified;
  std::string body;
  std::optional<Document> document;  // if set, its content is the body

  /// The size of the body in bytes.
  std::uint64_t body_size_bytes() const { return document ? document->size_bytes : body.size(); }
};

/// The events of a connection, for its actor. The functions are called on the I/O thread and must
/// not block.
class ConnectionEvents {
 public:
  virtual ~ConnectionEvents() = default;
  /// A request came. It needs exactly one answer(), finish() or reset().
  virtual void requested(Request request) = 0;
  /// The client has closed the connection, was too slow, or sent too much. It is the last call, and
  /// is not made after finish() or reset().
  virtual void closed(std::string_view reason) = 0;
};

}  // namespace static_site
