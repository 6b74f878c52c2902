// SPDX-License-Identifier: Apache-2.0
//
// The folder of a journal and the files in it, which belong to this user alone.
#pragma once

#include <string>

#include "base/result.hpp"
#include "os/system_error.hpp"

namespace actord::journal {

struct JournalFolder {
  std::string path;  // absolute

  std::string database() const { return path + "/journal.sqlite"; }
  std::string write_ahead_log() const { return database() + "-wal"; }
  std::string acknowledged() const { return path + "/journal.acknowledged"; }
  std::string reserve() const { return path + "/journal.reserve"; }

  /// Creates what is missing: the folder, and, if `has_database`, an empty database that will be
  /// there after a loss of power.
  base::Result<void, os::SystemError> prepare(bool has_database) const;
};

}  // namespace actord::journal
