// SPDX-License-Identifier: Apache-2.0
#include "os/access.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "os/files.hpp"
#include "os/local_socket.hpp"

namespace actord::os {

namespace {

bool may(const std::string& path, int mode) {
  return ::faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0;
}

SystemError refused(int number, const std::string& doing, const std::string& path) {
  if (!SystemError{number, {}}.is_not_permitted())
    return system_error("cannot use " + path, number);
  const std::string reason = number == EROFS ? ": the file system is read-only" : "";
  return {number, "user " + user_name(own_user()) + " may not " + doing + ' ' + path + reason};
}

/// The error of a path that stat() cannot find: names the first folder above it that is missing,
/// no folder, or may not be entered.
SystemError unreachable(const std::string& path, const std::string& kind, int number) {
  for (std::size_t end = path.find('/', 1); end != std::string::npos;
       end = path.find('/', end + 1)) {
    const std::string above = path.substr(0, end);
    if (!exists(above)) return {ENOENT, "there is no folder " + above};
    if (!is_directory(above)) return {ENOTDIR, above + " is no folder"};
    if (!may(above, X_OK)) return refused(EACCES, "enter the folder", above);
  }
  if (number == ENOENT) return {ENOENT, "there is no " + kind + ' ' + path};
  return refused(number, "use", path);
}

base::Result<void, SystemError> check_mode(const std::string& path, const std::string& kind,
                                           FileUse use) {
  const int enter = kind == "folder" ? X_OK : 0;
  if (use.reads && !may(path, R_OK | enter)) return refused(errno, "read the " + kind, path);
  if (use.writes && !may(path, W_OK | enter))
    return refused(errno, (enter != 0 ? "create files in the " : "write the ") + kind, path);
  return {};
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

base::Result<void, SystemError> check_folder(const std::string& path, FileUse use) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return unreachable(path, "folder", errno);
  if (!S_ISDIR(status.st_mode)) return SystemError{ENOTDIR, path + " is no folder"};
  return check_mode(path, "folder", use);
}

base::Result<void, SystemError> check_file(const std::string& path, FileUse use) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return SystemError{EISDIR, path + " is a folder"};
    return check_mode(path, "file", use);
  }
  const int number = errno;
  if (number != ENOENT || use.reads || !use.writes) return unreachable(path, "file", number);
  return check_folder(folder_of(path), {.writes = true});
}

base::Result<void, SystemError> check_file_in_made_folder(const std::string& folder,
                                                          const std::string& name, FileUse use) {
  const std::string path = folder + '/' + name;
  struct stat status = {};
  if (!name.empty() && ::stat(path.c_str(), &status) == 0) return check_file(path, use);
  if (!use.writes) return name.empty() ? base::Result<void, SystemError>{} : check_file(path, use);
  return can_make_directory(folder);
}

}  // namespace actord::os
