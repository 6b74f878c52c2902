// SPDX-License-Identifier: Apache-2.0
//
// The full-text index: one SQLite file that any SQLite program can search. It is intact after a
// power failure at any moment.
//
//   pages(path, title, body)     FTS5: SELECT path FROM pages('wal checkpoint') ORDER BY rank
//   locations(id, path, crawl)   rowid of each page by its path: one page per path
//   crawls(id, start, started_at, finished_at)
//   dead_links(source, target, status)   of the last crawl that has finished
//
// A page replaces the page that an earlier crawl stored under its path. finish() removes pages that
// the crawl did not see.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "causes.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace crawler {

/// A page to be stored. It does not own its texts. In title and body U+FFFD replaces what is no
/// valid UTF-8; a path is ASCII, as every URL in normal form is.
struct IndexedPage {
  std::string_view path, title, body;
};

/// A link to be stored as dead. It does not own its texts.
struct IndexedDeadLink {
  std::string_view source, target;  // paths; the source is empty for the start of the crawl
  std::int64_t status = 0;          // HTTP status of the target
};

/// A page that a search has found.
struct IndexHit {
  std::string path, title;
  std::string excerpt;  // the text around the words
};

/// Creates the directory and the file if they are missing. Throws std::system_error, which names
/// the path, if the file cannot be opened for reading and writing.
void prepare_index_file(const std::filesystem::path& file);

/// An open index. Threads: one at a time. Errors: every function throws IndexError, and has then
/// changed nothing.
class Index {
 public:
  /// Opens the file, also after a kill, and creates the tables if they are missing. A file of an
  /// older version of this plugin is brought up to date and keeps its pages.
  explicit Index(const std::filesystem::path& file);
  ~Index();
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;

  /// Begins a crawl and returns its number.
  [[nodiscard]] std::int64_t begin_crawl(std::string_view start);
  /// Stores all pages or none, in one transaction. A page replaces the page of the same path.
  void store(std::int64_t crawl, std::span<const IndexedPage> pages);
  /// The number of pages that this crawl has stored so far.
  [[nodiscard]] std::int64_t count(std::int64_t crawl);
  /// The number of pages in the index, of all crawls.
  [[nodiscard]] std::int64_t rows();
  /// The pages with all words of the query, the best first, at most `limit`. Words in double quotes
  /// must follow each other; upper and lower case are the same. None if the query has no word.
  [[nodiscard]] std::vector<IndexHit> search(std::string_view query, std::size_t limit);
  /// Removes the pages with these paths. Paths that have no page are ignored.
  void remove(std::span<const std::string> paths);
  /// Removes the pages of other crawls that this crawl did not store, replaces the dead links, and
  /// moves SQLite's log into the file. Afterwards rows() == count(crawl).
  void finish(std::int64_t crawl, std::span<const IndexedDeadLink> dead_links);

 private:
  class Statement;
  class Transaction;

  void run(const char* sql);
  [[nodiscard]] std::int64_t number(const char* sql);
  [[noreturn]] void fail(const char* doing) const;

  std::string file_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> database_;
  std::unique_ptr<Statement> upsert_location_, replace_page_, count_pages_, find_location_,
      delete_location_, delete_page_;
};

}  // namespace crawler
