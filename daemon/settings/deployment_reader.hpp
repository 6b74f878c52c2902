// SPDX-License-Identifier: Apache-2.0
//
// actord.actor.deployment: settings for actors by a pattern of their path.
#pragma once

#include "settings/object_reader.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

/// Reads the rules of `deployment`, an object from pattern to rule, and returns them with the most
/// specific first. More names in a pattern are more specific, then more names with `*` or `?`, then
/// more characters written out in these, then more `*`, then no `**`. If two patterns of equal
/// weight match one path, it is an error unless a third rule has exactly their common pattern.
std::vector<actor::Deployment> read_deployments(ObjectReader deployment);

}  // namespace actord::settings
