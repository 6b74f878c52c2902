// SPDX-License-Identifier: Apache-2.0

#include "crawler/index.hpp"

#include <doctest/doctest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <fstream>
#include <system_error>
#include <vector>

#include "crawler/valid_utf8.hpp"
#include "support/scratch_folder.hpp"

namespace fs = std::filesystem;
using actord::support::ScratchFolder;
using crawler::Index;
using crawler::IndexedDeadLink;
using crawler::IndexedPage;

namespace {

// The rows that the sqlite3 program would show.
std::vector<std::string> query(const fs::path& file, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open_v2(file.c_str(), &database, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK);
  std::vector<std::string> rows;
  const auto take = [](void* to, int, char** values, char**) {
    static_cast<std::vector<std::string>*>(to)->emplace_back(values[0] == nullptr ? "NULL"
                                                                                  : values[0]);
    return 0;
  };
  const int code = sqlite3_exec(database, sql.c_str(), take, &rows, nullptr);
  CHECK_MESSAGE(code == SQLITE_OK, sqlite3_errmsg(database));
  sqlite3_close(database);
  return rows;
}

using Rows = std::vector<std::string>;

void store(Index& index, std::int64_t crawl, const std::vector<IndexedPage>& pages) {
  index.store(crawl, pages);
}

}  // namespace

TEST_SUITE("crawler/index") {
  TEST_CASE("stored pages are found by their words, best match first") {
    const ScratchFolder folder;
    const fs::path file = folder.path() / "index.sqlite";
    Index index{file};
    const auto crawl = index.begin_crawl("http://a/");
    store(index, crawl,
          {{"/a.html", "Other", "the write-ahead log"},
           {"/b.html", "Write-ahead", "text"},
           {"/c.html", "", ""}});
    CHECK(query(file, "SELECT path FROM pages('write ahead') ORDER BY rank") ==
          Rows{"/b.html", "/a.html"});
    CHECK(query(file, "SELECT path FROM pages WHERE pages MATCH 'html'").empty());
    CHECK(index.rows() == 3);
    CHECK(index.count(crawl) == 3);
  }

  TEST_CASE("every text in the index is valid UTF-8, whatever is stored") {
    const ScratchFolder folder;
    const fs::path file = folder.path() / "index.sqlite";
    Index index{file};
    store(
        index, index.begin_crawl("http://a/"),
        {{"/a", "caf\xE9", "\xB9\xAE\xBC\xAD word \xE2\x82"}, {"/b", "문서", "valid \U0001F600"}});
    CHECK(query(file, "SELECT title FROM pages ORDER BY path") == Rows{"caf\uFFFD", "문서"});
    CHECK(query(file, "SELECT path FROM pages('word')") == Rows{"/a"});
    for (const std::string& text : query(file, "SELECT title || body FROM pages")) {
      CAPTURE(text);
      CHECK(crawler::find_invalid_utf8(text).size == 0);
    }
  }

  TEST_CASE("a search takes any text for words, and words in quotes for a phrase") {
    const ScratchFolder folder;
    Index index(folder.path() / "index.sqlite");
    const std::vector<IndexedPage> pages{
        {"/a", "Write-Ahead Log", "The log is written ahead of the pages."},
        {"/b", "Pages", "A page ahead of its time, and how to write a log about it: \"so\"."}};
    index.store(index.begin_crawl("http://x/"), pages);
    const auto paths = [&](std::string_view words, std::size_t limit = 10) {
      std::string all;
      for (const crawler::IndexHit& hit : index.search(words, limit)) all += hit.path;
      return all;
    };
    CHECK(paths("write-ahead log") == "/a");
    CHECK(paths("LOG ahead") == "/a/b");
    CHECK(paths("log", 1) == "/a");
    CHECK(paths("\"of its time\"") == "/b");
    CHECK(paths("\"its of\"") == "");
    CHECK(paths("\"of its time") == "/b");
    CHECK(paths("log\"ahead\"") == "/a/b");
    for (const char* text : {"", " ", "\"", "\"\"", "*", "a*", "(", "NOT", "AND OR", "title:log",
                             "^log", "NEAR(log", "'", "\\", ";DROP TABLE pages"}) {
      CAPTURE(text);
      CHECK_NOTHROW(static_cast<void>(index.search(text, 5)));
    }
    CHECK(paths("NOT log") == "");
    const auto hits = index.search("time", 5);
    REQUIRE(hits.size() == 1);
    CHECK(hits[0].title == "Pages");
    CHECK(hits[0].excerpt.find("ahead of its time") != std::string::npos);
  }

  TEST_CASE("a page stored again replaces the first, in one batch and over crawls") {
    const ScratchFolder folder;
    const fs::path file = folder.path() / "index.sqlite";
    Index index{file};
    const auto first = index.begin_crawl("http://a/");
    store(index, first, {{"/a", "t", "apple"}, {"/a", "t", "banana"}});
    CHECK(query(file, "SELECT body FROM pages") == Rows{"banana"});
    const auto second = index.begin_crawl("http://a/");
    CHECK(second > first);
    store(index, second, {{"/a", "t", "cherry"}});
    CHECK(query(file, "SELECT body FROM pages") == Rows{"cherry"});
    CHECK(query(file, "SELECT path FROM pages('banana')").empty());
    CHECK(index.count(first) == 0);
  }

  TEST_CASE("finishing a crawl removes what it did not see") {
    const ScratchFolder folder;
    const fs::path file = folder.path() / "index.sqlite";
    Index index{file};
    store(index, index.begin_crawl("http://a/"), {{"/kept", "", "x"}, {"/gone", "", "x"}});
    const auto crawl = index.begin_crawl("http://a/");
    store(index, crawl, {{"/kept", "", "y"}, {"/new", "", "y"}, {"/late", "", "y"}});
    const std::vector<std::string> given_up{"/late", "/never"};
    index.remove(given_up);
    index.finish(crawl, {});
    CHECK(query(file, "SELECT path FROM pages ORDER BY path") == Rows{"/kept", "/new"});
    CHECK(index.rows() == 2);
    CHECK(index.count(crawl) == 2);
    CHECK(query(file, "SELECT path FROM pages('x')").empty());
    CHECK(query(file, "SELECT finished_at IS NULL FROM crawls ORDER BY id") == Rows{"1", "0"});
  }

  TEST_CASE("the dead links are those of the last crawl that has finished") {
    const ScratchFolder folder;
    const fs::path file = folder.path() / "index.sqlite";
    Index index{file};
    const std::vector<IndexedDeadLink> before{{"/a", "/gone", 404}, {"/b", "/gone", 404}};
    index.finish(index.begin_crawl("http://a/"), before);
    const std::string all = "SELECT source || ' ' || target || ' ' || status FROM dead_links";
    CHECK(query(file, all) == Rows{"/a /gone 404", "/b /gone 404"});
    const auto crawl = index.begin_crawl("http://a/");
    CHECK(query(file, all).size() == 2);
    const std::vector<IndexedDeadLink> after{{"", "/", 500}};
    index.finish(crawl, after);
    CHECK(query(file, all) == Rows{" / 500"});
  }

  TEST_CASE("an index of version 1 keeps its pages and gets a table for dead links") {
    const ScratchFolder folder;
    const fs::path file = folder.path() / "index.sqlite";
    {
      Index index{file};
      store(index, index.begin_crawl("http://a/"), {{"/a", "", "x"}});
    }
    query(file, "DROP TABLE dead_links; PRAGMA user_version = 1");
    Index index{file};
    CHECK(index.rows() == 1);
    CHECK(query(file, "PRAGMA user_version") == Rows{"2"});
    const std::vector<IndexedDeadLink> dead{{"/a", "/gone", 404}};
    index.finish(index.begin_crawl("http://a/"), dead);
    CHECK(query(file, "SELECT target FROM dead_links") == Rows{"/gone"});
  }

  TEST_CASE("a batch is stored whole or not at all") {
    const ScratchFolder folder;
    const fs::path file = folder.path() / "index.sqlite";
    Index index{file};
    const auto crawl = index.begin_crawl("http://a/");
    query(file,
          "CREATE TRIGGER refuse BEFORE INSERT ON locations WHEN new.path = '/bad' BEGIN SELECT "
          "raise(ABORT, 'no'); END");
    CHECK_THROWS_AS(store(index, crawl, {{"/good", "", ""}, {"/bad", "", ""}}),
                    crawler::IndexError);
    CHECK(index.rows() == 0);
    CHECK(index.count(crawl) == 0);
    store(index, crawl, {{"/good", "", ""}});
    CHECK(index.rows() == 1);
  }

  TEST_CASE("an index whose writer was killed opens with everything that was stored") {
    const ScratchFolder folder;
    const fs::path live = folder.path() / "live.sqlite";
    const fs::path copy = folder.path() / "copy.sqlite";
    Index index{live};
    const auto crawl = index.begin_crawl("http://a/");
    for (int i = 0; i < 20; ++i) {
      const std::string path = '/' + std::to_string(i);
      store(index, crawl, {{path, "title", "body"}});
    }
    // After a kill the file and its log remain, never closed.
    REQUIRE(fs::file_size(live.string() + "-wal") > 0);
    fs::copy_file(live, copy);
    fs::copy_file(live.string() + "-wal", copy.string() + "-wal");
    Index again{copy};
    CHECK(again.rows() == 20);
    CHECK(again.count(crawl) == 20);
    CHECK(again.begin_crawl("http://a/") == crawl + 1);
    CHECK(query(copy, "INSERT INTO pages(pages) VALUES ('integrity-check')").empty());
  }

  TEST_CASE("a batch torn off in the middle of the log never happened") {
    const ScratchFolder folder;
    const fs::path live = folder.path() / "live.sqlite";
    const fs::path copy = folder.path() / "copy.sqlite";
    Index index{live};
    const auto crawl = index.begin_crawl("http://a/");
    store(index, crawl, {{"/first", "", "x"}});
    fs::copy_file(live, copy);
    store(index, crawl, {{"/second", "", std::string(20'000, 'x')}});
    fs::copy_file(live.string() + "-wal", copy.string() + "-wal");
    fs::resize_file(copy.string() + "-wal", fs::file_size(live.string() + "-wal") - 5000);
    Index again{copy};
    CHECK(again.rows() == 1);
    CHECK(query(copy, "SELECT path FROM pages") == Rows{"/first"});
  }

  TEST_CASE("the index can be searched while the crawl writes") {
    const ScratchFolder folder;
    const fs::path file = folder.path() / "index.sqlite";
    Index index{file};
    const auto crawl = index.begin_crawl("http://a/");
    store(index, crawl, {{"/a", "", "x"}});
    sqlite3* reader = nullptr;
    REQUIRE(sqlite3_open(file.c_str(), &reader) == SQLITE_OK);
    REQUIRE(sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM pages", nullptr, nullptr, nullptr) ==
            SQLITE_OK);
    store(index, crawl, {{"/b", "", "x"}});
    index.finish(crawl, {});
    CHECK(index.rows() == 2);
    sqlite3_close(reader);
  }

  TEST_CASE("a file that is no index is refused") {
    const ScratchFolder folder;
    const fs::path file = folder.path() / "index.sqlite";
    std::ofstream{file} << std::string(5000, 'x');
    CHECK_THROWS_AS(Index{file}, crawler::IndexError);
    const fs::path newer = folder.path() / "newer.sqlite";
    { Index index{newer}; }
    query(newer, "PRAGMA user_version = 99");
    CHECK_THROWS_AS(Index{newer}, crawler::IndexError);
  }

  TEST_CASE("preparing makes the folder and the file, and leaves an existing index alone") {
    const ScratchFolder folder;
    const fs::path file = folder.path() / "state" / "crawler" / "index.sqlite";
    crawler::prepare_index_file(file);
    {
      Index index{file};
      store(index, index.begin_crawl("http://a/"), {{"/a", "", ""}});
    }
    crawler::prepare_index_file(file);
    CHECK(Index{file}.rows() == 1);
  }

  TEST_CASE("a place that cannot be written is refused with the system's own error and the path") {
    const ScratchFolder folder;
    std::ofstream{folder.path() / "file"} << "x";
    try {
      crawler::prepare_index_file(folder.path() / "file" / "crawler" / "index.sqlite");
      FAIL("no error");
    } catch (const std::system_error& error) {
      CHECK(error.code() == std::errc::not_a_directory);
      CHECK(std::string{error.what()}.find((folder.path() / "file").string()) != std::string::npos);
    }
    fs::create_directories(folder.path() / "c" / "index.sqlite");
    try {
      crawler::prepare_index_file(folder.path() / "c" / "index.sqlite");
      FAIL("no error");
    } catch (const std::system_error& error) {
      CHECK(error.code() == std::errc::is_a_directory);
    }
    if (geteuid() != 0) {  // nothing is forbidden to root
      fs::create_directory(folder.path() / "locked");
      fs::permissions(folder.path() / "locked", fs::perms::owner_read | fs::perms::owner_exec);
      CHECK_THROWS_WITH_AS(crawler::prepare_index_file(folder.path() / "locked" / "index.sqlite"),
                           doctest::Contains("Permission denied"), std::system_error);
    }
  }
}
