// SPDX-License-Identifier: Apache-2.0
#include "os/sealed_copy.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <vector>

#include "os/process.hpp"

namespace actord::os {

namespace {

// Linux 6.3 has it. A library is mapped, not executed, so the copy needs no permission for that;
// and with vm.memfd_noexec=2 the kernel makes no other memfd.
constexpr unsigned not_executable = 0x8;  // MFD_NOEXEC_SEAL

Descriptor new_memfd(const std::string& name) {
  constexpr unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  const int fd = ::memfd_create(name.c_str(), flags | not_executable);
  if (fd >= 0 || errno != EINVAL) return Descriptor(fd);
  return Descriptor(::memfd_create(name.c_str(), flags));
}

/// A regular file, with its facts at the time it was opened.
struct OpenFile {
  Descriptor descriptor;
  struct stat status = {};
};

base::Result<OpenFile, SystemError> open_regular(const std::string& path,
                                                 const std::string& doing) {
  // Without O_NONBLOCK, opening a FIFO waits for a writer.
  OpenFile file{Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW))};
  if (file.descriptor.get() < 0 || ::fstat(file.descriptor.get(), &file.status) != 0)
    return system_error(doing, errno);
  if (S_ISDIR(file.status.st_mode)) return system_error(doing, EISDIR);
  if (!S_ISREG(file.status.st_mode))
    return SystemError{EINVAL, doing + ": it is not a regular file"};
  return file;
}

bool is_same_time(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/// Whether the file has been written to since it was opened, as far as its times tell.
bool was_changed(const OpenFile& file) {
  struct stat now = {};
  return ::fstat(file.descriptor.get(), &now) != 0 || now.st_size != file.status.st_size ||
         !is_same_time(now.st_mtim, file.status.st_mtim) ||
         !is_same_time(now.st_ctim, file.status.st_ctim);
}

constexpr std::size_t block_size = std::size_t{1} << 18;

/// Reads up to a block; less only at the end of the file. -1: an error, and errno tells which.
ssize_t read_block(int fd, std::vector<char>& block) {
  std::size_t size = 0;
  while (size < block.size()) {
    const ssize_t n = ::read(fd, block.data() + size, block.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
  }
  return static_cast<ssize_t>(size);
}

// Returns 0, or errno. The kernel refuses with EBUSY as long as it uses a page of the copy itself,
// and waits some 0.15 s for the end of that; a busy machine may take longer.
int seal(int copy) {
  constexpr int attempts = 20;
  constexpr int seals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  int error = EBUSY;
  for (int i = 0; i < attempts && error == EBUSY; ++i)
    error = ::fcntl(copy, F_ADD_SEALS, seals) == 0 ? 0 : errno;
  return error;
}

}  // namespace

SealedCopy::SealedCopy(Descriptor copy) : copy_(std::move(copy)) {
  const std::string number = "/fd/" + std::to_string(copy_.get());
  path_ = "/proc/" + std::to_string(process_id()) + number;
  // A /proc of another namespace of processes knows this one by another number.
  if (::access(path_.c_str(), R_OK) != 0) path_ = "/proc/self" + number;
}

base::Result<SealedCopy, SystemError> SealedCopy::of(const std::string& file,
                                                     const std::string& name,
                                                     std::size_t size_max) {
  const std::string doing = "cannot read " + file;
  const auto from = open_regular(file, doing);
  if (!from) return from.error();
  if (static_cast<std::uintmax_t>(from->status.st_size) > size_max)
    return system_error(doing, EFBIG);
  Descriptor copy = new_memfd(name);
  if (copy.get() < 0) return system_error("cannot make a file in memory for a copy of it", errno);
  std::vector<char> block(block_size);
  std::size_t copied = 0;
  while (const ssize_t n = read_block(from->descriptor.get(), block)) {
    if (n < 0) return system_error(doing, errno);
    copied += static_cast<std::size_t>(n);
    if (copied > size_max) return system_error(doing, EFBIG);
    if (!write_all(copy.get(), {block.data(), static_cast<std::size_t>(n)}))
      return system_error("cannot keep a copy of it in memory", errno);
  }
  if (was_changed(*from)) return SystemError{EAGAIN, "it was changed while actord was reading it"};
  if (const int error = seal(copy.get()))
    return system_error("cannot seal the copy of it in memory", error);
  return SealedCopy(std::move(copy));
}

base::Result<bool, SystemError> SealedCopy::is_like(const std::string& file) const {
  const std::string doing = "cannot read " + file;
  const auto other = open_regular(file, doing);
  if (!other) return other.error();
  const auto own = map();
  if (!own) return own.error();
  if (static_cast<std::size_t>(other->status.st_size) != own->bytes().size()) return false;
  std::vector<char> block(block_size);
  std::size_t at = 0;
  while (const ssize_t n = read_block(other->descriptor.get(), block)) {
    if (n < 0) return system_error(doing, errno);
    const auto size = static_cast<std::size_t>(n);
    if (size > own->bytes().size() - at ||
        std::memcmp(own->bytes().data() + at, block.data(), size) != 0)
      return false;
    at += size;
  }
  return at == own->bytes().size();
}

}  // namespace actord::os
