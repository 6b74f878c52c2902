// SPDX-License-Identifier: Apache-2.0
//
// Findings, values and changes as JSON. actorctl prints and the daemon sends the same form.
// Members may be added but are never renamed.
#pragma once

#include "config/config_diff.hpp"
#include "config/effective.hpp"
#include "hocon/diagnostic.hpp"
#include "wire/control_message.hpp"

namespace actord::config {

/// {"severity":"error","file":...,"line":...,"column":...,"length":...,"message":...,"help":...,
/// "note":...,"source":...,"source_column":...}; members without a value are left out. `source` is
/// the line of the finding, shortened around its column.
wire::Json json_of(const hocon::Diagnostic& finding);
wire::Json json_of(const hocon::Diagnostics& findings);
/// The reverse of json_of(). Elements that are not findings are skipped.
hocon::Diagnostics findings_of(const wire::Json& json);

/// {"key":...,"value":...,"origin":...,"built_in":...,"reload":...}; a secret has "secret":true
/// instead of a value.
wire::Json json_of(const EffectiveValue& value);

/// {"changes":[{"key":...,"from":...,"from_origin":...,"to":...,"to_origin":...,"reload":...}],
/// "merges":[{"key":...,"origin":...,"kept":[...]}]}
wire::Json json_of(const ConfigDiff& diff);

/// The text of that member of an object; empty if there is none, or it is no text.
std::string text_in(const wire::Json& json, const char* name);
/// The integer of that member; 0 if there is none, or it is no integer.
std::int64_t integer_in(const wire::Json& json, const char* name);

/// The arguments of a request as they may be logged: a text or a number that contains a secret of
/// `tree` is replaced by hocon::secret_word.
wire::Json without_secrets(wire::Json arguments, const hocon::Tree& tree);

}  // namespace actord::config
