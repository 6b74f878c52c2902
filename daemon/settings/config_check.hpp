// SPDX-License-Identifier: Apache-2.0
//
// Checks an actor's config against the declarations of its behaviour: unknown keys, wrong types,
// values out of range, missing members.
//
// Not here: the meaning of a value; the behaviour itself checks that when it is created.
#pragma once

#include "schema/config_rules.hpp"
#include "settings/object_reader.hpp"

namespace actord::settings {

/// `config` is an object. In keys - and _ are equivalent.
void check_config(Findings& findings, const hocon::Value& config, const actord_behaviour& behaviour,
                  std::string_view behaviour_name);

/// Checks an actor without config. `actor` is the behaviour's name in the configuration.
void check_no_config(Findings& findings, const hocon::Value& actor,
                     const actord_behaviour& behaviour, std::string_view behaviour_name);

/// Checks the fields of a message in a configuration. `fields` is an object.
void check_message(Findings& findings, const hocon::Value& fields, const actord_message_type& type);

}  // namespace actord::settings
