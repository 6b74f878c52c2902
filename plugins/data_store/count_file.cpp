// SPDX-License-Identifier: Apache-2.0

#include "count_file.hpp"

#include <sqlite3.h>

#include <system_error>
#include <utility>

namespace data_store {
namespace {

constexpr int busy_timeout_ms = 2000;  // another process may be reading the file

using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

}  // namespace

CountFile::CountFile(const std::filesystem::path& file, StorageFaults faults)
    : file_(file.string()), faults_(std::move(faults)), database_(nullptr, &sqlite3_close) {
  if (faults_.is_unavailable)
    throw StorageException("simulated failure: the storage cannot be opened", {{"path", file_}});
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  if (error) {
    throw StorageException("cannot create the folder: " + error.message(),
                           {{"path", file.parent_path().string()}, {"code", error.value()}});
  }
  sqlite3* database = nullptr;
  const int opened =
      sqlite3_open_v2(file_.c_str(), &database,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  database_.reset(database);  // on failure the handle has the text of the error
  if (opened != SQLITE_OK) fail("open");
  sqlite3_extended_result_codes(database, 1);
  sqlite3_busy_timeout(database, busy_timeout_ms);
  constexpr const char* prepare =
      "PRAGMA journal_mode = WAL;"
      "CREATE TABLE IF NOT EXISTS counts (key TEXT PRIMARY KEY, value INTEGER NOT NULL)";
  if (sqlite3_exec(database, prepare, nullptr, nullptr, nullptr) != SQLITE_OK) fail("prepare");
}

std::int64_t CountFile::load(std::string_view key) {
  return run("SELECT value FROM counts WHERE key = ?1", key);
}

void CountFile::save(std::string_view key, std::int64_t value) {
  const auto& range = faults_.fail_between;
  if (range.size() == 2 && range[0] <= value && value <= range[1])
    throw StorageException("simulated failure: the storage refuses a value",
                           {{"path", file_}, {"value", value}});
  run("INSERT INTO counts (key, value) VALUES (?1, ?2) "
      "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
      key, value);
}

std::int64_t CountFile::run(const char* sql, std::string_view key,
                            std::optional<std::int64_t> value) {
  sqlite3_stmt* prepared = nullptr;
  if (sqlite3_prepare_v2(database_.get(), sql, -1, &prepared, nullptr) != SQLITE_OK) fail("read");
  const Statement statement{prepared, &sqlite3_finalize};
  sqlite3_bind_text64(prepared, 1, key.data(), key.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (value) sqlite3_bind_int64(prepared, 2, *value);
  int step = sqlite3_step(prepared);
  const std::int64_t answer = step == SQLITE_ROW ? sqlite3_column_int64(prepared, 0) : 0;
  while (step == SQLITE_ROW) step = sqlite3_step(prepared);
  if (step != SQLITE_DONE) fail("use");
  return answer;
}

void CountFile::fail(const char* doing) const {
  const int code = sqlite3_extended_errcode(database_.get());
  throw StorageException(
      std::string{"cannot "} + doing + " the file of counts: " + sqlite3_errmsg(database_.get()),
      {{"path", file_}, {"code", code}});
}

}  // namespace data_store
