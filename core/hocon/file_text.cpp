// SPDX-License-Identifier: Apache-2.0
#include "hocon/file_text.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/clock.hpp"

namespace actord::hocon {

namespace {

class Descriptor {
 public:
  explicit Descriptor(const std::string& path) {
    // Non-blocking, because opening a FIFO without a writer would block.
    do fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    while (fd_ < 0 && errno == EINTR);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const noexcept { return fd_; }

 private:
  int fd_ = -1;
};

constexpr std::int64_t pipe_patience_ns = 10 * base::ns_per_s;

/// Waits until the file has data or has ended; false when the time is over.
bool is_readable(int fd, std::int64_t until_ns) {
  while (true) {
    const std::int64_t left_ms = (until_ns - base::monotonic_ns()) / base::ns_per_ms;
    if (left_ms <= 0) return false;
    pollfd waits{fd, POLLIN, 0};
    const int n = ::poll(&waits, 1, static_cast<int>(left_ms));
    if (n > 0) return true;
    if (n < 0 && errno != EINTR) return false;
  }
}

FileFailure failure(int error) { return {error, std::generic_category().message(error)}; }

}  // namespace

base::Result<FileText, FileFailure> read_file(const std::string& path, std::uint64_t limit) {
  if (path.find('\0') != std::string::npos) return failure(ENOENT);
  const Descriptor file(path);
  if (file.get() < 0) return failure(errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return failure(errno);
  if (S_ISDIR(status.st_mode)) return failure(EISDIR);
  // Waits for the writer of a pipe, but not for ever, because the caller may have to go on.
  const bool may_wait = !S_ISREG(status.st_mode);
  const std::int64_t until_ns = base::monotonic_ns() + pipe_patience_ns;

  FileText read;
  read.device = status.st_dev;
  read.inode = status.st_ino;
  const auto expected = static_cast<std::uint64_t>(S_ISREG(status.st_mode) ? status.st_size : 0);
  if (expected > limit) return failure(EFBIG);
  std::size_t filled = 0;
  read.text.resize(expected + 1);  // one byte more, so that the first read shows the end
  while (true) {
    const ssize_t count = ::read(file.get(), read.text.data() + filled, read.text.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN && may_wait) {
      if (!is_readable(file.get(), until_ns)) return failure(ETIMEDOUT);
      continue;
    }
    if (count < 0) return failure(errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
    if (filled > limit) return failure(EFBIG);
    if (filled == read.text.size()) read.text.resize(filled + filled / 2 + 4096);
  }
  read.text.resize(filled);
  return read;
}

bool is_file(const std::string& path) noexcept {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISDIR(status.st_mode);
}

bool is_folder(const std::string& path) noexcept {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

}  // namespace actord::hocon
