// SPDX-License-Identifier: Apache-2.0
//
// Where a configuration comes from: everything that is laid upon each other before it is resolved.
//
// From the weakest to the strongest: the built-in defaults, the vendor's drop-ins, the files that
// were asked for, the administrator's drop-ins, variables of the environment (ACTORD_SET_a_b for
// the key a.b), assignments of the command line. The administrator's drop-ins lie in conf.d beside
// the first file; only the system's own configuration has folders elsewhere, too.
//
// Not here: what the layers say together (hocon) and what that means (settings).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hocon/source.hpp"
#include "layers/drop_ins.hpp"
#include "layers/secret_store.hpp"

namespace actord::layers {

/// What a variable that sets a key begins with.
inline constexpr std::string_view variable_prefix = "ACTORD_SET_";

/// Where the system's configuration and its drop-ins are.
struct SystemFolders {
  std::string file = "/etc/actord/actord.conf";
  std::vector<std::string> vendor = {"/usr/lib/actord/conf.d",  // the weakest first
                                     "/usr/local/lib/actord/conf.d"};
  std::string runtime = "/run/actord/conf.d";  // the administrator's, until the next boot
};

/// "key=value" with the value in HOCON, and what messages call it.
struct Assignment {
  std::string text;
  std::string origin;
};

struct LayerOptions {
  std::string built_in_name;
  std::string built_in_text;
  std::vector<std::string> files;  // later ones over earlier ones
  bool drop_ins = true;
  std::vector<Assignment> assignments;
  /// "NAME=value" each, the last one followed by a null pointer, as in `environ`; null: none.
  const char* const* environment = nullptr;
  SystemFolders system;
  /// Keys whose values are secret, beside those below vars.secret: "a.*.password".
  std::vector<std::string> secret_keys;
  SecretUse secrets = SecretUse::needed;
};

/// All layers, ready to be resolved: what is wrong with them comes out of that.
struct Layered {
  hocon::Source source;
  std::vector<LookedAt> files;  // every file and folder looked at, in the order of the layers
  hocon::Diagnostics warnings;  // about the files, not about what is in them
  /// Why the first file that could not be had could not; resolve() fails then.
  std::optional<hocon::FileError::Reason> failure;
};

Layered gather(const LayerOptions& options);

/// Tells a source which values are secret, those at `keys` and below vars.secret, and how they are
/// fetched.
void set_secrets(hocon::Source& source, std::vector<std::string> keys,
                 hocon::Source::Environment environment, SecretUse use);

/// Lets a source read YAML wherever a file is named *.yaml or *.yml.
void set_syntaxes(hocon::Source& source);

}  // namespace actord::layers
