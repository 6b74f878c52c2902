// SPDX-License-Identifier: Apache-2.0
#include "os/source_watch.hpp"

#include <cerrno>
#include <cstdint>

#include "os/files.hpp"
#include "os/inotify_events.hpp"

namespace actord::os {

namespace {

constexpr std::uint32_t events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE |
                                 IN_CREATE | IN_ONLYDIR | IN_DONT_FOLLOW;

bool is_source(std::string_view name) {
  return !name.empty() && !name.starts_with('.') && !name.ends_with('~') && name.front() != '#';
}

}  // namespace

base::Result<SourceWatch, SystemError> SourceWatch::open(const std::string& folder,
                                                         std::string build) {
  Descriptor queue(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (queue.get() < 0) return system_error("cannot watch files", errno);
  SourceWatch watch(std::move(queue), std::move(build));
  if (auto added = watch.add(folder); !added) return added.error();
  return watch;
}

bool SourceWatch::is_watched(const std::string& folder) const {
  return folder != build_ && !exists(folder + "/CMakeCache.txt");
}

base::Result<void, SystemError> SourceWatch::add(const std::string& folder) {
  const int number = ::inotify_add_watch(queue_.get(), folder.c_str(), events);
  if (number < 0) return system_error("cannot watch " + folder, errno);
  folders_[number] = folder;
  const auto names = names_in(folder);
  if (!names) return names.error();
  for (const std::string& name : *names) {
    const std::string path = folder + '/' + name;
    if (!is_source(name) || !is_directory(path) || !is_watched(path)) continue;
    // A link to a folder is none for inotify, and a folder may be gone already.
    if (auto added = add(path);
        !added && added.error().number != ENOTDIR && added.error().number != ENOENT)
      return added.error();
  }
  return {};
}

std::string SourceWatch::take_change() {
  std::string changed;
  const auto handle = [&](int watch, std::uint32_t mask, std::string_view name) {
    if ((mask & IN_Q_OVERFLOW) != 0) changed = "a file";
    const auto folder = folders_.find(watch);
    if (folder == folders_.end()) return;
    const std::string path = folder->second + '/' + std::string{name};
    if ((mask & IN_IGNORED) != 0) folders_.erase(folder);
    if (!is_source(name)) return;
    if ((mask & IN_ISDIR) == 0) {
      if ((mask & IN_CREATE) == 0) changed = path;
    } else if ((mask & (IN_CREATE | IN_MOVED_TO)) != 0 && is_watched(path)) {
      if (add(path)) changed = path;  // with files in it, maybe
    }
  };
  while (take_inotify_events(queue_.get(), handle)) continue;
  return changed;
}

}  // namespace actord::os
