// SPDX-License-Identifier: Apache-2.0
#include "journal/journal_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "os/descriptor.hpp"
#include "os/files.hpp"

namespace actord::journal {

namespace {

void sync_folder(const std::string& path) {
  const os::Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) ::fsync(folder.get());
}

}  // namespace

base::Result<void, os::SystemError> JournalFolder::prepare(bool has_database) const {
  const std::string parent = path.substr(0, path.rfind('/'));
  if (!os::is_directory(path)) {
    if (!parent.empty() && !os::is_directory(parent))
      if (auto made = os::make_directory(parent); !made) return std::move(made).error();
    if (auto made = os::make_private_directory(path); !made) return std::move(made).error();
    if (has_database) sync_folder(parent.empty() ? "/" : parent);
  }
  // Not opened if it is there: to close any descriptor of it would release the locks of SQLite.
  if (!has_database || os::exists(database())) return {};
  const os::Descriptor file(
      ::open(database().c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file.get() < 0) return os::system_error("cannot create the journal " + database(), errno);
  sync_folder(path);
  return {};
}

}  // namespace actord::journal
