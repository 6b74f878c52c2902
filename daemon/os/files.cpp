// SPDX-License-Identifier: Apache-2.0
#include "os/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <system_error>

#include "os/descriptor.hpp"

namespace actord::os {

bool SystemError::is_not_permitted() const noexcept {
  return number == EACCES || number == EPERM || number == EROFS;
}

SystemError system_error(std::string doing, int number) {
  return {number, std::move(doing) + ": " + std::system_category().message(number)};
}

base::Result<void, SystemError> make_directory(const std::string& path) {
  for (std::size_t end = 0; end != std::string::npos;) {
    end = path.find('/', end + 1);
    const std::string part = path.substr(0, end);
    if (is_directory(part)) continue;
    if (::mkdir(part.c_str(), 0750) != 0) {
      const int number = errno;
      if (!is_directory(part)) return system_error("cannot create the folder " + part, number);
    }
  }
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
    return system_error("cannot write into the folder " + path, errno);
  }
  return {};
}

base::Result<void, SystemError> make_private_directory(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) == 0 || is_directory(path)) return {};
  return system_error("cannot create the folder " + path, errno);
}

base::Result<void, SystemError> can_make_directory(const std::string& path) {
  std::string deepest = path.starts_with('/') ? "/" : ".";
  for (std::size_t end = 0; end != std::string::npos;) {
    end = path.find('/', end + 1);
    const std::string part = path.substr(0, end);
    if (is_directory(part)) {
      deepest = part;
      continue;
    }
    if (exists(part)) return system_error("cannot create the folder " + part, EEXIST);
    break;
  }
  if (::faccessat(AT_FDCWD, deepest.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    return system_error("cannot write into the folder " + deepest, errno);
  return {};
}

FileMap::~FileMap() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

base::Result<FileMap, SystemError> map_file(const std::string& path, std::size_t size_max) {
  const std::string doing = "cannot read " + path;
  // Without O_NONBLOCK, opening a FIFO waits for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return system_error(doing, errno);
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) return system_error(doing, errno);
  if (S_ISDIR(status.st_mode)) return system_error(doing, EISDIR);
  if (!S_ISREG(status.st_mode)) return SystemError{EINVAL, doing + ": it is not a regular file"};
  if (static_cast<std::uintmax_t>(status.st_size) > size_max) return system_error(doing, EFBIG);
  if (status.st_size == 0) return FileMap({});  // an empty file cannot be mapped
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (at == MAP_FAILED) return system_error(doing, errno);
  return FileMap({static_cast<const std::byte*>(at), size});
}

base::Result<std::string, SystemError> read_file(const std::string& path, std::size_t size_max) {
  const auto file = map_file(path, size_max);
  if (!file) return file.error();
  const auto bytes = file->bytes();
  return std::string{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool write_all(int fd, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

bool write_at_start(int fd, std::string_view text) noexcept {
  return ::lseek(fd, 0, SEEK_SET) == 0 && write_all(fd, text);
}

base::Result<void, SystemError> create_file(const std::string& path, std::string_view content,
                                            const std::string& like) {
  const std::string doing = "cannot create " + path;
  struct stat model = {};
  if (::stat(like.c_str(), &model) != 0) return system_error("cannot read " + like, errno);
  const std::string folder = path.substr(0, path.rfind('/'));
  if (::mkdir(folder.c_str(), 0755) == 0) {
    if (::chown(folder.c_str(), model.st_uid, model.st_gid) != 0 && errno != EPERM)
      return system_error(doing, errno);
  } else if (errno != EEXIST) {
    return system_error("cannot create the folder " + folder, errno);
  }
  // The file appears under its name when it is complete.
  const std::string draft = folder + "/." + path.substr(folder.size() + 1) + ".new";
  const auto fail = [&](int number) {
    ::unlink(draft.c_str());
    return system_error(doing, number);
  };
  const Descriptor file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (file.get() < 0) return system_error(doing, errno);
  // Only root may give a file away; a user's own configuration is the user's anyway.
  if (::fchown(file.get(), model.st_uid, model.st_gid) != 0 && errno != EPERM) return fail(errno);
  if (::fchmod(file.get(), model.st_mode & 0666) != 0 || !write_all(file.get(), content) ||
      ::fsync(file.get()) != 0)
    return fail(errno);
  if (::renameat2(AT_FDCWD, draft.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) != 0)
    return fail(errno);
  return {};
}

base::Result<void, SystemError> write_private_file(const std::string& path,
                                                   std::string_view content) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (file.get() < 0 || !write_all(file.get(), content))
    return system_error("cannot write " + path, errno);
  return {};
}

base::Result<void, SystemError> replace_private_file(const std::string& path,
                                                     std::string_view content) {
  const std::string draft = path + ".new";
  const auto fail = [&](int number) {
    ::unlink(draft.c_str());
    return system_error("cannot write " + path, number);
  };
  {
    const Descriptor file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (file.get() < 0 || !write_all(file.get(), content) || ::fsync(file.get()) != 0)
      return fail(errno);
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) return fail(errno);
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  const Descriptor entries(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (entries.get() >= 0) ::fsync(entries.get());  // not every file system offers this
  return {};
}

base::Result<Descriptor, SystemError> reserve_private_file(const std::string& path,
                                                           std::size_t size, std::size_t least) {
  const std::string doing = "cannot write " + path;
  // O_NONBLOCK and O_NOFOLLOW: whatever is there, nothing is waited for, and no other file is
  // written.
  Descriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0600));
  if (file.get() < 0) return system_error(doing, errno);
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) return system_error(doing, errno);
  if (!S_ISREG(status.st_mode)) return SystemError{EINVAL, doing + ": it is not a regular file"};
  // Not truncated before, because another process could take the blocks that this frees.
  for (const std::size_t wanted : {size, least}) {
    if (write_at_start(file.get(), std::string(wanted, '\0')) &&
        ::ftruncate(file.get(), static_cast<off_t>(wanted)) == 0)
      return file;
    if (errno != ENOSPC && errno != EDQUOT) break;
  }
  return system_error(doing, errno);
}

base::Result<void, SystemError> shorten_file(const std::string& path, std::size_t size) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0 &&
      (status.st_size <= static_cast<off_t>(size) ||
       ::truncate(path.c_str(), static_cast<off_t>(size)) == 0))
    return {};
  return system_error("cannot write " + path, errno);
}

base::Result<Descriptor, SystemError> file_in_memory(std::string_view content) {
  Descriptor file(::memfd_create("actord", MFD_CLOEXEC));
  if (file.get() < 0) return system_error("cannot make a file in memory", errno);
  if (!write_all(file.get(), content)) return system_error("cannot write a file in memory", errno);
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

base::Result<std::vector<std::string>, SystemError> names_in(const std::string& folder) {
  struct Close {
    void operator()(DIR* open) const { ::closedir(open); }
  };
  const std::unique_ptr<DIR, Close> open(::opendir(folder.c_str()));
  if (!open) return system_error("cannot read the folder " + folder, errno);
  std::vector<std::string> names;
  while (true) {
    errno = 0;
    const dirent* entry = ::readdir(open.get());
    if (entry == nullptr && errno != 0)
      return system_error("cannot read the folder " + folder, errno);
    if (entry == nullptr) return names;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
}

base::Result<FileFacts, SystemError> facts_of(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return system_error("cannot read " + path, errno);
  constexpr unsigned null_major = 1;
  constexpr unsigned null_minor = 3;  // the device number of /dev/null on every Linux
  FileFacts facts;
  if (S_ISREG(status.st_mode)) facts.kind = FileFacts::Kind::regular;
  if (S_ISDIR(status.st_mode)) facts.kind = FileFacts::Kind::folder;
  if (S_ISCHR(status.st_mode) && status.st_rdev == makedev(null_major, null_minor))
    facts.kind = FileFacts::Kind::null_device;
  facts.size = static_cast<std::uint64_t>(status.st_size);
  facts.owner = status.st_uid;
  facts.group_may_write = (status.st_mode & S_IWGRP) != 0;
  facts.others_may_read = (status.st_mode & S_IROTH) != 0;
  facts.others_may_write = (status.st_mode & S_IWOTH) != 0;
  return facts;
}

bool is_directory(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

bool exists(const std::string& path) {
  struct stat status = {};
  return ::lstat(path.c_str(), &status) == 0;
}

std::string real_path(const std::string& path) {
  struct Free {
    void operator()(char* text) const { std::free(text); }
  };
  const std::unique_ptr<char, Free> resolved(::realpath(path.c_str(), nullptr));
  return resolved ? std::string{resolved.get()} : path;
}

}  // namespace actord::os
