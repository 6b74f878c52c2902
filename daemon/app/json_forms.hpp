// SPDX-License-Identifier: Apache-2.0
//
// Findings, values and changes as JSON, as actorctl prints them and the daemon sends them: members
// are added, never renamed.
#pragma once

#include "app/config_diff.hpp"
#include "app/effective.hpp"
#include "hocon/diagnostic.hpp"
#include "wire/control_message.hpp"

namespace actord::app {

/// {"severity":"error","file":...,"line":...,"column":...,"length":...,"message":...,"help":...,
/// "note":...,"source":...,"source_column":...}; what is not known is left out. `source` is the
/// line it is about, shortened around the place.
wire::Json json_of(const hocon::Diagnostic& finding);
wire::Json json_of(const hocon::Diagnostics& findings);
/// The way back; what is no finding is left out.
hocon::Diagnostics findings_of(const wire::Json& json);

/// {"key":...,"value":...,"origin":...,"built_in":...,"reload":...}; a secret has "secret":true and
/// no value.
wire::Json json_of(const EffectiveValue& value);

/// {"changes":[{"key":...,"from":...,"from_origin":...,"to":...,"to_origin":...,"reload":...}],
/// "merges":[{"key":...,"origin":...,"kept":[...]}]}
wire::Json json_of(const ConfigDiff& diff);

}  // namespace actord::app
