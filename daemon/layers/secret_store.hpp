// SPDX-License-Identifier: Apache-2.0
//
// Secrets that are kept outside the configuration: credentials of systemd, files, variables of the
// environment.
//
// Not here: which keys are secret (layers.hpp, settings), and what is made of them (hocon/taint).
#pragma once

#include "hocon/secret_reader.hpp"
#include "hocon/source.hpp"

namespace actord::layers {

/// How much depends on secrets that are kept elsewhere.
enum class SecretUse : std::uint8_t {
  needed,   // one that cannot be had is an error
  by_hand,  // the same, but that there are no credentials outside the service is only remarked
  ignored,  // none is fetched; something stands in its place
};

/// Fetches secrets: at most 64 KiB of text without NUL; one newline at the end is not part of it.
/// A relative path starts at the folder of the file it is written in.
hocon::SecretReader secret_store(hocon::Source::Environment environment, SecretUse use);

/// A warning for each file that everybody may read and that has a secret written in it.
hocon::Diagnostics open_secrets(const hocon::Tree& tree);

}  // namespace actord::layers
