// SPDX-License-Identifier: Apache-2.0
//
// A disk in memory behind SQLite that fails as disks do: a call returns an error, a sync fails and
// what it was to write is lost, and at a loss of power any part of what was not synced is gone,
// sector by sector.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/random.hpp"

namespace actord::journal {

class FaultyDisk {
 public:
  enum class Kind : std::uint8_t { none, write, sync, full, read_only };

  /// Registers itself under a name of its own.
  FaultyDisk();
  ~FaultyDisk();
  FaultyDisk(const FaultyDisk&) = delete;
  FaultyDisk& operator=(const FaultyDisk&) = delete;

  /// For StoreOptions::vfs.
  const std::string& name() const noexcept { return name_; }

  /// From now on, the `nth` call that can fail in that way does, and with `lasts` each one after
  /// it, until heal().
  void fail(Kind kind, std::uint64_t nth, bool lasts = false);
  void heal() { fault_ = Kind::none; }
  /// Whether a call has failed since fail().
  bool has_failed() const noexcept { return has_failed_; }

  /// What was not synced is lost, or a part of it. The database must be closed.
  void cut_power(base::Random& random);
  /// Damages a byte.
  void corrupt(const std::string& path, std::size_t at);
  void shorten(const std::string& path, std::size_t size);
  void remove(const std::string& path) { files_.erase(path); }
  std::string content(const std::string& path) const;

 private:
  struct Change {
    std::size_t at = 0;
    std::string bytes;
    bool is_truncation = false;
  };
  struct File {
    std::string content, durable;
    std::vector<Change> unsynced;
  };
  struct Handle;
  struct Methods;

  int fault_of(Kind kind);
  static void apply(std::string& content, const Change& change);

  std::string name_;
  std::map<std::string, std::shared_ptr<File>> files_;
  Kind fault_ = Kind::none;
  std::uint64_t left_ = 0;
  bool lasts_ = false, has_failed_ = false;
  sqlite3_vfs vfs_ = {};
};

}  // namespace actord::journal
