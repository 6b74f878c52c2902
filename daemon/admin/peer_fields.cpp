// SPDX-License-Identifier: Apache-2.0
#include "admin/peer_fields.hpp"

namespace actord::admin {

PeerFields::PeerFields(const os::Peer& peer)
    : peer_(peer), user_(os::user_name(peer.uid)), command_(os::process_name(peer.pid)) {}

void PeerFields::add_to(std::vector<log::Field>& fields) const {
  fields.push_back({"peer.uid", peer_.uid});
  if (peer_.gid != os::no_group) fields.push_back({"peer.gid", peer_.gid});
  fields.push_back({"peer.pid", peer_.pid});
  fields.push_back({"peer.user", user_});
  if (!command_.empty()) fields.push_back({"peer.command", command_});
}

std::string PeerFields::text() const { return user_ + " (pid " + std::to_string(peer_.pid) + ')'; }

}  // namespace actord::admin
