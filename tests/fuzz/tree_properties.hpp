// SPDX-License-Identifier: Apache-2.0
//
// What must hold of every configuration, whatever syntax it came from.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "hocon/limits.hpp"
#include "hocon/secret_reader.hpp"
#include "hocon/source.hpp"

namespace actord::fuzz {

/// Small enough that no input takes longer than it teaches.
hocon::Limits small_limits();

/// Whether the input itself has what fetched secrets begin with: libFuzzer learns that.
bool gives_secrets_away(std::string_view input);

/// Knows every secret that is kept elsewhere but those named "none" or by another secret, and warns
/// of each.
base::Result<hocon::FetchedSecret, hocon::Diagnostic> fetch(const hocon::SecretRequest& request);

/// Resolves: findings have places; of a tree, every value can be read as every type, every path
/// leads to its value, and rendered JSON means the same when it is read again; also when `late` has
/// turned out to be secret. Nothing shows what was fetched.
void check_resolved(hocon::Source& source, const hocon::Limits& limits);

}  // namespace actord::fuzz
