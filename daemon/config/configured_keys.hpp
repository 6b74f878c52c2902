// SPDX-License-Identifier: Apache-2.0
//
// The keys and the actors that a configuration has, for lists and for the completion of shells.
#pragma once

#include <string>
#include <vector>

#include "config/configuration.hpp"

namespace actord::config {

struct ConfiguredActor {
  std::string path;  // "/user/crawler"
  std::string key;   // of its node: "actord.user.crawler"
};

/// Parents before their children, in the order of the file.
std::vector<ConfiguredActor> configured_actors(const std::vector<settings::Node>& user);

/// The keys and sections of actord that contain no name of the operator's, and every key and
/// section that `tree` has; sorted. They are written as an operator writes them.
std::vector<std::string> configured_keys(const hocon::Tree& tree);

}  // namespace actord::config
