// SPDX-License-Identifier: Apache-2.0
//
// YAML as a second syntax of the configuration. The values are the same.
//
// A mapping is an object with literal keys: a.b is one name. A sequence is a list. A plain scalar
// is read as the same word in HOCON, so that `no` is a text unless the key takes a boolean. A
// quoted scalar is a string. An absent value and `~` are null. Anchors and aliases are expanded.
// ${…} is no substitution here.
//
// Errors, reported with line and column: duplicate keys, keys that are not scalars, `<<`, tags
// other than YAML's own types, several documents, an alias inside its own anchor, control
// characters.
#pragma once

#include "hocon/literal_builder.hpp"

namespace actord::layers {

/// The reader of YAML texts. In a build without YAML the reader reports an error for every file.
hocon::SyntaxReader yaml_syntax();

}  // namespace actord::layers
