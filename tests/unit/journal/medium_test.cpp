// SPDX-License-Identifier: Apache-2.0
//
// A real file system that is full, or mounted read-only: a small one in memory, in a mount
// namespace of this process, which takes root.
#include <doctest/doctest.h>
#include <sched.h>
#include <sys/mount.h>

#include <filesystem>
#include <fstream>

#include "journal/sqlite_store.hpp"
#include "support/scratch_folder.hpp"
#include "unit/journal/journal_model.hpp"

namespace actord::journal {
namespace {

using persist::Fault;

class SmallDisk {
 public:
  SmallDisk() {
    is_there_ = ::unshare(CLONE_NEWNS) == 0 &&
                ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                ::mount("none", path().c_str(), "tmpfs", 0, "size=12m") == 0;
    if (!is_there_) MESSAGE("skipped: no file system can be mounted here");
  }
  ~SmallDisk() {
    if (is_there_) ::umount2(path().c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  explicit operator bool() const noexcept { return is_there_; }
  std::string path() const { return scratch_.path().string(); }
  std::string at(const char* name) const { return scratch_.at(name); }
  bool remount(unsigned long flags) const {
    return ::mount("none", path().c_str(), nullptr, MS_REMOUNT | flags, "size=12m") == 0;
  }

 private:
  support::ScratchFolder scratch_;
  bool is_there_ = false;
};

persist::StoreResult<void> write_one(SqliteStore& store, std::uint64_t sequence) {
  const std::string content = content_of("/user/a", sequence) + std::string(20'000, '.');
  const persist::Entry event{sequence, "test.Event/1", content};
  const persist::Write write{"/user/a", {&event, 1}, {}, false, 0};
  return store.write({&write, 1}, 1);
}

}  // namespace

TEST_CASE("a full disk refuses events until there is room, and loses none") {
  const SmallDisk disk;
  if (!disk) return;
  std::ofstream(disk.at("ballast")) << std::string(4 << 20, 'b');
  const StoreOptions options{
      .folder = disk.at("journal"), .reserve_bytes = 2 << 20, .log_pages = 400};
  SqliteStore store(options);
  std::uint64_t last = 0;
  persist::StoreError error;
  // The first refusal may free room in the write-ahead log, so that the next event finds some.
  for (int refused = 0; refused < 2;) {
    const auto written = write_one(store, last + 1);
    refused = written ? 0 : refused + 1;
    if (!written) error = written.error();
    else ++last;
    REQUIRE(last < 1'000);
  }
  CHECK(error.fault == Fault::full);
  CHECK(error.what.find("make room") != std::string::npos);
  CHECK(last > 100);
  CHECK(store.status().is_full);
  CHECK(store.status().reserve_bytes == 0);
  CHECK(store.look("/user/a")->last_sequence == last);
  CHECK(store.read("/user/a", last, {})->size() == 1);
  // A snapshot still finds room, because the reserve was released.
  persist::Write snapshot{"/user/a", {}, persist::Entry{last, "test.State/1", "state"}, false, 0};
  const auto kept = store.write({&snapshot, 1}, 1);
  CHECK_MESSAGE(kept.ok(), (kept ? "" : kept.error().what));
  CHECK_FALSE(write_one(store, last + 1).ok());
  std::filesystem::remove(disk.at("ballast"));
  const auto resumed = write_one(store, last + 1);
  CHECK_MESSAGE(resumed.ok(), (resumed ? "" : resumed.error().what));
  CHECK_FALSE(store.status().is_full);
  CHECK(store.status().reserve_bytes != 0);
  CHECK(store.read("/user/a", 1, {1, 1})->front().sequence == 1);
}

TEST_CASE("a read-only file system is told, and the journal goes on when it is writable") {
  const SmallDisk disk;
  if (!disk) return;
  const StoreOptions options{.folder = disk.at("journal"), .reserve_bytes = 1 << 20};
  REQUIRE(write_one(*std::make_unique<SqliteStore>(options), 1));
  REQUIRE(disk.remount(MS_RDONLY));
  SqliteStore store(options);
  const auto refused = write_one(store, 2);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().fault == Fault::read_only);
  REQUIRE(disk.remount(0));
  CHECK(write_one(store, 2));
  CHECK(store.read("/user/a", 1, {})->size() == 2);
}

}  // namespace actord::journal
