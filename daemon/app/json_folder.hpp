// SPDX-License-Identifier: Apache-2.0
//
// A folder in the state directory with a file ID.json for each thing that is kept there. Only the
// user of the daemon may read it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "wire/control_message.hpp"

namespace actord::app {

/// Errors are sentences that name the file. Threads: one at a time.
class JsonFolder {
 public:
  explicit JsonFolder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const noexcept { return path_; }
  std::string path_of(std::string_view id) const;
  /// The ids of its files, in no order; none if there is no such folder.
  std::vector<std::string> ids() const;
  /// The text of a file.
  base::Result<std::string> read(std::string_view id) const;
  /// Writes the file, or writes it anew, and makes the folder; returns the file's path. At each
  /// moment there is the old content or the new one.
  base::Result<std::string> write(std::string_view id, const wire::Json& content) const;
  base::Result<void> remove(std::string_view id) const;

 private:
  const std::string path_;
};

}  // namespace actord::app
