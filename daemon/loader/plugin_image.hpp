// SPDX-License-Identifier: Apache-2.0
//
// What of a plugin is checked, tried out and loaded: a copy of its file, which lies in memory and
// cannot change. So what was checked is what runs, and actors that run from it are not disturbed
// when the file is overwritten, shortened or deleted.
//
// A library that is loaded from a copy must be told twice what its file would have told the dynamic
// linker: where the libraries are that it expects beside itself, and which name people know it by.
// open_plugin() does both.
//
// Not here: who may change the file (plugin_trust.hpp).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "loader/refusal.hpp"
#include "os/sealed_copy.hpp"

namespace actord::loader {

/// Threads: any.
class PluginImage {
 public:
  /// Copies the file, which has passed the check of plugin_trust.hpp. `name` is the plugin's.
  static base::Result<std::shared_ptr<const PluginImage>, Refusal> of(const std::string& file,
                                                                      std::string_view name);

  /// The operator's file, without symbolic links.
  const std::string& file() const noexcept { return file_; }
  const os::SealedCopy& copy() const noexcept { return copy_; }
  bool has_content_of(const PluginImage& other) const;

 private:
  PluginImage(std::string file, os::SealedCopy copy)
      : file_(std::move(file)), copy_(std::move(copy)) {}

  std::string file_;
  os::SealedCopy copy_;
};

/// As long as one is left, the copy can be found by its path: as long as the process lives, for a
/// plugin that is loaded.
using PluginImagePtr = std::shared_ptr<const PluginImage>;

}  // namespace actord::loader
