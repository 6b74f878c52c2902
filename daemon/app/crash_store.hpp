// SPDX-License-Identifier: Apache-2.0
//
// The folder of crashes in the state directory: `pending`, which a crashing process writes
// (crash_record.hpp), and a file ID.json for each crash that a later process has found there.
//
// Not here: who is charged with a crash (crash_ledger.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/json_folder.hpp"
#include "base/result.hpp"
#include "os/descriptor.hpp"
#include "wire/control_message.hpp"

namespace actord::app {

/// A crash is an object: the members of its event daemon.crashed, of which `stack` has the names of
/// functions, and `crash`: {"id", "wall_ns", "uptime_ns", "is_own": false if another process has
/// sent the signal, "is_hang": and did so for a handler that does not return, "is_ending": code of
/// a plugin ran that ends with actord, "version": of actord, "places": the stack as "file+0x12f0",
/// "build_ids"}.
///
/// Errors are sentences that name the file. Threads: one at a time.
class CrashStore {
 public:
  /// At most `keep` crashes are kept.
  CrashStore(std::string folder, std::size_t keep);

  /// The crash of the process before; nullopt: it has not crashed. Reads the files of the libraries
  /// of the stack. The crash stays pending until open_pending().
  base::Result<std::optional<wire::Json>> take_pending() const;
  /// The file that a crash of this process is written to; its space is reserved.
  base::Result<os::Descriptor> open_pending() const;
  /// Keeps a crash, or writes it anew; returns the path of its file.
  base::Result<std::string> keep(const wire::Json& crash) const;

  /// All crashes, the oldest first. Files that are damaged are left out.
  std::vector<wire::Json> list() const;
  std::optional<wire::Json> find(std::string_view id) const;
  /// The disk is full: removes all crashes but the one with the id `spared`, and what is reserved
  /// for the next one.
  void make_room(std::string_view spared) const;

 private:
  std::string pending() const { return folder_.path() + "/pending"; }
  /// Removes the oldest, until `left` are there besides the one with the id `spared`.
  void drop_oldest(std::size_t left, std::string_view spared) const;

  const JsonFolder folder_;
  const std::size_t keep_;
};

}  // namespace actord::app
