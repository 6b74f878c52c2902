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
    : OwnSink({.place = options.path,
               .items = "lines",
               .error_fd = options.error_fd,
               .error_prefix = options.error_prefix,
               .reports_time_outs = true}),
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
  struct stat own = {};
  const bool is_wanted_anew = is_reopening_.exchange(false, std::memory_order_relaxed);
  const bool is_there = file_.get() >= 0 && ::fstat(file_.get(), &own) == 0 && is_at_path(own);
  if ((is_wanted_anew || !is_there) && (!open_file() || ::fstat(file_.get(), &own) != 0))
    return false;
  size_ = static_cast<std::uint64_t>(own.st_size);  // another process may have shortened it
  return true;
}

bool FileSink::is_at_path(const struct stat& own) const noexcept {
  struct stat there = {};
  return ::stat(options_.path.c_str(), &there) == 0 && own.st_ino == there.st_ino &&
         own.st_dev == there.st_dev;
}

bool FileSink::open_file() {
  writer_.reset();
  file_ = os::Descriptor{};
  // Without O_NONBLOCK, opening a FIFO would wait for a reader.
  file_ = os::Descriptor(::open(options_.path.c_str(),
                                O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
                                0640));
  if (file_.get() < 0) return false;
  writer_.emplace(file_.get());
  writer_->set_timeout(0);  // what a FIFO does not take at once is lost
  return true;
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
  auto [written, error] = writer_->write(text);
  if (written != text.size()) {
    written = text.substr(0, written).rfind('\n') + 1;  // 0 if there is none
    // So no half of a line stays. A FIFO cannot be shortened.
    [[maybe_unused]] const int cut = ::ftruncate(file_.get(), static_cast<off_t>(size_ + written));
    errno = error;
  }
  size_ += written;
  return written;
}

}  // namespace actord::sinks
