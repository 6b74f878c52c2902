// SPDX-License-Identifier: Apache-2.0
//
// Fetches secrets from outside the configuration: systemd credentials, files, environment
// variables.
//
// Not here: which keys are secret (layers.hpp, settings), and hiding the values (hocon/taint).
#pragma once

#include "hocon/secret_reader.hpp"
#include "hocon/source.hpp"

namespace actord::layers {

/// Whether secrets from outside the configuration are fetched.
enum class SecretUse : std::uint8_t {
  needed,                // fetched; a secret that cannot be fetched is an error
  optional_credentials,  // the same, but a missing credential outside the service is only a remark
  ignored,               // not fetched; a placeholder is used
};

/// Fetches secrets: at most 64 KiB of text without NUL. One newline at the end is removed. A
/// relative path starts at the directory of the file in which it is written.
hocon::SecretReader secret_store(hocon::Source::Environment environment, SecretUse use);

/// A warning for each file that holds a declared secret and that every user may read.
hocon::Diagnostics world_readable_secrets(const hocon::Tree& tree);

}  // namespace actord::layers
