// SPDX-License-Identifier: Apache-2.0
//
// Tells which files in folders have been written, moved there or removed, as an event of the event
// loop, by inotify. A folder that does not exist, or that is removed and made again, is watched
// from when it is there: until then the nearest folder above it is.
//
// Not seen: what another machine writes to a network file system, and a symbolic link above the
// folder that leads elsewhere now.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "os/event_loop.hpp"
#include "os/system_error.hpp"

namespace actord::os {

/// Threads: only the event loop's.
class FolderWatch {
 public:
  struct Listener {
    /// The file of that name has a content that is complete, or is gone.
    std::function<void(std::string_view name)> on_file;
    /// Any file may have changed: a folder has appeared, or the kernel had no room for all events.
    std::function<void()> on_all;
    /// The folder cannot be watched now; told once for each folder.
    std::function<void(const std::string& folder, const SystemError& error)> on_error;
  };

  FolderWatch(EventLoop& loop, Listener listener);

  /// Watches these folders from now on, and no others.
  void watch(const std::vector<std::string>& folders);

 private:
  /// What a watch of the kernel is for.
  struct Watched {
    std::string folder;
    bool is_above = false;  // the watch is on a folder above it, since it does not exist
  };

  void close();
  /// Puts a watch on the folder, or on the nearest one above it that exists. True: on the folder.
  bool add(const std::string& folder);
  void read();
  void handle(int number, std::uint32_t mask, std::string_view name);
  void report(const std::string& folder, int error);

  const Listener listener_;
  ReadWatch events_;
  // By the kernel's number; several folders may be waited for in the same one.
  std::multimap<int, Watched> watched_;
  std::set<std::string> reported_;
};

}  // namespace actord::os
