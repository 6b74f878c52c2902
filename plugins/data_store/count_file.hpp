// SPDX-License-Identifier: Apache-2.0
//
// Counts in an SQLite file, by key, and the failures on purpose.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store_causes.hpp"

struct sqlite3;

namespace data_store {

/// The failures on purpose.
struct StorageFaults {
  std::vector<std::int64_t> fail_between;  // {first, last}: saving these values fails; or empty
  bool is_unavailable = false;             // opening the file fails
};

/// An open file with a table counts(key, value). The file is intact after a kill at any moment.
/// Threads: one at a time; every function blocks. Errors: every function throws StorageException,
/// and has then changed nothing.
class CountFile {
 public:
  /// Creates the folder, the file and the table if they are missing.
  CountFile(const std::filesystem::path& file, StorageFaults faults);

  /// The count of that key; 0 if there is none.
  [[nodiscard]] std::int64_t load(std::string_view key);
  /// Stores the count of that key.
  void save(std::string_view key, std::int64_t value);

 private:
  /// Returns the first column of the first row of the result; 0 if there is no row.
  std::int64_t run(const char* sql, std::string_view key, std::optional<std::int64_t> value = {});
  [[noreturn]] void fail(const char* doing) const;

  std::string file_;
  StorageFaults faults_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> database_;
};

}  // namespace data_store
