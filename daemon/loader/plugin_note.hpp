// SPDX-License-Identifier: Apache-2.0
//
// The text of a plugin's note, and whether the plugin is compatible with this process.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "loader/refusal.hpp"

namespace actord::loader {

struct PluginNote {
  std::string name;
  std::string version;
  int abi_major = 0;
  int abi_minor = 0;
  std::string compiler;          // "gcc-12"
  std::string standard_library;  // "libstdc++-12"; "none" for a plugin in C
  std::string sanitizer;         // "none", "address" or "thread"
};

/// Reads `key=value` pairs separated by ';'. Unknown keys are ignored; newer plugins may have them.
base::Result<PluginNote, Refusal> parse_note(std::string_view text);

/// The first incompatibility, with the key that differs; nullopt: compatible. `file_name` is the
/// plugin's name in the configuration.
std::optional<Refusal> mismatch(const PluginNote& note, std::string_view file_name);

}  // namespace actord::loader
