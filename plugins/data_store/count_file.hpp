// SPDX-License-Identifier: Apache-2.0
//
// Counts by key in one SQLite file, and the failures that are asked for.
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

/// What is to fail on purpose.
struct StorageFaults {
  std::vector<std::int64_t> fail_between;  // saving a value from the first to the second; or none
  bool is_unavailable = false;             // opening
};

/// An open file, with a row of counts(key, value) for each key; whole after a kill at any moment.
/// Threads: one at a time. Blocks. Every function throws StorageException and then has changed
/// nothing.
class CountFile {
 public:
  /// Creates the folder, the file and the table where they are missing.
  CountFile(const std::filesystem::path& file, StorageFaults faults);

  /// 0 where there is none.
  [[nodiscard]] std::int64_t load(std::string_view key);
  void save(std::string_view key, std::int64_t value);

 private:
  /// Its answer is the first column of the first row, 0 where there is no row.
  std::int64_t run(const char* sql, std::string_view key, std::optional<std::int64_t> value = {});
  [[noreturn]] void fail(const char* doing) const;

  std::string file_;
  StorageFaults faults_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> database_;
};

}  // namespace data_store
