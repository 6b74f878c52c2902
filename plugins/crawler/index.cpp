// SPDX-License-Identifier: Apache-2.0

#include "index.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <exception>
#include <system_error>
#include <utility>

#include "valid_utf8.hpp"

namespace crawler {
namespace {

constexpr int busy_timeout_ms = 5000;  // a checkpoint of a reader may lock the file

// A word in the title has the weight of ten in the body. The path is stored and not searched,
// because a search for "html" would find every page.
constexpr const char* first_schema = R"sql(
  CREATE TABLE locations (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE,
                          crawl INTEGER NOT NULL);
  CREATE TABLE crawls (id INTEGER PRIMARY KEY AUTOINCREMENT, start TEXT NOT NULL,
                       started_at TEXT NOT NULL DEFAULT (datetime('now')), finished_at TEXT);
  CREATE VIRTUAL TABLE pages USING fts5(path UNINDEXED, title, body);
  INSERT INTO pages(pages, rank) VALUES ('rank', 'bm25(0.0, 10.0, 1.0)');
  PRAGMA user_version = 1;
)sql";
constexpr const char* dead_links_schema = R"sql(
  CREATE TABLE dead_links (source TEXT NOT NULL, target TEXT NOT NULL, status INTEGER NOT NULL);
  PRAGMA user_version = 2;
)sql";
// by the version that they lead from
constexpr std::array schema_steps = {first_schema, dead_links_schema};
constexpr auto schema_version = static_cast<std::int64_t>(schema_steps.size());

// The words of a query as FTS5 reads them: each as a phrase, because FTS5 has a syntax of its own,
// in which write-ahead would be an error.
std::string phrases_of(std::string_view query) {
  std::string phrases;
  const auto add = [&](std::string_view words) {
    if (words.find_first_not_of(" \t\r\n") == words.npos) return;
    phrases.append(phrases.empty() ? "\"" : " \"").append(words).append("\"");
  };
  while (!query.empty()) {
    const bool is_quoted = query.front() == '"';
    if (is_quoted) query.remove_prefix(1);
    const std::string_view words =
        query.substr(0, query.find_first_of(is_quoted ? "\"" : " \t\r\n\""));
    add(words);
    query.remove_prefix(words.size());
    if (!query.empty() && (is_quoted || query.front() != '"')) query.remove_prefix(1);
  }
  return phrases;
}

// A text as it may be stored. SQLite takes any bytes for UTF-8, and its full-text search, JSON and
// the programs that read the index may not.
class ValidText {
 public:
  explicit ValidText(std::string_view text) : text_(text) {
    if (find_invalid_utf8(text).size == 0) return;
    append_valid_utf8(mended_, text);
    text_ = mended_;
  }
  ValidText(const ValidText&) = delete;
  ValidText& operator=(const ValidText&) = delete;

  [[nodiscard]] std::string_view view() const { return text_; }

 private:
  std::string_view text_;
  std::string mended_;
};

}  // namespace

void prepare_index_file(const std::filesystem::path& file) {
  const auto fail_with = [](int number, const std::string& doing,
                            const std::filesystem::path& what) {
    throw std::system_error(number, std::generic_category(),
                            "cannot " + doing + ' ' + what.string());
  };
  const std::filesystem::path directory = file.parent_path();
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) fail_with(error.value(), "create the directory", directory);
  // SQLite keeps its log beside the file: the directory must be writable as well.
  if (faccessat(AT_FDCWD, directory.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    fail_with(errno, "write to the directory", directory);
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) fail_with(errno, "open the index", file);
  close(descriptor);
}

/// A prepared statement. One call binds the values, steps and resets it.
class Index::Statement {
 public:
  Statement(Index& index, const char* sql) : index_(index) {
    if (sqlite3_prepare_v3(index.database_.get(), sql, -1, SQLITE_PREPARE_PERSISTENT, &statement_,
                           nullptr) != SQLITE_OK) {
      index.fail("prepare a statement for");
    }
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  /// Returns the first column of the first row as a number; 0 if there is no row.
  template <class... Values>
  std::int64_t operator()(const Values&... values) {
    std::int64_t answer = 0;
    bool is_first = true;
    for_each_row(
        "write to",
        [&] {
          if (std::exchange(is_first, false)) answer = sqlite3_column_int64(statement_, 0);
        },
        values...);
    return answer;
  }
  /// Calls use() at each row, which may read its columns.
  template <class Use, class... Values>
  void for_each_row(const char* doing, Use&& use, const Values&... values) {
    // The reset comes after fail(), which reads the text of the error.
    const Reset reset{statement_};
    int at = 0;
    (bind(++at, values), ...);
    int step = sqlite3_step(statement_);
    for (; step == SQLITE_ROW; step = sqlite3_step(statement_)) use();
    if (step != SQLITE_DONE) index_.fail(doing);
  }
  /// A column of the present row.
  [[nodiscard]] std::string text(int column) const {
    const auto* const bytes = sqlite3_column_text(statement_, column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    return bytes == nullptr ? std::string{}
                            : std::string(reinterpret_cast<const char*>(bytes), size);
  }

 private:
  struct Reset {
    sqlite3_stmt* statement;
    ~Reset() { sqlite3_reset(statement); }
  };

  void bind(int at, std::int64_t value) { sqlite3_bind_int64(statement_, at, value); }
  // SQLITE_STATIC: each view lives longer than the call, and the reset comes before its end.
  void bind(int at, std::string_view text) {
    sqlite3_bind_text64(statement_, at, text.data() == nullptr ? "" : text.data(), text.size(),
                        SQLITE_STATIC, SQLITE_UTF8);
  }

  Index& index_;
  sqlite3_stmt* statement_ = nullptr;
};

/// A transaction. The destructor rolls it back unless commit() was called.
class Index::Transaction {
 public:
  explicit Transaction(Index& index) : index_(index) { index_.run("BEGIN IMMEDIATE"); }
  ~Transaction() {
    if (!is_done_) sqlite3_exec(index_.database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit() {
    index_.run("COMMIT");
    is_done_ = true;
  }

 private:
  Index& index_;
  bool is_done_ = false;
};

Index::Index(const std::filesystem::path& file)
    : file_(file.string()), database_(nullptr, &sqlite3_close) {
  sqlite3* database = nullptr;
  const int opened =
      sqlite3_open_v2(file_.c_str(), &database,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  database_.reset(database);  // on failure the handle has the text of the error
  if (opened != SQLITE_OK) fail("open");
  sqlite3_extended_result_codes(database, 1);
  sqlite3_busy_timeout(database, busy_timeout_ms);
  run("PRAGMA journal_mode = WAL");
  run("PRAGMA synchronous = NORMAL");
  {
    // Two crawlers that open a new file at the same time must not both create the tables.
    Transaction transaction{*this};
    const std::int64_t version = number("PRAGMA user_version");
    if (version > schema_version) {
      throw IndexError("the index was written by a newer version of this plugin",
                       {{"path", file_}, {"version", version}});
    }
    for (std::int64_t step = version; step < schema_version; ++step)
      run(schema_steps.at(static_cast<std::size_t>(step)));
    transaction.commit();
  }
  upsert_location_ = std::make_unique<Statement>(
      *this,
      "INSERT INTO locations (path, crawl) VALUES (?1, ?2) "
      "ON CONFLICT (path) DO UPDATE SET crawl = excluded.crawl RETURNING id");
  replace_page_ = std::make_unique<Statement>(
      *this, "INSERT OR REPLACE INTO pages (rowid, path, title, body) VALUES (?1, ?2, ?3, ?4)");
  count_pages_ =
      std::make_unique<Statement>(*this, "SELECT count(*) FROM locations WHERE crawl = ?1");
  find_location_ = std::make_unique<Statement>(*this, "SELECT id FROM locations WHERE path = ?1");
  delete_location_ = std::make_unique<Statement>(*this, "DELETE FROM locations WHERE id = ?1");
  delete_page_ = std::make_unique<Statement>(*this, "DELETE FROM pages WHERE rowid = ?1");
}

Index::~Index() = default;

std::int64_t Index::begin_crawl(std::string_view start) {
  return Statement{*this, "INSERT INTO crawls (start) VALUES (?1) RETURNING id"}(start);
}

void Index::store(std::int64_t crawl, std::span<const IndexedPage> pages) {
  if (pages.empty()) return;
  Transaction transaction{*this};
  for (const IndexedPage& page : pages) {
    const std::int64_t id = (*upsert_location_)(page.path, crawl);
    const ValidText title{page.title};
    const ValidText body{page.body};
    (*replace_page_)(id, page.path, title.view(), body.view());
  }
  transaction.commit();
}

std::int64_t Index::count(std::int64_t crawl) { return (*count_pages_)(crawl); }

std::int64_t Index::rows() { return number("SELECT count(*) FROM pages"); }

std::vector<IndexHit> Index::search(std::string_view query, std::size_t limit) {
  std::vector<IndexHit> hits;
  const std::string phrases = phrases_of(query);
  if (phrases.empty()) return hits;
  Statement find{*this,
                 "SELECT path, title, snippet(pages, 2, '', '', '…', 16) FROM pages "
                 "WHERE pages MATCH ?1 ORDER BY rank LIMIT ?2"};
  find.for_each_row(
      "search",
      [&] {
        hits.push_back({find.text(0), find.text(1), find.text(2)});
      },
      std::string_view{phrases}, static_cast<std::int64_t>(limit));
  return hits;
}

void Index::remove(std::span<const std::string> paths) {
  if (paths.empty()) return;
  Transaction transaction{*this};
  for (const std::string& path : paths) {
    const std::int64_t id = (*find_location_)(std::string_view{path});
    (*delete_page_)(id);  // id is 0 if there is no such path, and no row has it
    (*delete_location_)(id);
  }
  transaction.commit();
}

void Index::finish(std::int64_t crawl, std::span<const IndexedDeadLink> dead_links) {
  Transaction transaction{*this};
  run("DELETE FROM dead_links");
  Statement insert{*this, "INSERT INTO dead_links (source, target, status) VALUES (?1, ?2, ?3)"};
  for (const IndexedDeadLink& link : dead_links) insert(link.source, link.target, link.status);
  Statement{*this,
            "DELETE FROM pages WHERE rowid IN (SELECT id FROM locations WHERE crawl <> ?1)"}(crawl);
  Statement{*this, "DELETE FROM locations WHERE crawl <> ?1"}(crawl);
  Statement{*this, "UPDATE crawls SET finished_at = datetime('now') WHERE id = ?1"}(crawl);
  transaction.commit();
  // The log goes into the file, for people that copy the file alone. With an open reader it stays.
  sqlite3_wal_checkpoint_v2(database_.get(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
}

void Index::run(const char* sql) {
  if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail("write to");
}

std::int64_t Index::number(const char* sql) { return Statement{*this, sql}(); }

void Index::fail(const char* doing) const {
  const int code = sqlite3_extended_errcode(database_.get());
  throw IndexError(
      std::string{"cannot "} + doing + " the index: " + sqlite3_errmsg(database_.get()),
      {{"path", file_}, {"code", code}});
}

}  // namespace crawler
