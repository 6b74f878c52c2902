// SPDX-License-Identifier: Apache-2.0
//
// YAML as a second syntax of the configuration: the same values, another way to write them.
//
// A mapping is an object with literal keys, a.b is one name; a sequence is a list. A plain scalar
// counts as the same word alone would in HOCON, so that `no` is a text until a boolean key asks for
// it, and a quoted one is a string. An absent value and `~` are null. Anchors and aliases are
// expanded; ${…} is no substitution here.
//
// Refused, with the place: keys that stand twice or are no scalars, `<<`, tags but those of YAML's
// own types, several documents, an alias inside its own anchor, control characters.
#pragma once

#include "hocon/literal_builder.hpp"

namespace actord::layers {

/// The reader of YAML texts; where the build has no YAML, one that says so of every file.
hocon::SyntaxReader yaml_syntax();

}  // namespace actord::layers
