// SPDX-License-Identifier: Apache-2.0
#include "os/folder_watch.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "os/files.hpp"
#include "os/inotify_events.hpp"

namespace actord::os {

namespace {

constexpr std::uint32_t in_folder = IN_CREATE | IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVED_TO |
                                    IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF |
                                    IN_ONLYDIR | IN_MASK_ADD;
constexpr std::uint32_t above_folder =
    IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_MASK_ADD;
constexpr std::uint32_t of_file =
    IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE;
constexpr std::uint32_t is_gone = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED;

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == path.npos ? "/" : path.substr(0, slash);
}

/// Whether what was created is complete: a link, of either kind. A file that is written tells of
/// its end.
bool is_link(const std::string& path) {
  struct stat status = {};
  return ::lstat(path.c_str(), &status) == 0 && (S_ISLNK(status.st_mode) || status.st_nlink > 1);
}

}  // namespace

FolderWatch::FolderWatch(EventLoop& loop, Listener listener)
    : listener_(std::move(listener)), events_(loop, [this] { read(); }) {}

void FolderWatch::close() {
  events_.close();
  watched_.clear();
}

void FolderWatch::watch(const std::vector<std::string>& folders) {
  close();
  reported_.clear();
  if (folders.empty()) return;
  Descriptor inotify(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (inotify.get() < 0) return report(folders.front(), errno);
  events_.own(std::move(inotify));
  for (const std::string& folder : folders) add(folder);
  events_.listen();
}

void FolderWatch::report(const std::string& folder, int error) {
  if (!reported_.insert(folder).second) return;
  listener_.on_error(folder, system_error("cannot watch the folder " + folder, error));
}

bool FolderWatch::add(const std::string& folder) {
  std::string path = folder;
  while (true) {
    const bool is_above = path != folder;
    const int number = ::inotify_add_watch(events_.descriptor(), path.c_str(),
                                           is_above ? above_folder : in_folder);
    if (number >= 0) {
      watched_.emplace(number, Watched{folder, is_above});
      // It may have been made between both calls.
      const bool is_late = is_above && is_directory(folder);
      if (!is_late) return !is_above;
      path = folder;
      continue;
    }
    const bool may_be_above = errno == ENOENT || errno == ENOTDIR;
    if (!may_be_above || path == "/") return report(folder, errno), false;
    path = parent_of(path);
  }
}

void FolderWatch::read() {
  take_inotify_events(
      events_.descriptor(),
      [this](int watch, std::uint32_t mask, std::string_view name) { handle(watch, mask, name); });
}

void FolderWatch::handle(int number, std::uint32_t mask, std::string_view name) {
  if ((mask & IN_Q_OVERFLOW) != 0) return listener_.on_all();
  const auto [first, last] = watched_.equal_range(number);
  if (first == last) return;
  const bool was_removed = (mask & is_gone) != 0;
  std::vector<std::string> again;
  std::string folder_of_file;
  for (auto each = first; each != last;) {
    const bool is_due = was_removed || each->second.is_above;
    if (!each->second.is_above) folder_of_file = each->second.folder;
    if (is_due) again.push_back(each->second.folder);
    each = is_due ? watched_.erase(each) : std::next(each);
  }
  // It fails if the kernel has removed the watch with its folder.
  if (!watched_.contains(number)) ::inotify_rm_watch(events_.descriptor(), number);
  bool has_appeared = false;
  for (const std::string& folder : again) has_appeared = add(folder) || has_appeared;
  const bool is_folder = !folder_of_file.empty();
  if (has_appeared || (was_removed && is_folder)) return listener_.on_all();
  if (!is_folder || (mask & IN_ISDIR) != 0) return;
  const bool is_created = (mask & IN_CREATE) != 0;
  if (is_created ? is_link(folder_of_file + '/' + std::string{name}) : (mask & of_file) != 0)
    listener_.on_file(name);
}

}  // namespace actord::os
