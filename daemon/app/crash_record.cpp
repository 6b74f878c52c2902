// SPDX-License-Identifier: Apache-2.0
#include "app/crash_record.hpp"

#include <unistd.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "app/site_fields.hpp"
#include "base/clock.hpp"
#include "loader/plugin_code.hpp"
#include "log/log_record.hpp"
#include "os/files.hpp"
#include "os/process.hpp"
#include "sinks/console_style.hpp"
#include "sinks/journal_priority.hpp"
#include "sinks/journal_stream.hpp"
#include "sinks/line_text.hpp"
#include "sinks/terminal.hpp"
#include "sinks/wall_time.hpp"

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

/// Whether the thread runs code of a plugin that ends with actord.
bool is_ending() noexcept {
  const loader::PluginCode::Running* const code = loader::PluginCode::run_by(os::thread_id());
  return code != nullptr && code->phase != loader::PluginCode::Phase::load;
}

std::string_view message_for(const os::Crash& crash,
                             const loader::PluginCode::Running* code) noexcept {
  using Phase = loader::PluginCode::Phase;
  if (crash.is_hang) return "actord was ended because a handler does not return";
  if (code != nullptr && code->phase == Phase::load)
    return "actord has crashed in a plugin it loads";
  if (code != nullptr && code->phase == Phase::detach)
    return "actord has crashed in a plugin it detaches";
  return "actord has crashed";
}

void append_number(sinks::LineBuffer& to, std::int64_t number) noexcept {
  to.end_at(sinks::put_integer(to.reserve(sinks::number_max), number));
}

void append_hex(sinks::LineBuffer& to, std::span<const unsigned char> bytes) noexcept {
  for (const unsigned char byte : bytes) {
    to.append("0123456789abcdef"[byte >> 4]);
    to.append("0123456789abcdef"[byte & 15]);
  }
}

}  // namespace

CrashRecord::CrashRecord(const sinks::LogWriterOptions& log, sinks::Output output)
    : started_ns_(base::monotonic_ns()),
      executable_(os::real_path(os::own_executable)),
      lines_(sinks::envelope_of(log)),
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
  os::CallStack::prepare();
  os::report_crashes(this);
  os::use_crash_stack();
}

CrashRecord::~CrashRecord() { os::report_crashes(nullptr); }

// To take the stack may crash itself, if the thread's stack is damaged. So what is known without it
// is kept before.
void CrashRecord::report(const os::Crash& crash) noexcept {
  const std::int64_t now_ns = sinks::system_clock_ns();
  std::array<log::Field, 11> fields;
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
  record.msg = message_for(crash, code);
  record.thread_id = static_cast<std::uint32_t>(crash.thread_id);
  record.fields = std::span(fields).first(n);
  if (!std::exchange(has_kept_, true)) keep(record, {crash.is_own, crash.is_hang}, now_ns);
  if (!crash.is_second) {
    take_stack(crash.program_counter);
    add("stack", std::span<const std::string_view>(texts_).first(n_texts_));
    record.fields = std::span(fields).first(n);
    keep(record, {crash.is_own, crash.is_hang}, now_ns);
  }
  write(record, now_ns);
}

void CrashRecord::keep_exit(log::Record record) {
  take_stack(nullptr);
  std::vector<log::Field> fields(record.fields.begin(), record.fields.end());
  fields.push_back({"stack", std::span<const std::string_view>(texts_).first(n_texts_)});
  record.fields = fields;

  keep(record, {}, sinks::system_clock_ns());
}

void CrashRecord::take_stack(const void* program_counter) noexcept {
  stack_.capture(program_counter);
  std::size_t used = 0;
  const auto put = [&](std::string_view text) {
    const std::size_t n = std::min(text.size(), stack_text_.size() - used);
    std::copy_n(text.data(), n, stack_text_.data() + used);
    used += n;
  };
  n_texts_ = 0;
  for (std::size_t i = 0; i < stack_.size() && i < texts_.size(); ++i) {
    const std::size_t begin = used;
    const auto place = stack_.place(i);
    if (!place) {
      put("?");
    } else {
      put(*place->file != '\0' ? std::string_view(place->file) : executable_);
      put("+");
      put(Hex(place->offset).view());
    }
    texts_[n_texts_++] = {stack_text_.data() + begin, used - begin};
  }
}

void CrashRecord::keep(const log::Record& record, Cause cause, std::int64_t now_ns) noexcept {
  const int file = kept_file_.load(std::memory_order_relaxed);
  if (file < 0) return;
  buffer_.clear();
  lines_.append(buffer_, record, now_ns);
  buffer_.append(R"({"wall_ns":)");
  append_number(buffer_, now_ns);
  buffer_.append(R"(,"uptime_ns":)");
  append_number(buffer_, base::monotonic_ns() - started_ns_);
  buffer_.append(R"(,"version":")" ACTORD_VERSION R"(")");
  const auto flag = [&](std::string_view name, bool value) {
    buffer_.append(name);
    buffer_.append(value ? "true" : "false");
  };
  flag(R"(,"is_ending":)", is_ending());
  flag(R"(,"is_own":)", cause.is_own);
  flag(R"(,"is_hang":)", cause.is_hang);
  buffer_.append(R"(,"build_ids":[)");
  for (std::size_t i = 0; i < n_texts_; ++i) {
    const auto place = stack_.place(i);
    buffer_.append(i == 0 ? "\"" : ",\"");
    if (place) append_hex(buffer_, place->build_id);
    buffer_.append('"');
  }
  buffer_.append("]}\n");
  static_cast<void>(os::write_at_start(file, buffer_.view()));
}

void CrashRecord::write(const log::Record& record, std::int64_t now_ns) noexcept {
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
