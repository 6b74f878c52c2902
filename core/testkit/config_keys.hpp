// SPDX-License-Identifier: Apache-2.0
//
// Keys in an actor's config that its behaviour does not declare: what the daemon refuses before any
// actor is there (daemon/settings), a test shall not get away with either.
//
// Not here: the values; the behaviour itself refuses those when it is created.
#pragma once

#include <actord/plugin.h>

#include <string_view>

#include "hocon/tree.hpp"

namespace actord::testkit {

/// A finding for each key, in nested objects too, that no member has; `name` is the behaviour's.
hocon::Diagnostics unknown_keys(const hocon::Value& config, const actord_behaviour& behaviour,
                                std::string_view name);

}  // namespace actord::testkit
