// SPDX-License-Identifier: Apache-2.0
//
// An actor's config against what its behaviour declares: unknown keys, wrong types, values out of
// range, members that are needed.
//
// Not here: what a value means; the behaviour itself refuses that when it is created.
#pragma once

#include "settings/config_rules.hpp"
#include "settings/object_reader.hpp"

namespace actord::settings {

/// `config` is an object. Keys match members with - and _ alike.
void check_config(Findings& findings, const hocon::Value& config, const actord_behaviour& behaviour,
                  std::string_view behaviour_name);

/// The same for an actor that has none; `actor` is its behaviour's name in the configuration.
void check_no_config(Findings& findings, const hocon::Value& actor,
                     const actord_behaviour& behaviour, std::string_view behaviour_name);

/// The fields of a message as an operator writes it; `fields` is an object.
void check_message(Findings& findings, const hocon::Value& fields, const actord_message_type& type);

}  // namespace actord::settings
