// SPDX-License-Identifier: Apache-2.0
//
// Gathers the layers of a configuration: all sources that are merged before substitutions are
// resolved.
//
// From the weakest to the strongest: the built-in defaults, the vendor's drop-ins, the given
// files, the administrator's drop-ins, environment variables (ACTORD_SET_a_b for the key a.b), and
// assignments of the command line. The administrator's drop-ins are in conf.d beside the first
// file. Only the system's own configuration also has directories elsewhere.
//
// Not here: merging and resolving (hocon), and the meaning of the keys (settings).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hocon/source.hpp"
#include "layers/drop_ins.hpp"
#include "layers/secret_store.hpp"

namespace actord::layers {

/// Prefix of an environment variable that sets a key.
inline constexpr std::string_view variable_prefix = "ACTORD_SET_";

/// The paths of the system's configuration and its drop-ins.
struct SystemFolders {
  std::string file = "/etc/actord/actord.conf";
  std::vector<std::string> vendor = {"/usr/lib/actord/conf.d",  // the weakest first
                                     "/usr/local/lib/actord/conf.d"};
  std::string runtime = "/run/actord/conf.d";  // the administrator's, until the next boot
};

/// `text` is "key=value" with the value in HOCON; `origin` is its name in messages.
struct Assignment {
  std::string text;
  std::string origin;
};

struct LayerOptions {
  std::string built_in_name;
  std::string built_in_text;
  std::vector<std::string> files;  // later files override earlier ones
  bool drop_ins = true;
  std::vector<Assignment> assignments;
  /// "NAME=value" each, followed by a null pointer, as in `environ`; null: no variables.
  const char* const* environment = nullptr;
  SystemFolders system;
  /// Keys whose values are secret, in addition to those below vars.secret: "a.*.password".
  std::vector<std::string> secret_keys;
  SecretUse secrets = SecretUse::needed;
};

/// All layers, ready to be resolved. resolve() reports the errors in them.
struct LayeredSource {
  hocon::Source source;
  // every file and directory that was looked for, in the order of the layers
  std::vector<LayerFile> files;
  hocon::Diagnostics warnings;  // about the files themselves, not their content
  /// Why the first file that failed cannot be read; resolve() fails then.
  std::optional<hocon::FileError::Reason> failure;
};

LayeredSource gather(const LayerOptions& options);

/// Where the administrator's drop-ins for a configuration with that first file are.
std::string drop_in_folder_of(const std::string& main_file);

/// Tells `source` which values are secret, those at `keys` and below vars.secret, and how secrets
/// are fetched.
void set_secrets(hocon::Source& source, std::vector<std::string> keys,
                 hocon::Source::Environment environment, SecretUse use);

/// Makes `source` read files named *.yaml or *.yml as YAML.
void set_syntaxes(hocon::Source& source);

}  // namespace actord::layers
