// SPDX-License-Identifier: Apache-2.0
//
// Reads the section circuit-breaker.
#pragma once

#include "settings/object_reader.hpp"
#include "system/breakers.hpp"

namespace actord::settings {

system::BreakersByName read_circuit_breakers(ObjectReader block);

}  // namespace actord::settings
