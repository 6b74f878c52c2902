// SPDX-License-Identifier: Apache-2.0
#include "sinks/file_sink.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

namespace actord::sinks {

FileSink::FileSink(FileSinkOptions options)
    : OwnSink({options.path, "lines", options.error_fd, options.error_prefix}),
      options_(std::move(options)),
      rotates_at_(options_.rotate_bytes) {}

void FileSink::log(const spdlog::details::log_msg& message) {
  const std::string_view text(message.payload.data(), message.payload.size());
  if (text.empty()) return;
  std::size_t written = 0;
  if (make_ready()) {
    if (options_.rotate_bytes != 0 && size_ != 0 && size_ + text.size() > rotates_at_) rotate();
    if (file_.get() >= 0) written = write_lines(text);
  }
  if (written == text.size()) return losses_.succeeded();
  losses_.failed(errno, static_cast<std::uint64_t>(std::ranges::count(text.substr(written), '\n')));
}

bool FileSink::make_ready() {
  if (is_reopening_.exchange(false, std::memory_order_relaxed) || !is_at_path())
    file_ = os::Descriptor{};
  if (file_.get() < 0 && !open_file()) return false;
  struct stat status = {};
  if (::fstat(file_.get(), &status) != 0) return false;
  size_ = static_cast<std::uint64_t>(status.st_size);  // another process may have shortened it
  return true;
}

bool FileSink::is_at_path() const noexcept {
  struct stat own = {}, there = {};
  return file_.get() >= 0 && ::fstat(file_.get(), &own) == 0 &&
         ::stat(options_.path.c_str(), &there) == 0 && own.st_ino == there.st_ino &&
         own.st_dev == there.st_dev;
}

bool FileSink::open_file() {
  // Without O_NONBLOCK, opening a FIFO would wait for a reader.
  file_ = os::Descriptor(::open(options_.path.c_str(),
                                O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
                                0640));
  return file_.get() >= 0;
}

std::string FileSink::aged(unsigned age) const {
  return age == 0 ? options_.path : options_.path + '.' + std::to_string(age);
}

/// If a file cannot be renamed, none of the younger ones is, since that would replace it. The file
/// then grows on, and is tried again after another eighth.
void FileSink::rotate() {
  bool is_done = options_.keep == 0 && ::unlink(options_.path.c_str()) == 0;
  for (unsigned age = options_.keep; age != 0; --age) {
    is_done = ::rename(aged(age - 1).c_str(), aged(age).c_str()) == 0;
    if (!is_done && errno != ENOENT) break;
  }
  if (!is_done) {
    losses_.warn(options_.path +
                 " cannot be rotated and grows: " + std::system_category().message(errno));
    rotates_at_ = size_ + options_.rotate_bytes / 8;
    return;
  }
  rotates_at_ = options_.rotate_bytes;
  open_file();
  size_ = 0;
}

std::size_t FileSink::write_lines(std::string_view text) {
  std::size_t written = 0;
  while (written != text.size()) {
    const ssize_t n = ::write(file_.get(), text.data() + written, text.size() - written);
    if (n > 0) {
      written += static_cast<std::size_t>(n);
    } else if (n == 0 || errno != EINTR) {
      const int error = n == 0 ? EIO : errno;
      const std::size_t whole = text.substr(0, written).rfind('\n') + 1;  // 0 if there is none
      // A pipe cannot be shortened; a file can, so that no half of a line stays.
      static_cast<void>(::ftruncate(file_.get(), static_cast<off_t>(size_ + whole)) == 0);
      errno = error;
      written = whole;
      break;
    }
  }
  size_ += written;
  return written;
}

}  // namespace actord::sinks
