// SPDX-License-Identifier: Apache-2.0
//
// Finds keys in an actor's config that its behaviour does not declare. The daemon refuses such keys
// before it creates an actor (daemon/settings), so a test must fail on them, too.
//
// Not here: the values, which the behaviour itself checks when it is created.
#pragma once

#include <actord/plugin.h>

#include <string_view>

#include "hocon/tree.hpp"

namespace actord::testkit {

/// One finding for each key that no member has, in nested objects too. `name` is the behaviour's.
hocon::Diagnostics unknown_keys(const hocon::Value& config, const actord_behaviour& behaviour,
                                std::string_view name);

}  // namespace actord::testkit
