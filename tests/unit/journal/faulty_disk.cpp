// SPDX-License-Identifier: Apache-2.0
#include "unit/journal/faulty_disk.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

namespace actord::journal {

namespace {

constexpr std::size_t sector = 512;

}  // namespace

// What SQLite holds for an open file; the first member is its own.
struct FaultyDisk::Handle {
  sqlite3_file base;
  FaultyDisk* disk;
  std::shared_ptr<File> file;
};

struct FaultyDisk::Methods {
  static Handle& handle(sqlite3_file* file) { return *reinterpret_cast<Handle*>(file); }
  static FaultyDisk& disk(sqlite3_vfs* vfs) { return *static_cast<FaultyDisk*>(vfs->pAppData); }

  static int close(sqlite3_file* file) {
    handle(file).~Handle();
    return SQLITE_OK;
  }
  static int read(sqlite3_file* file, void* to, int count, sqlite3_int64 at) {
    const std::string& content = handle(file).file->content;
    const auto wanted = static_cast<std::size_t>(count), from = static_cast<std::size_t>(at);
    const std::size_t there = from < content.size() ? std::min(wanted, content.size() - from) : 0;
    std::memcpy(to, content.data() + from, there);
    std::memset(static_cast<char*>(to) + there, 0, wanted - there);
    return there == wanted ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
  }
  static int change(Handle& handle, Change change) {
    for (const Kind kind : {Kind::write, Kind::full, Kind::read_only})
      if (const int failed = handle.disk->fault_of(kind); failed != SQLITE_OK) return failed;
    apply(handle.file->content, change);
    handle.file->unsynced.push_back(std::move(change));
    return SQLITE_OK;
  }
  static int write(sqlite3_file* file, const void* from, int count, sqlite3_int64 at) {
    return change(
        handle(file),
        {static_cast<std::size_t>(at),
         std::string(static_cast<const char*>(from), static_cast<std::size_t>(count)), false});
  }
  static int truncate(sqlite3_file* file, sqlite3_int64 size) {
    return change(handle(file), {static_cast<std::size_t>(size), {}, true});
  }
  static int sync(sqlite3_file* file, int) {
    Handle& each = handle(file);
    const int failed = each.disk->fault_of(Kind::sync);
    // As Linux has it: after a failure the pages count as written, and a second sync succeeds.
    if (failed == SQLITE_OK)
      for (const Change& change : each.file->unsynced) apply(each.file->durable, change);
    each.file->unsynced.clear();
    return failed;
  }
  static int size(sqlite3_file* file, sqlite3_int64* size) {
    *size = static_cast<sqlite3_int64>(handle(file).file->content.size());
    return SQLITE_OK;
  }
  static int lock(sqlite3_file*, int) { return SQLITE_OK; }
  static int is_reserved(sqlite3_file*, int* is) { return *is = 0, SQLITE_OK; }
  static int control(sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; }
  static int sector_size(sqlite3_file*) { return sector; }
  static int characteristics(sqlite3_file*) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

  static int open(sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags, int* out) {
    static const sqlite3_io_methods methods = {
        1,       &close,       &read,    &write,       &truncate,        &sync,   &size,   &lock,
        &lock,   &is_reserved, &control, &sector_size, &characteristics, nullptr, nullptr, nullptr,
        nullptr, nullptr,      nullptr};
    FaultyDisk& disk = Methods::disk(vfs);
    std::shared_ptr<File>& found = disk.files_[path == nullptr ? "" : path];
    if (!found) found = std::make_shared<File>();
    ::new (file) Handle{{&methods}, &disk, found};
    if (out != nullptr) *out = flags;
    return SQLITE_OK;
  }
  static int remove(sqlite3_vfs* vfs, const char* path, int) {
    disk(vfs).files_.erase(path);
    return SQLITE_OK;
  }
  static int access(sqlite3_vfs* vfs, const char* path, int, int* is_there) {
    const auto& files = disk(vfs).files_;
    const auto found = files.find(path);
    *is_there = found != files.end() && !found->second->content.empty() ? 1 : 0;
    return SQLITE_OK;
  }
  static int full_path(sqlite3_vfs*, const char* path, int size, char* to) {
    sqlite3_snprintf(size, to, "%s", path);
    return SQLITE_OK;
  }
  static int randomness(sqlite3_vfs*, int count, char* to) {
    static std::uint64_t seed = 1;
    base::Random random(++seed);
    for (int i = 0; i < count; ++i) to[i] = static_cast<char>(random.next());
    return count;
  }
  static int rest(sqlite3_vfs*, int us) { return us; }
  static int time(sqlite3_vfs*, sqlite3_int64* ms) { return *ms = 1, SQLITE_OK; }
  static int last_error(sqlite3_vfs*, int, char*) { return 0; }
};

FaultyDisk::FaultyDisk() {
  static int count = 0;
  name_ = "faulty-" + std::to_string(++count);
  vfs_.iVersion = 2;
  vfs_.szOsFile = sizeof(Handle);
  vfs_.mxPathname = 512;
  vfs_.zName = name_.c_str();
  vfs_.pAppData = this;
  vfs_.xOpen = &Methods::open;
  vfs_.xDelete = &Methods::remove;
  vfs_.xAccess = &Methods::access;
  vfs_.xFullPathname = &Methods::full_path;
  vfs_.xRandomness = &Methods::randomness;
  vfs_.xSleep = &Methods::rest;
  vfs_.xCurrentTimeInt64 = &Methods::time;
  vfs_.xGetLastError = &Methods::last_error;
  if (sqlite3_vfs_register(&vfs_, 0) != SQLITE_OK) throw std::runtime_error("no disk");
}

FaultyDisk::~FaultyDisk() { sqlite3_vfs_unregister(&vfs_); }

void FaultyDisk::fail(Kind kind, std::uint64_t nth, bool lasts) {
  fault_ = kind;
  left_ = nth;
  lasts_ = lasts;
  has_failed_ = false;
}

int FaultyDisk::fault_of(Kind kind) {
  if (kind != fault_) return SQLITE_OK;
  if (left_ > 1) return --left_, SQLITE_OK;
  if (!lasts_) fault_ = Kind::none;
  has_failed_ = true;
  switch (kind) {
    case Kind::none: return SQLITE_OK;
    case Kind::write: return SQLITE_IOERR_WRITE;
    case Kind::sync: return SQLITE_IOERR_FSYNC;
    case Kind::full: return SQLITE_FULL;
    case Kind::read_only: return SQLITE_READONLY;
  }
  return SQLITE_OK;
}

void FaultyDisk::apply(std::string& content, const Change& change) {
  if (change.is_truncation) {
    content.resize(std::min(content.size(), change.at));
    return;
  }
  if (content.size() < change.at + change.bytes.size())
    content.resize(change.at + change.bytes.size());
  content.replace(change.at, change.bytes.size(), change.bytes);
}

void FaultyDisk::cut_power(base::Random& random) {
  heal();
  for (auto& [path, file] : files_) {
    const std::uint64_t share = random.below(5);  // of four quarters; of the changes, then sectors
    for (const Change& change : file->unsynced) {
      if (random.below(4) >= share) continue;
      if (change.is_truncation || random.chance(0.5)) {
        apply(file->durable, change);
        continue;
      }
      for (std::size_t at = 0; at < change.bytes.size(); at += sector)
        if (random.chance(0.5))
          apply(file->durable, {change.at + at, change.bytes.substr(at, sector), false});
    }
    file->unsynced.clear();
    file->content = file->durable;
  }
}

void FaultyDisk::corrupt(const std::string& path, std::size_t at) {
  File& file = *files_.at(path);
  file.content.at(at) = static_cast<char>(file.content.at(at) ^ 0x55);
  file.durable = file.content;
}

void FaultyDisk::shorten(const std::string& path, std::size_t size) {
  File& file = *files_.at(path);
  file.content.resize(size);
  file.durable = file.content;
}

std::string FaultyDisk::content(const std::string& path) const {
  const auto found = files_.find(path);
  return found == files_.end() ? std::string{} : found->second->content;
}

}  // namespace actord::journal
