// SPDX-License-Identifier: Apache-2.0
#include "app/crash_record.hpp"

#include <unistd.h>

#include <array>
#include <chrono>

#include "loader/plugin_code.hpp"
#include "log/log_record.hpp"
#include "sinks/console_style.hpp"
#include "sinks/terminal.hpp"
#include "system/crash_site.hpp"

namespace actord::app {

namespace {

// A number as text, such as "0x1f". Async-signal-safe.
class Hex {
 public:
  explicit Hex(std::uintptr_t number) noexcept {
    do text_[--begin_] = "0123456789abcdef"[number & 15];
    while ((number >>= 4) != 0);
    text_[--begin_] = 'x';
    text_[--begin_] = '0';
  }
  std::string_view view() const noexcept { return {text_ + begin_, sizeof text_ - begin_}; }

 private:
  char text_[18];
  std::size_t begin_ = sizeof text_;
};

std::int64_t wall_ns() noexcept {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace

CrashRecord::CrashRecord(const sinks::JsonEnvelope& envelope, int log_fd)
    : log_fd_(log_fd >= 0 && !os::is_same_file(log_fd, STDERR_FILENO) ? log_fd : -1),
      before_(sinks::Terminal(STDERR_FILENO).can_rewrite() ? sinks::erase_line : ""),
      lines_(envelope),
      buffer_(4 * sinks::JsonLines::line_max) {
  os::report_crashes(this);
  os::use_crash_stack();
}

CrashRecord::~CrashRecord() { os::report_crashes(nullptr); }

void CrashRecord::report(const os::Crash& crash) noexcept {
  std::array<log::Field, 10> fields;
  std::size_t n = 0;
  const auto add = [&](std::string_view key, log::Value value) { fields[n++] = {key, value}; };
  const Hex address(crash.address);
  add("signal", crash.signal);
  if (crash.has_address) add("address", address.view());
  system::CrashSite site;
  if (!crash.is_second && site.fill()) {
    add("actor.path", site.path);
    add("actor.incarnation", std::uint64_t{site.incarnation});
    add("actor.behaviour", site.behaviour);
    if (!site.message.empty()) add("message.type", site.message);
    add("plugin.name", site.plugin);
    add("plugin.version", site.version);
  }
  const std::string_view file = loader::PluginCode::file_run_by(crash.thread_id);
  if (!file.empty()) add("plugin.file", file);
  log::Record record;
  record.level = log::Level::error;
  record.event = "daemon.crashed";
  record.msg = file.empty() ? "actord has crashed" : "actord has crashed in a plugin it loads";
  record.thread_id = static_cast<std::uint32_t>(crash.thread_id);
  record.fields = std::span(fields).first(n);
  buffer_.clear();
  buffer_.append(before_);
  lines_.append(buffer_, record, wall_ns());
  os::write_all(STDERR_FILENO, buffer_.view());
  if (log_fd_ >= 0) os::write_all(log_fd_, buffer_.view().substr(before_.size()));
}

}  // namespace actord::app
