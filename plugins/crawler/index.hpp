// SPDX-License-Identifier: Apache-2.0
//
// The full-text index: one SQLite file that any SQLite can search, whole after a power cut at any
// moment.
//
//   pages(path, title, body)     FTS5: SELECT path FROM pages('wal checkpoint') ORDER BY rank
//   locations(id, path, crawl)   rowid of each page by its path: what keeps it single
//   crawls(id, start, started_at, finished_at)
//
// A page replaces what an earlier crawl knew under its path; finish() removes what the crawl did
// not see.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "causes.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace crawler {

struct IndexedPage {
  std::string_view path, title, body;
};

/// Creates the directory and the file where they are missing. Throws std::system_error, naming the
/// path, when the file cannot be opened for reading and writing.
void prepare_index_file(const std::filesystem::path& file);

/// An open index. Threads: one at a time. Every function throws IndexError and then has changed
/// nothing.
class Index {
 public:
  /// Opens, after a kill as well, and creates the tables where they are missing.
  explicit Index(const std::filesystem::path& file);
  ~Index();
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;

  /// The number of a new crawl.
  [[nodiscard]] std::int64_t begin_crawl(std::string_view start);
  /// All of them or none, in one transaction. A path that repeats replaces.
  void store(std::int64_t crawl, std::span<const IndexedPage> pages);
  /// Pages that this crawl has stored so far.
  [[nodiscard]] std::int64_t count(std::int64_t crawl);
  /// Rows of the index, of all crawls.
  [[nodiscard]] std::int64_t rows();
  /// Those of `paths` that are there.
  void remove(std::span<const std::string> paths);
  /// Removes what other crawls left and this one did not store, and folds the log of changes into
  /// the file. Afterwards rows() == count(crawl).
  void finish(std::int64_t crawl);

 private:
  class Statement;
  class Transaction;

  void run(const char* sql);
  [[nodiscard]] std::int64_t number(const char* sql);
  [[noreturn]] void fail(const char* doing) const;

  std::string file_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> database_;
  std::unique_ptr<Statement> claim_, write_, count_, find_, forget_, erase_;
};

}  // namespace crawler
