// SPDX-License-Identifier: Apache-2.0
//
// What a plugin says of itself in its note, and whether it fits into this process.
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

/// Reads `key=value` pairs joined by ';'; keys it does not know are left for later daemons.
base::Result<PluginNote, Refusal> parse_note(std::string_view text);

/// The first thing that keeps the plugin out of this process, naming the key that differs.
/// `file_name` is what the configuration calls the plugin.
std::optional<Refusal> mismatch(const PluginNote& note, std::string_view file_name);

}  // namespace actord::loader
