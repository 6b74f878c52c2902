// SPDX-License-Identifier: Apache-2.0
//
// SQLite as this room uses it: one connection of one thread, statements that are prepared once, and
// errors as one exception that SqliteStore turns into a result. Not here: what the tables mean.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "persist/store.hpp"

namespace actord::journal {

/// Leaves the room only as a StoreError.
struct Failure {
  persist::StoreError error;
  /// Whether the connection may still be used: the caller was wrong, or an entry is damaged.
  bool is_usable = false;
};

class Database {
 public:
  /// Opens the file, or creates it. Throws Failure. `vfs`: the name of SQLite's access to files;
  /// empty: the usual one.
  Database(const std::string& path, const std::string& vfs);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Throws Failure.
  void execute(const char* sql);
  /// The first column of the first row, as text; empty: there is none.
  std::string ask(const char* sql);
  std::int64_t ask_number(const char* sql);

  /// Throws the Failure of the last call, whose result was `code`. `doing`: "write".
  [[noreturn]] void fail(int code, const char* doing) const;
  const std::string& path() const noexcept { return path_; }
  sqlite3* handle() const noexcept { return handle_.get(); }

 private:
  std::string path_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> handle_;
};

/// A prepared statement. Query executes it.
class Statement {
 public:
  Statement(Database& database, const char* sql);

  sqlite3_stmt* handle() const noexcept { return handle_.get(); }
  Database& database() const noexcept { return database_; }

 private:
  Database& database_;
  std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> handle_;
};

/// The bytes of a BLOB; a plain std::string_view is TEXT.
struct Blob {
  std::string_view bytes;
};

/// One execution of a statement, from the arguments to the last row; it ends with the object. The
/// texts are lent for as long.
class Query {
 public:
  template <class... Args>
  explicit Query(Statement& statement, const Args&... args) : statement_(statement) {
    int at = 0;
    (bind(++at, args), ...);
  }
  ~Query() { sqlite3_reset(statement_.handle()); }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  /// Goes to the next row; false: there is none. Throws Failure.
  bool next();

  std::int64_t number(int column) const {
    return sqlite3_column_int64(statement_.handle(), column);
  }
  std::uint64_t unsigned_number(int column) const {
    return static_cast<std::uint64_t>(number(column));
  }
  /// Until the next call of next().
  std::string_view bytes(int column) const;

 private:
  void bind(int at, std::int64_t value) { sqlite3_bind_int64(statement_.handle(), at, value); }
  void bind(int at, std::uint64_t value) { bind(at, static_cast<std::int64_t>(value)); }
  void bind(int at, bool value) { bind(at, std::int64_t{value}); }
  void bind(int at, std::string_view text);
  void bind(int at, Blob blob);

  Statement& statement_;
};

/// Executes a statement whose rows, if it has any, do not matter. Throws Failure.
template <class... Args>
void run(Statement& statement, const Args&... args) {
  Query query(statement, args...);
  while (query.next()) {}
}

}  // namespace actord::journal
