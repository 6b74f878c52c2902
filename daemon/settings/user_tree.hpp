// SPDX-License-Identifier: Apache-2.0
//
// actord.user: the actors that the configuration starts, as a tree.
#pragma once

#include "settings/object_reader.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

/// The actors of `actors`, an object from name to node, in the order of the file.
std::vector<Node> read_nodes(ObjectReader actors, const std::string& parent_path);

/// `dispatcher`: the name of one that exists.
void read_dispatcher(ObjectReader& block, std::string& out);
/// `mailbox { capacity }`, in messages.
void read_mailbox(ObjectReader& block, std::int64_t& capacity);

}  // namespace actord::settings
