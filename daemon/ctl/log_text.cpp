// SPDX-License-Identifier: Apache-2.0
#include "ctl/log_text.hpp"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <deque>
#include <ostream>
#include <vector>

#include "base/clock.hpp"
#include "log/event_schema.hpp"
#include "sinks/console_lines.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

/// A record of the log made from its line again. It refers to the line.
class Record {
 public:
  explicit Record(const Json& line) {
    for (const log::Level level :
         {log::Level::error, log::Level::warning, log::Level::info, log::Level::debug}) {
      if (line.value("level", std::string{}) == log::level_name(level)) record_.level = level;
    }
    record_.event = keep(line.value("event", std::string{}));
    record_.msg = keep(line.value("msg", std::string{}));
    schema_ = log::find_event_schema(record_.event);
    for (const auto& [name, value] : line.items()) {
      if (!is_of_envelope(name)) add(name, value);
    }
    record_.fields = fields_;
  }

  const log::Record& record() const noexcept { return record_; }

 private:
  static bool is_of_envelope(std::string_view name) {
    return std::ranges::any_of(log::envelope_schema(), [&](const log::EventField& each) {
      return each.field->key == name;
    });
  }

  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

  /// "restart.delay_ms" is the duration restart.delay, if the event has such a field.
  bool add_duration(std::string_view key, const Json& value) {
    constexpr std::string_view suffix = "_ms";
    if (schema_ == nullptr || !value.is_number() || !key.ends_with(suffix)) return false;
    const std::string_view name = key.substr(0, key.size() - suffix.size());
    const auto found = std::ranges::find_if(schema_->fields, [&](const log::EventField& each) {
      return each.field->key == name && each.field->kind == log::FieldKind::duration;
    });
    if (found == schema_->fields.end()) return false;
    fields_.push_back({found->field->key, std::chrono::nanoseconds{static_cast<std::int64_t>(
                                              value.get<double>() * base::ns_per_ms)}});
    return true;
  }

  void add(const std::string& name, const Json& value) {
    const std::string_view key = keep(name);
    if (value.is_object()) {
      for (const auto& [member, each] : value.items()) add(name + '.' + member, each);
    } else if (value.is_array() && std::ranges::all_of(value, &Json::is_string)) {
      std::vector<std::string_view>& list = lists_.emplace_back();
      for (const Json& each : value) list.push_back(keep(each.get<std::string>()));
      fields_.push_back({key, std::span<const std::string_view>(list)});
    } else if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) add(name + '.' + std::to_string(i), value[i]);
    } else if (!add_duration(key, value)) {
      add_simple(key, value);
    }
  }

  void add_simple(std::string_view key, const Json& value) {
    if (value.is_string()) fields_.push_back({key, keep(value.get<std::string>())});
    else if (value.is_boolean()) fields_.push_back({key, value.get<bool>()});
    else if (value.is_number_unsigned()) fields_.push_back({key, value.get<std::uint64_t>()});
    else if (value.is_number_integer()) fields_.push_back({key, value.get<std::int64_t>()});
    else if (value.is_number()) fields_.push_back({key, value.get<double>()});
  }

  const log::EventSchema* schema_ = nullptr;
  std::deque<std::string> texts_;
  std::deque<std::vector<std::string_view>> lists_;
  std::vector<log::Field> fields_;
  log::Record record_;
};

/// ns since 1970 of "2024-05-01T10:32:01.123456Z"; 0 if it is no such time.
std::int64_t wall_ns_of(const Json& line) {
  const std::string ts = line.value("ts", std::string{});
  std::tm parts{};
  const char* const rest = ::strptime(ts.c_str(), "%Y-%m-%dT%H:%M:%S.", &parts);
  unsigned micros = 0;
  if (rest == nullptr || std::from_chars(rest, ts.data() + ts.size(), micros).ec != std::errc{})
    return 0;
  return ::timegm(&parts) * base::ns_per_s + micros * 1000LL;
}

std::string local_text(std::int64_t wall_ns, const char* form) {
  const std::time_t seconds = wall_ns / base::ns_per_s;
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  char text[64];
  return {text, std::strftime(text, sizeof text, form, &parts)};
}

/// The milliseconds of the second, in three digits.
std::string millis_text(std::int64_t wall_ns) {
  return std::to_string(wall_ns / base::ns_per_ms % 1000 + 1000).substr(1);
}

std::string date_of(std::int64_t wall_ns) { return local_text(wall_ns, "%Y-%m-%d"); }

}  // namespace

std::uint64_t wall_ms(const Json& line) {
  return static_cast<std::uint64_t>(wall_ns_of(line) / base::ns_per_ms);
}

std::uint64_t wall_us(const Json& line) {
  return static_cast<std::uint64_t>(wall_ns_of(line) / 1000);
}

std::string local_time(const Json& line) {
  const std::int64_t wall_ns = wall_ns_of(line);
  return local_text(wall_ns, "%Y-%m-%d %H:%M:%S.") + millis_text(wall_ns);
}

namespace {

Colour colour_of(log::Level level) noexcept {
  switch (level) {
    case log::Level::error: return Colour::red;
    case log::Level::warning: return Colour::yellow;
    case log::Level::debug: return Colour::dim;
    case log::Level::info: break;
  }
  return Colour::none;
}

}  // namespace

void LogText::print(const Json& line) {
  const std::int64_t wall_ns = wall_ns_of(line);
  std::string date = date_of(wall_ns);
  const std::string before = date_.empty() ? date_of(std::time(nullptr) * base::ns_per_s) : date_;
  if (date != before) out_ << "---- " << date << " ----\n";
  date_ = std::move(date);
  const Record made(line);
  sinks::LineBuffer sentence(1024);
  sinks::ConsoleLines(false).append_sentence(sentence, made.record());
  out_ << local_text(wall_ns, "%H:%M:%S.") << millis_text(wall_ns) << ' ';
  const log::Level level = made.record().level;
  print_in(colour_of(level), sinks::label_of(level), out_, terminal_);
  out_ << ' ' << sentence.view() << '\n';
}

}  // namespace actord::ctl
