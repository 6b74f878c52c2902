// SPDX-License-Identifier: Apache-2.0
#include "journal/sqlite_store.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/scratch_folder.hpp"

namespace actord::journal {
namespace {

using persist::Fault;
using persist::Write;

struct Rig {
  support::ScratchFolder scratch;
  // Syncing takes most of the time of a test, and no test of this file cuts the power.
  StoreOptions options{.folder = scratch.at("journal"),
                       .survives_power_loss = false,
                       .reserve_bytes = 4096,
                       .index_every = 50};
  std::unique_ptr<SqliteStore> store = std::make_unique<SqliteStore>(options);

  void reopen() {
    store.reset();
    store = std::make_unique<SqliteStore>(options);
  }
  /// Executes SQL in the closed database.
  void edit(const char* sql) {
    store.reset();
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open((options.folder + "/journal.sqlite").c_str(), &database) == SQLITE_OK);
    char* error = nullptr;
    sqlite3_exec(database, sql, nullptr, nullptr, &error);
    CHECK(std::string{error == nullptr ? "" : error} == "");
    sqlite3_close(database);
    store = std::make_unique<SqliteStore>(options);
  }
  std::string file(const char* name) const { return options.folder + '/' + name; }
};

std::string content(std::uint64_t sequence) { return "content " + std::to_string(sequence); }

// Writes events first … last of an id.
persist::StoreResult<void> write(SqliteStore& store, std::string_view id, std::uint64_t first,
                                 std::uint64_t last, std::optional<std::uint64_t> snapshot = {},
                                 std::uint64_t delete_to = 0, bool is_newest_only = false) {
  std::vector<std::string> contents;
  std::vector<persist::Entry> events;
  contents.reserve(last + 1);
  for (std::uint64_t sequence = first; sequence <= last; ++sequence)
    events.push_back({sequence, "test.Event/1", contents.emplace_back(content(sequence))});
  Write write{id, events, {}, is_newest_only, delete_to};
  if (snapshot) write.snapshot = persist::Entry{*snapshot, "test.State/2", "state"};
  return store.write({&write, 1}, 42);
}

std::vector<std::uint64_t> sequences(SqliteStore& store, std::string_view id,
                                     std::uint64_t from = 1, persist::ReadLimit limit = {}) {
  const auto read = store.read(id, from, limit);
  REQUIRE_MESSAGE(read.ok(), (read ? "" : read.error().what));
  std::vector<std::uint64_t> all;
  for (const persist::StoredEntry& event : *read) {
    CHECK(event.content == content(event.sequence));
    CHECK(event.type == "test.Event/1");
    CHECK(event.written_ns == 42);
    all.push_back(event.sequence);
  }
  return all;
}

using Numbers = std::vector<std::uint64_t>;

std::uint64_t damages(SqliteStore& store) {
  Verification verification;
  for (auto more = store.verify(verification, 3); more.ok() && *more;)
    more = store.verify(verification, 3);
  for (const std::string& each : verification.damages()) MESSAGE(each);
  return verification.damage_count();
}

}  // namespace

TEST_CASE("a new journal knows nothing of an id") {
  Rig rig;
  const auto opened = rig.store->open();
  REQUIRE(opened.ok());
  CHECK(opened->is_new);
  CHECK(rig.store->look("a")->last_sequence == 0);
  CHECK(rig.store->read("a", 1, {})->empty());
  CHECK(rig.store->list("", 10)->empty());
}

TEST_CASE("events are read as they were written, also by the next process") {
  Rig rig;
  REQUIRE(write(*rig.store, "a", 1, 3));
  REQUIRE(write(*rig.store, "b", 1, 2));
  REQUIRE(write(*rig.store, "a", 4, 5));
  for (int i = 0; i < 2; ++i) {
    CHECK(sequences(*rig.store, "a") == Numbers{1, 2, 3, 4, 5});
    CHECK(sequences(*rig.store, "a", 4) == Numbers{4, 5});
    CHECK(sequences(*rig.store, "a", 6).empty());
    CHECK(sequences(*rig.store, "b") == Numbers{1, 2});
    CHECK(rig.store->look("a")->last_sequence == 5);
    rig.reopen();
  }
}

TEST_CASE("a read returns no more than its limit, and at least one event") {
  Rig rig;
  REQUIRE(write(*rig.store, "a", 1, 9));
  CHECK(sequences(*rig.store, "a", 2, {3, 1'000}) == Numbers{2, 3, 4});
  CHECK(sequences(*rig.store, "a", 2, {100, 20}) == Numbers{2, 3});
  CHECK(sequences(*rig.store, "a", 2, {100, 0}) == Numbers{2});
}

TEST_CASE("the events of many ids are found although those of all lie mixed") {
  Rig rig;
  for (std::uint64_t round = 1; round <= 40; ++round)
    for (int id = 0; id < 30; ++id)
      REQUIRE(write(*rig.store, "id-" + std::to_string(id), round, round));
  for (int i = 0; i < 2; ++i) {
    for (int id = 0; id < 30; ++id) {
      const auto all = sequences(*rig.store, "id-" + std::to_string(id), 5, {20, 1 << 20});
      REQUIRE(all.size() == 20);
      CHECK(all.front() == 5);
      CHECK(sequences(*rig.store, "id-" + std::to_string(id), 25).size() == 16);
    }
    CHECK(damages(*rig.store) == 0);
    rig.reopen();
  }
}

TEST_CASE("an event that does not follow the last one is refused, with its whole group") {
  Rig rig;
  REQUIRE(write(*rig.store, "a", 1, 2));
  const auto refused = write(*rig.store, "a", 4, 4);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().fault == Fault::gap);
  CHECK(refused.error().what.find("event 4") != std::string::npos);
  CHECK(write(*rig.store, "a", 2, 2).error().fault == Fault::gap);

  const persist::Entry third{3, "t", "c"}, fifth{5, "t", "c"};
  const Write group[] = {{"a", {&third, 1}, {}, false, 0}, {"a", {&fifth, 1}, {}, false, 0}};
  CHECK(rig.store->write(group, 1).error().fault == Fault::gap);
  CHECK(rig.store->look("a")->last_sequence == 2);
  CHECK(write(*rig.store, "a", 3, 3, 9).error().fault == Fault::gap);  // a snapshot of nothing
  CHECK(write(*rig.store, "a", 3, 3));
}

TEST_CASE("an id may occur in a group more than once") {
  Rig rig;
  const persist::Entry one{1, "test.Event/1", "content 1"}, two{2, "test.Event/1", "content 2"};
  const Write group[] = {{"a", {&one, 1}, {}, false, 0}, {"a", {&two, 1}, {}, false, 0}};
  REQUIRE(rig.store->write(group, 42));
  CHECK(sequences(*rig.store, "a") == Numbers{1, 2});
}

TEST_CASE("content may be empty and may have any bytes, ids and types too") {
  Rig rig;
  const std::string bytes("\0\xff'\"\n", 5);
  const persist::Entry events[] = {{1, bytes, bytes}, {2, "", {}}};
  const Write write{bytes, events, persist::Entry{2, "", {}}, false, 0};
  REQUIRE(rig.store->write({&write, 1}, 1));
  rig.reopen();
  const auto read = rig.store->read(bytes, 1, {});
  REQUIRE(read.ok());
  CHECK(read->at(0).content == bytes);
  CHECK(read->at(0).type == bytes);
  CHECK(read->at(1).content == "");
  CHECK(rig.store->look(bytes)->snapshot->content == "");
}

TEST_CASE("the newest snapshot is where a recovery begins, and as many as wanted are kept") {
  Rig rig;
  REQUIRE(write(*rig.store, "a", 1, 2, 2));
  REQUIRE(write(*rig.store, "a", 3, 4, 4));
  REQUIRE(write(*rig.store, "a", 5, 6, 6));
  const auto beginning = rig.store->look("a");
  REQUIRE(beginning.ok());
  CHECK(beginning->last_sequence == 6);
  CHECK(beginning->snapshot->sequence == 6);
  CHECK(beginning->snapshot->type == "test.State/2");
  CHECK(beginning->passed_over == "");
  CHECK(rig.store->list("", 10)->at(0).snapshots == 2);
  REQUIRE(write(*rig.store, "a", 7, 6, 6));  // once more at the same event
  CHECK(rig.store->list("", 10)->at(0).snapshots == 2);
}

TEST_CASE("a damaged snapshot is passed over for an older one, and that is said") {
  Rig rig;
  REQUIRE(write(*rig.store, "a", 1, 2, 2));
  REQUIRE(write(*rig.store, "a", 3, 4, 4));
  rig.edit("UPDATE snapshots SET content = 'else' WHERE sequence = 4");
  const auto beginning = rig.store->look("a");
  REQUIRE(beginning.ok());
  CHECK(beginning->snapshot->sequence == 2);
  CHECK(beginning->passed_over.find("at event 4") != std::string::npos);
  CHECK(sequences(*rig.store, "a", 3) == Numbers{3, 4});
  CHECK(damages(*rig.store) == 1);
}

TEST_CASE("without a snapshot that covers the deleted events an id cannot be recovered") {
  Rig rig;
  REQUIRE(write(*rig.store, "a", 1, 4, 4));
  REQUIRE(write(*rig.store, "a", 5, 6, {}, 4));
  CHECK(rig.store->look("a").ok());
  rig.edit("UPDATE snapshots SET crc = crc + 1");
  const auto beginning = rig.store->look("a");
  REQUIRE_FALSE(beginning.ok());
  CHECK(beginning.error().fault == Fault::damaged);
}

TEST_CASE("events are deleted as far as a snapshot of an earlier group covers them") {
  Rig rig;
  REQUIRE(write(*rig.store, "a", 1, 4, 4, 4));
  CHECK(sequences(*rig.store, "a") == Numbers{1, 2, 3, 4});  // the same group
  REQUIRE(write(*rig.store, "a", 5, 6, {}, 6));
  CHECK(sequences(*rig.store, "a") == Numbers{5, 6});
  rig.reopen();
  CHECK(sequences(*rig.store, "a") == Numbers{5, 6});
  CHECK(rig.store->look("a")->last_sequence == 6);
  CHECK(damages(*rig.store) == 0);
  CHECK(rig.store->list("", 1)->at(0).bytes == 2 * content(5).size());
}

TEST_CASE("the numbers of rows go on after the last event was deleted") {
  Rig rig;
  REQUIRE(write(*rig.store, "a", 1, 4, 4));
  REQUIRE(write(*rig.store, "a", 5, 4, {}, 4));
  CHECK(sequences(*rig.store, "a").empty());
  rig.reopen();
  CHECK(rig.store->look("a")->last_sequence == 4);
  REQUIRE(write(*rig.store, "a", 5, 5));
  rig.reopen();
  CHECK(sequences(*rig.store, "a") == Numbers{5});
}

TEST_CASE("of an id whose newest event matters the others are deleted, also in one group") {
  Rig rig;
  for (std::uint64_t i = 1; i <= 200; i += 2)
    REQUIRE(write(*rig.store, "a", i, i + 1, {}, 0, true));
  for (int i = 0; i < 2; ++i) {
    CHECK(sequences(*rig.store, "a") == Numbers{200});
    CHECK(rig.store->look("a")->last_sequence == 200);
    CHECK(damages(*rig.store) == 0);
    rig.reopen();
  }
}

TEST_CASE("a damaged event is found when it is read, and by a check of everything") {
  Rig rig;
  REQUIRE(write(*rig.store, "a", 1, 5));
  REQUIRE(write(*rig.store, "b", 1, 5));
  SUBCASE("its content") { rig.edit("UPDATE events SET content = 'else' WHERE number = 3"); }
  SUBCASE("its sequence number") { rig.edit("UPDATE events SET sequence = 9 WHERE number = 3"); }
  SUBCASE("its type") {
    rig.edit("INSERT INTO types VALUES (9, 'other'); UPDATE events SET type = 9 WHERE number = 3");
  }
  SUBCASE("its id") { rig.edit("UPDATE events SET id = 2 WHERE number = 3"); }
  SUBCASE("it is missing") { rig.edit("DELETE FROM events WHERE number = 3"); }
  const auto read = rig.store->read("a", 1, {});
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().fault == Fault::damaged);
  CHECK(read.error().what.find("event 3 of \"a\"") != std::string::npos);
  CHECK(sequences(*rig.store, "a", 4) == Numbers{4, 5});
  CHECK(sequences(*rig.store, "b") == Numbers{1, 2, 3, 4, 5});
  CHECK(damages(*rig.store) >= 1);
}

TEST_CASE("damage behind the index: a content concerns its id alone, all else stops the start") {
  Rig rig;
  REQUIRE(write(*rig.store, "a", 1, 5));
  REQUIRE(write(*rig.store, "b", 1, 2));
  const std::string unindexed =
      "UPDATE journal SET mark = 0; DELETE FROM runs;"
      "UPDATE ids SET indexed_to = 0, last_run = 0, last_sequence = 0;";
  SUBCASE("content") {
    rig.edit((unindexed + "UPDATE events SET content = 'else' WHERE number = 3").c_str());
    REQUIRE(rig.store->look("a"));
    const auto read = rig.store->read("a", 1, {});
    REQUIRE_FALSE(read);
    CHECK(read.error().fault == Fault::damaged);
    CHECK(read.error().concerns_id);
    CHECK(read.error().what.find("event 3 of \"a\"") != std::string::npos);
    CHECK_FALSE(rig.store->status().error);
    CHECK(sequences(*rig.store, "b") == Numbers{1, 2});
    REQUIRE(write(*rig.store, "b", 3, 3));
    CHECK(damages(*rig.store) == 1);
  }
  SUBCASE("number") {
    rig.edit((unindexed + "UPDATE events SET sequence = 9 WHERE number = 3").c_str());
    CHECK(rig.store->look("b").error().fault == Fault::damaged);
  }
  SUBCASE("missing") {
    rig.edit((unindexed + "DELETE FROM events WHERE number = 3").c_str());
    CHECK(rig.store->look("b").error().fault == Fault::damaged);
  }
  SUBCASE("id") {
    rig.edit((unindexed + "UPDATE events SET id = 99 WHERE number = 3").c_str());
    CHECK(rig.store->look("b").error().fault == Fault::damaged);
  }
}

TEST_CASE("a damaged index is no crash") {
  Rig rig;
  for (std::uint64_t i = 1; i <= 300; ++i) REQUIRE(write(*rig.store, "a", i, i));
  SUBCASE("bytes") { rig.edit("UPDATE runs SET spans = x'80' WHERE number = 2"); }
  SUBCASE("a cycle") { rig.edit("UPDATE runs SET previous = number"); }
  SUBCASE("a hole") { rig.edit("DELETE FROM runs WHERE number = 2"); }
  CHECK(rig.store->read("a", 1, {}).error().fault == Fault::damaged);
}

TEST_CASE("a journal that has lost its end is refused, once the loss is accepted it goes on") {
  Rig rig;
  REQUIRE(write(*rig.store, "a", 1, 5));
  rig.edit(
      "DELETE FROM events WHERE number > 3; UPDATE journal SET mark = 0, last_row = 0;"
      "UPDATE ids SET indexed_to = 0, last_run = 0, last_sequence = 0; DELETE FROM runs");
  const auto refused = rig.store->open();
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().fault == Fault::damaged);
  CHECK(refused.error().what.find("5 rows were acknowledged") != std::string::npos);
  CHECK(refused.error().what.find("--accept-journal-loss") != std::string::npos);
  CHECK(write(*rig.store, "a", 4, 4).error().fault == Fault::damaged);

  rig.options.accepts_loss = true;
  rig.reopen();
  const auto opened = rig.store->open();
  REQUIRE(opened.ok());
  CHECK(opened->lost_rows == 2);
  CHECK(opened->notice.find("has lost its end") != std::string::npos);
  rig.options.accepts_loss = false;
  rig.reopen();
  CHECK(sequences(*rig.store, "a") == Numbers{1, 2, 3});
  CHECK(write(*rig.store, "a", 4, 4));
}

TEST_CASE("what a durability of the process loses with the power is told, and no error") {
  Rig rig;
  REQUIRE(write(*rig.store, "a", 1, 5));
  rig.store.reset();
  auto file = AcknowledgedFile::open(rig.file("journal.acknowledged"));
  REQUIRE(file.ok());
  auto record = *file->read();
  record.last_row += 3;
  SUBCASE("another start of the machine") {
    record.boot += 1;
    REQUIRE(file->write(record));
    rig.reopen();
    CHECK(rig.store->open()->lost_rows == 3);
    CHECK(sequences(*rig.store, "a").size() == 5);
  }
  SUBCASE("the same start of the machine") {
    REQUIRE(file->write(record));
    rig.reopen();
    CHECK_FALSE(rig.store->open().ok());
  }
  SUBCASE("a journal that outlives a loss of power") {
    record.boot += 1;
    REQUIRE(file->write(record));
    rig.options.survives_power_loss = true;
    rig.reopen();
    CHECK_FALSE(rig.store->open().ok());
  }
}

TEST_CASE("a journal that is gone is refused") {
  Rig rig;
  REQUIRE(write(*rig.store, "a", 1, 5));
  rig.store.reset();
  std::filesystem::remove(rig.file("journal.sqlite"));
  std::filesystem::remove(rig.file("journal.sqlite-wal"));
  for (int i = 0; i < 2; ++i) {
    rig.reopen();
    const auto refused = rig.store->open();
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().what.find("is gone") != std::string::npos);
  }
}

TEST_CASE("what is acknowledged after a kill is not lost, and a torn log is found") {
  Rig rig;
  rig.store.reset();
  const pid_t child = ::fork();
  if (child == 0) {  // leaves everything in the write-ahead log
    auto* store = new SqliteStore(rig.options);
    for (std::uint64_t i = 1; i <= 20; ++i)
      if (!write(*store, "a", i, i)) ::_exit(1);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(status == 0);
  SUBCASE("whole") {
    rig.reopen();
    CHECK(sequences(*rig.store, "a").size() == 20);
  }
  SUBCASE("a frame in the middle is damaged") {
    const std::string log = rig.file("journal.sqlite-wal");
    std::fstream file(log, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(std::filesystem::file_size(log) - 30'000));
    file << "damage";
    file.close();
    rig.reopen();
    CHECK(rig.store->open().error().fault == Fault::damaged);
  }
}

TEST_CASE("a database of a newer actord, or of another program, is refused") {
  Rig rig;
  REQUIRE(write(*rig.store, "a", 1, 1));
  SUBCASE("newer") {
    rig.edit("PRAGMA user_version = 2");
    CHECK(rig.store->open().error().what.find("newer actord") != std::string::npos);
  }
  SUBCASE("another program") {
    rig.edit("PRAGMA user_version = 0");
    CHECK(rig.store->open().error().what.find("another program") != std::string::npos);
  }
  SUBCASE("no database") {
    rig.store.reset();
    std::ofstream(rig.file("journal.sqlite")) << std::string(10'000, 'x');
    rig.reopen();
    CHECK(rig.store->open().error().fault == Fault::damaged);
  }
}

TEST_CASE("a second process is refused, and the error names the file") {
  Rig rig;
  REQUIRE(write(*rig.store, "a", 1, 1));
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    auto* second = new SqliteStore(rig.options);
    const auto opened = second->open();
    const std::string what = opened ? "opened" : opened.error().what;
    (void)!::write(ends[1], what.data(), what.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  char text[500];
  const ssize_t count = ::read(ends[0], text, sizeof text);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  REQUIRE(count > 0);
  const std::string what(text, static_cast<std::size_t>(count));
  CHECK(what.find("another process has it open") != std::string::npos);
  CHECK(what.find(rig.file("journal.sqlite")) != std::string::npos);
  CHECK(write(*rig.store, "a", 2, 2));
}

TEST_CASE("folder and files are this user's alone") {
  Rig rig;
  REQUIRE(write(*rig.store, "a", 1, 1));
  const auto mode = [](const std::string& path) {
    struct stat status = {};
    CHECK(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 0777;
  };
  CHECK(mode(rig.options.folder) == 0700);
  for (const char* name :
       {"journal.sqlite", "journal.sqlite-wal", "journal.acknowledged", "journal.reserve"})
    CHECK(mode(rig.file(name)) == 0600);
}

TEST_CASE("ids are listed in order, page by page, with what is stored of them") {
  Rig rig;
  REQUIRE(write(*rig.store, "b", 1, 3, 3));
  REQUIRE(write(*rig.store, "c", 1, 1));
  REQUIRE(write(*rig.store, "a", 1, 2));
  for (int i = 0; i < 2; ++i) {
    const auto first = rig.store->list("", 2), rest = rig.store->list("b", 2);
    REQUIRE(first->size() == 2);
    CHECK(first->at(0).id == "a");
    const persist::IdFacts& b = first->at(1);
    CHECK(b.id == "b");
    CHECK(b.first_sequence == 1);
    CHECK(b.last_sequence == 3);
    CHECK(b.snapshots == 1);
    CHECK(b.bytes == 3 * content(1).size());
    CHECK(b.written_ns == 42);
    REQUIRE(rest->size() == 1);
    CHECK(rest->at(0).id == "c");
    rig.reopen();
  }
}

TEST_CASE("an id that is dropped begins anew, with the number behind its last event") {
  Rig rig;
  for (std::uint64_t i = 1; i <= 120; ++i) REQUIRE(write(*rig.store, "a", i, i, i));
  REQUIRE(write(*rig.store, "b", 1, 1));
  CHECK(*rig.store->drop("a") == persist::DropStep::done);
  CHECK(*rig.store->drop("a") == persist::DropStep::nothing);
  const auto is_gone = [&] {
    const persist::Beginning beginning = *rig.store->look("a");
    return beginning.last_sequence == 120 && beginning.begins_behind() == 120 &&
           !beginning.snapshot;
  };
  CHECK(is_gone());
  rig.reopen();
  CHECK(is_gone());
  CHECK(rig.store->list("", 9)->size() == 1);
  CHECK(write(*rig.store, "a", 1, 2).error().fault == Fault::gap);
  REQUIRE(write(*rig.store, "a", 121, 122));
  rig.reopen();
  CHECK(sequences(*rig.store, "a") == Numbers{121, 122});
  CHECK(rig.store->look("a")->begins_behind() == 120);
  CHECK(damages(*rig.store) == 0);
  CHECK(sequences(*rig.store, "b") == Numbers{1});
  CHECK(damages(*rig.store) == 0);
}

TEST_CASE("compacting gives the room of deleted events back") {
  Rig rig;
  for (std::uint64_t i = 1; i <= 3'000; i += 100) REQUIRE(write(*rig.store, "a", i, i + 99));
  REQUIRE(write(*rig.store, "a", 3'001, 3'000, 3'000));
  REQUIRE(write(*rig.store, "a", 3'001, 3'000, {}, 3'000));
  REQUIRE(rig.store->tidy_up());
  const auto before = rig.store->status();
  const auto left = rig.store->compact(5);
  REQUIRE(left.ok());
  CHECK(*left > 0);
  CHECK(*rig.store->compact(1'000) == 0);
  const auto after = rig.store->status();
  CHECK(after.bytes < before.bytes / 2);
  CHECK(after.log_bytes == 0);
  CHECK(after.last_row == before.last_row);
}

TEST_CASE("a folder that cannot be made is told") {
  Rig rig;
  rig.store.reset();
  std::ofstream(rig.scratch.at("journal")) << "a file";
  rig.reopen();
  const auto opened = rig.store->open();
  REQUIRE_FALSE(opened.ok());
  CHECK(opened.error().what.find(rig.options.folder) != std::string::npos);
  CHECK(rig.store->status().error->what == opened.error().what);
}

// ---- what is put off, and what changes while it is open -----------------------------------------

TEST_CASE("a long history is deleted in parts, and the rest when the journal is idle") {
  Rig rig;
  rig.options.index_every = 3'000;
  rig.reopen();
  for (std::uint64_t i = 1; i <= 10'000; i += 1'000) REQUIRE(write(*rig.store, "a", i, i + 999));
  REQUIRE(write(*rig.store, "b", 1, 3));
  REQUIRE(write(*rig.store, "a", 10'001, 10'001, 10'001));
  REQUIRE(write(*rig.store, "a", 10'002, 10'002, {}, 10'001));
  const auto first = [&] { return rig.store->list("", 1)->front().first_sequence; };
  CHECK(first() > 1);
  CHECK(first() < 10'000);
  CHECK(damages(*rig.store) == 0);
  int steps = 1;
  while (*rig.store->tidy_up()) ++steps;
  CHECK(steps > 2);
  CHECK(first() == 10'002);
  for (int i = 0; i < 2; ++i) {
    CHECK(sequences(*rig.store, "a") == Numbers{10'002});
    CHECK(sequences(*rig.store, "b") == Numbers{1, 2, 3});
    CHECK(damages(*rig.store) == 0);
    rig.reopen();
  }
}

TEST_CASE("an id that is dropped while events of it are still to be deleted begins anew") {
  Rig rig;
  for (std::uint64_t i = 1; i <= 9'000; i += 1'000) REQUIRE(write(*rig.store, "a", i, i + 999));
  REQUIRE(write(*rig.store, "a", 9'001, 9'001, 9'001));
  REQUIRE(write(*rig.store, "a", 9'002, 9'002, {}, 9'001));
  while (*rig.store->drop("a") == persist::DropStep::more) {}
  REQUIRE(write(*rig.store, "a", 9'003, 9'007));
  while (*rig.store->tidy_up()) {}
  CHECK(sequences(*rig.store, "a") == Numbers{9'003, 9'004, 9'005, 9'006, 9'007});
}

TEST_CASE(
    "a long history is dropped in steps, between which others write and it has no beginning") {
  Rig rig;
  for (std::uint64_t i = 1; i <= 10'000; i += 1'000) REQUIRE(write(*rig.store, "a", i, i + 999));
  CHECK(*rig.store->drop("a") == persist::DropStep::more);
  REQUIRE(write(*rig.store, "b", 1, 3));
  CHECK(rig.store->list("", 1)->front().first_sequence > 1);
  CHECK_FALSE(rig.store->look("a"));
  rig.reopen();
  CHECK(damages(*rig.store) == 0);
  CHECK(*rig.store->drop("a") == persist::DropStep::more);
  CHECK(*rig.store->drop("a") == persist::DropStep::done);
  CHECK(*rig.store->drop("a") == persist::DropStep::nothing);
  REQUIRE(write(*rig.store, "a", 10'001, 10'002));
  CHECK(sequences(*rig.store, "a") == Numbers{10'001, 10'002});
  CHECK(sequences(*rig.store, "b") == Numbers{1, 2, 3});
  CHECK(damages(*rig.store) == 0);
}

TEST_CASE(
    "a history that is dropped in part is recovered from a snapshot of what is gone, or not") {
  Rig rig;
  for (std::uint64_t i = 1; i <= 10'000; i += 1'000) REQUIRE(write(*rig.store, "a", i, i + 999));
  REQUIRE(write(*rig.store, "a", 10'001, 10'001, 5'000));
  CHECK(*rig.store->drop("a") == persist::DropStep::more);
  REQUIRE(rig.store->look("a"));
  REQUIRE(rig.store->look("a")->snapshot);
  CHECK(rig.store->look("a")->snapshot->sequence == 5'000);
  CHECK(*rig.store->drop("a") == persist::DropStep::more);
  CHECK_FALSE(rig.store->look("a"));
}

TEST_CASE("how many snapshots are kept, and what is durable, changes while the journal is open") {
  Rig rig;
  REQUIRE(write(*rig.store, "a", 1, 1, 1));
  REQUIRE(rig.store->tune({true, 4}));
  for (std::uint64_t i = 2; i <= 9; ++i) REQUIRE(write(*rig.store, "a", i, i, i));
  CHECK(rig.store->list("", 1)->front().snapshots == 4);
  CHECK(rig.store->list("", 1)->front().covered == 9);
  REQUIRE(rig.store->tune({false, 1}));
  REQUIRE(write(*rig.store, "a", 10, 10, 10));
  CHECK(rig.store->list("", 1)->front().snapshots == 1);
  CHECK(sequences(*rig.store, "a").size() == 10);
}

TEST_CASE("a check tells when the file beside the database does not agree with it") {
  Rig rig;
  REQUIRE(write(*rig.store, "a", 1, 3));
  CHECK(damages(*rig.store) == 0);
  std::ofstream(rig.file("journal.acknowledged")) << "x";
  CHECK(damages(*rig.store) == 1);
  REQUIRE(write(*rig.store, "a", 4, 4));
  CHECK(damages(*rig.store) == 0);
}

TEST_CASE("a check reads snapshots in parts, and finds the damaged one") {
  Rig rig;
  for (int id = 0; id < 30; ++id) REQUIRE(write(*rig.store, "id" + std::to_string(id), 1, 1, 1));
  rig.edit("UPDATE snapshots SET content = 'other' WHERE id = 17");
  Verification verification;
  for (auto more = rig.store->verify(verification, 300); more.ok() && *more;)
    more = rig.store->verify(verification, 300);
  CHECK(verification.snapshots() == 30);
  REQUIRE(verification.damage_count() == 1);
  CHECK(verification.damages().front() ==
        "the snapshot of \"id16\" at event 1 is not as it was written");
}

}  // namespace actord::journal
