// SPDX-License-Identifier: Apache-2.0
#include "app/crash_record.hpp"

#include <unistd.h>

#include <array>
#include <chrono>

#include "app/site_fields.hpp"
#include "loader/plugin_code.hpp"
#include "log/log_record.hpp"
#include "os/files.hpp"
#include "sinks/console_style.hpp"
#include "sinks/journal_priority.hpp"
#include "sinks/journal_stream.hpp"
#include "sinks/terminal.hpp"

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

std::string_view message_for(const loader::PluginCode::Running* code) noexcept {
  using Phase = loader::PluginCode::Phase;
  if (code != nullptr && code->phase == Phase::load)
    return "actord has crashed in a plugin it loads";
  if (code != nullptr && code->phase == Phase::detach)
    return "actord has crashed in a plugin it detaches";
  return "actord has crashed";
}

std::int64_t wall_ns() noexcept {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace

CrashRecord::CrashRecord(const sinks::LogWriterOptions& log, sinks::Output output)
    : lines_(sinks::envelope_of(log)),
      entries_(sinks::envelope_of(log)),
      buffer_(4 * sinks::JsonLines::line_max) {
  const auto is_stream = [&](int fd) { return sinks::is_journal_stream(fd, log.journal_stream); };
  standard_error_ = {
      STDERR_FILENO, is_stream(STDERR_FILENO),
      sinks::Terminal(STDERR_FILENO).can_rewrite() ? sinks::erase_line : std::string_view{}};
  const bool is_elsewhere = log.fd >= 0 && !os::is_same_file(log.fd, STDERR_FILENO);
  const bool is_json = output == sinks::Output::json || output == sinks::Output::priority_json;
  // Where the log is no JSON, its descriptor gets a line only in place of an entry.
  if (is_elsewhere && (is_json || (output == sinks::Output::journal && is_stream(log.fd))))
    log_ = {log.fd, output != sinks::Output::json, {}};
  if (output == sinks::Output::journal) journal_.emplace(log.journal_socket);
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
  if (!crash.is_second && site.fill()) add_site_fields(site, add);
  const loader::PluginCode::Running* const code = loader::PluginCode::run_by(crash.thread_id);
  if (code != nullptr && !code->file.empty()) add("plugin.file", code->file);
  log::Record record;
  record.level = log::Level::error;
  record.event = "daemon.crashed";
  record.msg = message_for(code);
  record.thread_id = static_cast<std::uint32_t>(crash.thread_id);
  record.fields = std::span(fields).first(n);
  write(record);
}

void CrashRecord::write(const log::Record& record) noexcept {
  const std::int64_t now_ns = wall_ns();
  const bool is_sent = journal_ && send(record, now_ns);
  const auto prefix = sinks::journal_prefix(sinks::journal_priority(record));
  for (const Place& place : {standard_error_, log_}) {
    if (place.fd < 0 || (place.is_journal_stream && is_sent)) continue;
    buffer_.clear();
    buffer_.append(place.is_journal_stream ? std::string_view(prefix.data(), prefix.size())
                                           : place.before);
    lines_.append(buffer_, record, now_ns);
    os::write_all(place.fd, buffer_.view());
  }
  const int history = history_file_.load(std::memory_order_relaxed);
  if (history < 0) return;
  buffer_.clear();
  buffer_.append("\n");  // the history's own thread may be in the middle of a line
  lines_.append(buffer_, record, now_ns);
  os::write_all(history, buffer_.view());
}

/// Returns whether the journal has taken the entry.
bool CrashRecord::send(const log::Record& record, std::int64_t now_ns) noexcept {
  buffer_.clear();
  entries_.append(buffer_, record, now_ns);
  std::string_view batch = buffer_.view();
  return journal_->write_at_once(sinks::next_journal_entry(batch));
}

}  // namespace actord::app
