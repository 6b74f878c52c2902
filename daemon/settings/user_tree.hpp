// SPDX-License-Identifier: Apache-2.0
//
// actord.user: the tree of configured actors.
#pragma once

#include "settings/object_reader.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

/// Reads `actors`, an object from name to node; the result has the order of the file.
std::vector<Node> read_nodes(ObjectReader actors, const std::string& parent_path);

/// Reads `dispatcher`: the name of an existing dispatcher.
void read_dispatcher(ObjectReader& block, std::string& out);

}  // namespace actord::settings
