// SPDX-License-Identifier: Apache-2.0
#include "sinks/log_history.hpp"

#include <algorithm>
#include <new>
#include <ranges>
#include <utility>

namespace actord::sinks {

namespace {

// What a line takes up besides its text.
constexpr std::size_t line_overhead = sizeof(LogHistory::Line) + 16;

bool is_event(const log::Record& record) noexcept {
  return (record.kind == log::Class::lifecycle || record.kind == log::Class::failure) &&
         record.level <= log::Level::info;
}

}  // namespace

void LogHistory::Ring::append(Line line) {
  const std::size_t size = line.text.size() + line_overhead;
  lines.push_back(std::move(line));
  bytes += size;
  while (bytes > bytes_max) drop_oldest();
}

void LogHistory::Ring::drop_oldest() {
  bytes -= lines.front().text.size() + line_overhead;
  lines.pop_front();
}

LogHistory::LogHistory(const JsonEnvelope& envelope, std::size_t bytes)
    : format_(envelope), scratch_(JsonLines::line_max) {
  events_.bytes_max = bytes;
  others_.bytes_max = bytes / 8;
}

void LogHistory::add(const log::Record& record, std::int64_t wall_ns) noexcept try {
  scratch_.clear();
  format_.append(scratch_, record, wall_ns);
  std::string_view text = scratch_.view();
  text.remove_suffix(1);  // the newline
  std::string kept(text);
  const bool is_of_events = is_event(record);
  {
    const std::lock_guard lock(mutex_);
    (is_of_events ? events_ : others_).append({++last_number_, std::move(kept)});
  }
  if (is_of_events) changed_.notify_all();
} catch (const std::bad_alloc&) {}

std::uint64_t LogHistory::load(std::vector<std::string> texts) {
  const std::lock_guard lock(mutex_);
  std::uint64_t number = first_number;
  for (std::string& text : texts | std::views::reverse) {
    const std::size_t size = text.size() + line_overhead;
    if (events_.bytes + size > events_.bytes_max) break;
    events_.lines.push_front({--number, std::move(text)});
    events_.bytes += size;
  }
  return first_number - 1;
}

std::vector<LogHistory::Line> LogHistory::lines_after(std::uint64_t after, Part part,
                                                      std::size_t bytes) const {
  std::vector<Line> found;
  const std::lock_guard lock(mutex_);
  const auto begin_of = [&](const Ring& ring) {
    return std::ranges::upper_bound(ring.lines, after, {}, &Line::number);
  };
  auto event = begin_of(events_);
  auto other = part == Part::all ? begin_of(others_) : others_.lines.end();
  for (std::size_t taken = 0; taken < bytes;) {
    const bool has_event = event != events_.lines.end(), has_other = other != others_.lines.end();
    if (!has_event && !has_other) break;
    const bool is_event_next = has_event && (!has_other || event->number < other->number);
    found.push_back(is_event_next ? *event++ : *other++);
    taken += found.back().text.size();
  }
  return found;
}

std::uint64_t LogHistory::last_number() const {
  const std::lock_guard lock(mutex_);
  return last_number_;
}

bool LogHistory::wait_for_event(std::uint64_t after, std::chrono::milliseconds at_most) {
  std::unique_lock lock(mutex_);
  const auto has_event = [&] {
    return !events_.lines.empty() && events_.lines.back().number > after;
  };
  changed_.wait_for(lock, at_most, [&] { return is_interrupted_ || has_event(); });
  return has_event();
}

bool LogHistory::wait_for_event_named(std::string_view name, std::chrono::milliseconds at_most) {
  const std::string member = "\"event\":\"" + std::string{name} + '"';
  std::unique_lock lock(mutex_);
  const auto has_event = [&] {
    return std::ranges::any_of(events_.lines, [&](const Line& line) {
      return line.number >= first_number && line.text.find(member) != line.text.npos;
    });
  };
  changed_.wait_for(lock, at_most, [&] { return is_interrupted_ || has_event(); });
  return has_event();
}

void LogHistory::pause(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, time, [&] { return is_interrupted_; });
}

void LogHistory::interrupt() {
  {
    const std::lock_guard lock(mutex_);
    is_interrupted_ = true;
  }
  changed_.notify_all();
}

}  // namespace actord::sinks
