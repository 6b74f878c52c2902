// SPDX-License-Identifier: Apache-2.0
//
// Properties that must hold for every configuration, whatever its syntax.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "hocon/limits.hpp"
#include "hocon/secret_reader.hpp"
#include "hocon/source.hpp"

namespace actord::fuzz {

/// Limits that keep the time for one input short.
hocon::Limits small_limits();

/// Whether the input could show the prefix of all fetched secrets without having fetched one: it
/// contains the character of the prefix, which libFuzzer learns in time, or escapes it. It could
/// join the rest by substitutions.
bool can_forge_secret_prefix(std::string_view input);

/// Fetches a secret that is kept elsewhere, with a warning. Fails for the name "none" and for a
/// name that contains a fetched secret.
base::Result<hocon::FetchedSecret, hocon::Diagnostic> fetch(const hocon::SecretRequest& request);

/// Resolves `source` and checks that findings have places, every value can be read as every type,
/// every path leads to its value, and rendered JSON means the same when it is read again; and all
/// this again after `late` is declared secret. No output may show a fetched secret.
void check_resolved(hocon::Source& source, const hocon::Limits& limits);

}  // namespace actord::fuzz
