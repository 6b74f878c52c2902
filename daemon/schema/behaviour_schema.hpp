// SPDX-License-Identifier: Apache-2.0
//
// A behaviour's config as JSON Schema, generated from the plugin's declarations.
#pragma once

#include <actord/plugin.h>

#include <string>
#include <string_view>

namespace actord::schema {

/// Draft 2020-12, indented, with a newline at its end. Keys are spelt with hyphens. A secret key
/// has "writeOnly". `name` is "plugin/Behaviour".
std::string behaviour_schema(const actord_behaviour& behaviour, std::string_view name);

}  // namespace actord::schema
