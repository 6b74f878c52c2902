// SPDX-License-Identifier: Apache-2.0
//
// The file beside the database that says how far the journal was acknowledged. SQLite drops
// everything behind a damaged frame of its write-ahead log without a word; with this file a journal
// that has lost its end is found when it is opened. It is written after each group and never
// synced: after a loss of power it may say less than what is there, which does no harm.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "os/descriptor.hpp"
#include "os/system_error.hpp"

namespace actord::journal {

class AcknowledgedFile {
 public:
  struct Record {
    std::int64_t identity = 0;  // of the database
    std::int64_t last_row = 0;
    std::uint64_t boot = 0;  // of the machine, when it was written
    bool operator==(const Record&) const = default;
  };

  /// Creates the file if it is missing.
  static base::Result<AcknowledgedFile, os::SystemError> open(const std::string& path);

  /// Nullopt: nothing has been acknowledged, or the file is damaged and tells nothing.
  std::optional<Record> read() const;
  /// False: the file has not been written, and the former record, if any, stands.
  bool write(const Record& record) noexcept;

 private:
  explicit AcknowledgedFile(os::Descriptor file) noexcept : file_(std::move(file)) {}

  os::Descriptor file_;
};

/// A number for this start of the machine.
std::uint64_t this_boot();

}  // namespace actord::journal
