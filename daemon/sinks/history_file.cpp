// SPDX-License-Identifier: Apache-2.0
#include "sinks/history_file.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "os/files.hpp"
#include "os/system_error.hpp"
#include "sinks/signals_blocked.hpp"

namespace actord::sinks {

namespace {

using namespace std::chrono_literals;

// Events that come within this time are written together.
constexpr auto collect_time = 100ms;
constexpr auto longest_wait = 1h;
constexpr mode_t mode = 0640;

/// The last `bytes` of a file; empty if it cannot be read.
std::string end_of_file(const std::string& path, std::size_t bytes) {
  const os::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat facts;
  if (file.get() < 0 || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return {};
  const auto size = static_cast<std::size_t>(facts.st_size);
  std::string text(std::min(size, bytes), '\0');
  std::size_t n = 0;
  while (n < text.size()) {
    const ssize_t got = ::pread(file.get(), text.data() + n, text.size() - n,
                                static_cast<off_t>(size - text.size() + n));
    if (got <= 0) break;
    n += static_cast<std::size_t>(got);
  }
  text.resize(n);
  return text;
}

/// Appends the complete lines of a log. The first and the last one of a file may be torn.
void append_lines(std::vector<std::string>& lines, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == text.npos) return;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (line.starts_with(R"({"ts":")") && line.ends_with('}') &&
        line.find(R"("schema":"actord.log/)") != line.npos)
      lines.emplace_back(line);
  }
}

}  // namespace

HistoryFile::HistoryFile(LogHistory& history, Options options)
    : history_(history), options_(std::move(options)) {
  load();
  open_file();  // now, so that a crash at the start finds it open
  ended_ = finished_.get_future();
  const SignalsBlocked inherited;
  thread_ = std::thread([this] { run(); });
  ::pthread_setname_np(thread_.native_handle(), "log-history");
}

HistoryFile::~HistoryFile() {
  begin_stop();
  if (thread_.joinable()) thread_.join();
  close_file();
}

void HistoryFile::begin_stop() {
  is_stopping_.store(true, std::memory_order_relaxed);
  history_.interrupt();
}

bool HistoryFile::stop_within(std::chrono::milliseconds at_most) {
  if (!thread_.joinable()) return true;
  begin_stop();
  if (ended_.wait_for(at_most) != std::future_status::ready) return false;
  thread_.join();
  return true;
}

std::string HistoryFile::path(int age) const {
  return options_.directory + (age == 0 ? "/events.jsonl" : "/events.1.jsonl");
}

void HistoryFile::load() {
  std::vector<std::string> lines;
  for (const int age : {1, 0}) append_lines(lines, end_of_file(path(age), options_.bytes_max));
  written_ = history_.load(std::move(lines));
}

void HistoryFile::run() {
  while (!is_stopping_.load(std::memory_order_relaxed)) {
    if (!history_.wait_for_event(written_, longest_wait)) continue;
    history_.pause(collect_time);
    if (!write_new_events()) history_.pause(options_.retry_after);
  }
  write_new_events();
  finished_.set_value();
}

bool HistoryFile::write_new_events() try {
  while (true) {
    const auto lines =
        history_.lines_after(written_, LogHistory::Part::events, options_.bytes_max / 8);
    if (lines.empty()) return true;
    std::string text;
    for (const LogHistory::Line& line : lines) text.append(line.text).push_back('\n');
    if (!write_text(text)) return false;
    written_ = lines.back().number;
  }
} catch (const std::bad_alloc&) {
  return false;
}

/// Writes all of the text or, as far as the file system allows it, nothing.
bool HistoryFile::write_text(std::string_view text) {
  look_at_file();
  if (file_.get() < 0 && !open_file()) return false;
  if (size_ != 0 && size_ + text.size() > options_.bytes_max / 2) {
    close_file();
    if (::rename(path(0).c_str(), path(1).c_str()) != 0)
      return fail("cannot rename " + path(0), errno), false;
    if (!open_file()) return false;
  }
  if (!os::write_all(file_.get(), text)) {
    const int error = errno;
    if (::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0) close_file();
    return fail("cannot write " + path(0), error), false;
  }
  size_ += text.size();
  has_failed_ = false;
  return true;
}

/// Someone may have removed the file, or cut it.
void HistoryFile::look_at_file() {
  struct stat facts;
  if (file_.get() < 0 || ::fstat(file_.get(), &facts) != 0) return;
  if (facts.st_nlink == 0) close_file();
  else size_ = static_cast<std::size_t>(facts.st_size);
}

bool HistoryFile::open_file() {
  if (const auto made = os::make_directory(options_.directory); !made)
    return fail(made.error().what, 0), false;
  os::Descriptor file(
      ::open(path(0).c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, mode));
  struct stat facts;
  if (file.get() < 0 || ::fstat(file.get(), &facts) != 0)
    return fail("cannot open " + path(0), errno), false;
  size_ = static_cast<std::size_t>(facts.st_size);
  char last = '\n';
  if (size_ != 0 && ::pread(file.get(), &last, 1, facts.st_size - 1) == 1 && last != '\n') {
    if (!os::write_all(file.get(), "\n")) return fail("cannot write " + path(0), errno), false;
    ++size_;
  }
  file_ = std::move(file);
  if (options_.open_file != nullptr)
    options_.open_file->store(file_.get(), std::memory_order_relaxed);
  return true;
}

void HistoryFile::close_file() {
  if (options_.open_file != nullptr) options_.open_file->store(-1, std::memory_order_relaxed);
  file_ = os::Descriptor();
}

void HistoryFile::fail(const std::string& doing, int error) {
  if (std::exchange(has_failed_, true) || !options_.on_error) return;
  options_.on_error(error == 0 ? doing : os::system_error(doing, error).what);
}

}  // namespace actord::sinks
