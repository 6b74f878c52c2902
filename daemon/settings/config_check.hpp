// SPDX-License-Identifier: Apache-2.0
//
// An actor's config against the members that its behaviour declares: unknown keys, wrong types.
//
// Not here: what a value means, and whether a required one is there; the behaviour itself refuses
// that when it is created.
#pragma once

#include "settings/findings.hpp"

#include <actord/plugin.h>

namespace actord::settings {

/// `config` is an object. Keys match members with - and _ alike.
void check_config(Findings& findings, const hocon::Value& config, const actord_behaviour& behaviour,
                  std::string_view behaviour_name);

/// The fields of a message as an operator writes it; `fields` is an object.
void check_message(Findings& findings, const hocon::Value& fields, const actord_message_type& type);

}  // namespace actord::settings
