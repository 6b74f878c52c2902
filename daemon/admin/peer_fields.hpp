// SPDX-License-Identifier: Apache-2.0
//
// The client, or the sender of a signal, as fields `peer.*` of log events.
#pragma once

#include <string>
#include <vector>

#include "log/log_record.hpp"
#include "os/local_socket.hpp"

namespace actord::admin {

/// The identity of a peer, with the names that it had when the object was made: the process may
/// have ended when the event is logged.
class PeerFields {
 public:
  explicit PeerFields(const os::Peer& peer);

  /// Appends the fields. They refer to this object.
  void add_to(std::vector<log::Field>& fields) const;
  /// "root (pid 4711)"
  std::string text() const;
  const os::Peer& peer() const noexcept { return peer_; }

 private:
  os::Peer peer_;
  std::string user_;     // the number as text if the user has no name
  std::string command_;  // empty: not known
};

}  // namespace actord::admin
