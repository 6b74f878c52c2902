// SPDX-License-Identifier: Apache-2.0
//
// actord.actor.deployment: what holds for actors by the pattern of their path.
#pragma once

#include "settings/object_reader.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

/// The rules of `deployment`, an object from pattern to rule, the most specific first: of those
/// that match a path, the one with the most literal segments, then with the most `*`, then without
/// `**`. That two of the same weight can match one path is an error, unless a third rule is for
/// just those paths.
std::vector<system::PathRule> read_deployments(ObjectReader deployment);

}  // namespace actord::settings
