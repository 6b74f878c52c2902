// SPDX-License-Identifier: Apache-2.0
//
// The way into the journal, with a real socket: entries of any size, a full queue, a journal that
// is gone and comes back.
#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string>
#include <thread>

#include "base/clock.hpp"
#include "sinks/journal_writer.hpp"
#include "support/full_queue.hpp"
#include "support/journal_socket.hpp"
#include "support/wait.hpp"

namespace actord::sinks {

TEST_SUITE_BEGIN("sinks/journal_writer");

namespace {

using support::JournalSocket;

std::string entry_of(std::size_t number, std::size_t size = 10) {
  return "NUMBER=" + std::to_string(number) + "\nVALUE=" + std::string(size, 'v') + '\n';
}

/// Writes entries until the queue of the journal is full; returns how many it took.
std::size_t fill(JournalWriter& writer) {
  writer.set_timeout(0);
  std::size_t n = 0;
  while (writer.write(entry_of(n)) == 0) ++n;
  return n;
}

}  // namespace

TEST_CASE("an entry arrives as a datagram, and one that is too large as a sealed file") {
  JournalSocket journal;
  JournalWriter writer(journal.path());
  REQUIRE(writer.error() == 0);
  CHECK(writer.write(entry_of(1)) == 0);
  auto entries = journal.receive_all();
  CHECK(writer.write(entry_of(2, 20 << 20)) == 0);
  std::ranges::move(journal.receive_all(), std::back_inserter(entries));
  CHECK(writer.write_at_once(entry_of(3)));
  CHECK_FALSE(writer.write_at_once(entry_of(4, 20 << 20)));
  std::ranges::move(journal.receive_all(), std::back_inserter(entries));
  REQUIRE(entries.size() == 3);
  CHECK(entries[0]["NUMBER"] == "1");
  CHECK_FALSE(entries[0].is_file);
  CHECK(entries[1]["NUMBER"] == "2");
  CHECK(entries[1]["VALUE"].size() == 20 << 20);
  CHECK(entries[1].is_file);
  CHECK(entries[2]["NUMBER"] == "3");
}

TEST_CASE("without a journal the error says why") {
  const support::ScratchFolder folder;
  CHECK(JournalWriter(folder.at("socket")).error() == ENOENT);
  CHECK(JournalWriter(folder.at(std::string(200, 'n'))).error() == ENAMETOOLONG);
  JournalWriter writer(folder.at("socket"));
  CHECK(writer.write(entry_of(1)) == ENOENT);
  CHECK_FALSE(writer.write_at_once(entry_of(1)));
}

TEST_CASE("a full queue ends the wait with the time limit, and loses nothing that was taken") {
  JournalSocket journal;
  JournalWriter writer(journal.path());
  const std::size_t taken = fill(writer);
  CHECK(taken > 0);
  CHECK(writer.write(entry_of(taken)) == ETIMEDOUT);
  CHECK_FALSE(writer.write_at_once(entry_of(taken)));
  CHECK(journal.receive_all().size() == taken);
  CHECK(writer.write(entry_of(taken)) == 0);
  CHECK(journal.receive()->operator[]("NUMBER") == std::to_string(taken));
}

TEST_CASE("a full queue is waited for, and every entry arrives in its order") {
  const support::TimeLimit limit("the entries");
  JournalSocket journal;
  constexpr std::size_t count = 5000;  // more than the queue holds
  std::jthread thread([&] {
    JournalWriter writer(journal.path());
    for (std::size_t i = 0; i < count; ++i) CHECK(writer.write(entry_of(i)) == 0);
  });
  std::size_t next = 0;
  bool is_ordered = true;
  while (next < count) {
    const auto entry = journal.receive();
    if (!entry) {
      std::this_thread::yield();
      continue;
    }
    is_ordered = is_ordered && (*entry)["NUMBER"] == std::to_string(next);
    ++next;
  }
  CHECK(is_ordered);
}

TEST_CASE("another thread can limit a wait that has no limit") {
  const support::TimeLimit limit("the end of the wait");
  JournalSocket journal;
  support::fill_queue(journal.path());
  JournalWriter writer(journal.path());
  int error = 0;
  std::jthread thread([&] { error = writer.write(entry_of(0)); });
  writer.set_timeout(0);
  thread.join();
  CHECK(error == ETIMEDOUT);
}

TEST_CASE("a journal that was replaced is found again") {
  JournalSocket journal;
  JournalWriter writer(journal.path());
  CHECK(writer.write(entry_of(1)) == 0);
  journal.close();
  CHECK(writer.write(entry_of(2)) == ENOENT);
  CHECK_FALSE(writer.write_at_once(entry_of(2)));
  journal.open();
  CHECK(writer.write_at_once(entry_of(3)));
  CHECK(writer.write(entry_of(4)) == 0);
  const auto entries = journal.receive_all();
  REQUIRE(entries.size() == 2);
  CHECK(entries[0]["NUMBER"] == "3");
  CHECK(entries[1]["NUMBER"] == "4");
}

TEST_SUITE_END();

}  // namespace actord::sinks
