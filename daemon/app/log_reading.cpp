// SPDX-License-Identifier: Apache-2.0
#include "app/log_reading.hpp"

#include <algorithm>
#include <optional>

#include "app/log_levels.hpp"
#include "base/clock.hpp"
#include "base/tree_path.hpp"
#include "sinks/wall_time.hpp"
#include "wire/frame.hpp"

namespace actord::app {

using sinks::LogHistory;
using wire::Json;

namespace {

// What one request looks at, and what its reply may hold: half a frame.
constexpr std::size_t scan_bytes = std::size_t{1} << 20, reply_bytes = wire::text_size_max / 2;
constexpr std::size_t names_max = 32;
constexpr std::uint64_t latest_ms = 253'402'300'799'999;  // the end of the year 9999

/// The text of a member that the line has at its beginning, `ts`, `level` or `event`.
std::string_view head_text(std::string_view line, std::string_view name) {
  const std::string start = '"' + std::string{name} + "\":\"";
  const std::size_t at = line.find(start);
  if (at == line.npos) return {};
  line.remove_prefix(at + start.size());
  return line.substr(0, line.find('"'));
}

/// The line as an object, if it is wanted.
std::optional<Json> wanted(std::string_view line, const LogFilter& filter) {
  const std::string_view ts = head_text(line, "ts");
  if (ts < filter.since || (!filter.until.empty() && ts > filter.until)) return std::nullopt;
  const std::string_view level = head_text(line, "level");
  for (auto each = static_cast<int>(log::Level::debug); each > static_cast<int>(filter.level);
       --each) {
    if (level == log::level_name(static_cast<log::Level>(each))) return std::nullopt;
  }
  if (!filter.has_event(head_text(line, "event"))) return std::nullopt;
  if (line.find(filter.actor) == line.npos) return std::nullopt;
  for (const std::string& id : {filter.failure, filter.trace}) {
    if (!id.empty() && line.find('"' + id + '"') == line.npos) return std::nullopt;
  }
  Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  if (filter.actor.empty()) return json;
  const auto actor = json.find("actor");
  const bool has_path = actor != json.end() && actor->is_object() &&
                        base::is_at_or_below(actor->value("path", std::string{}), filter.actor);
  return has_path ? std::optional(std::move(json)) : std::nullopt;
}

bool read_names(const Json& from, std::vector<std::string>& names) {
  if (!from.is_array() || from.size() > names_max) return false;
  return std::ranges::all_of(from, [&](const Json& each) {
    if (each.is_string()) names.push_back(each.get<std::string>());
    return each.is_string();
  });
}

bool read_text(const Json& from, std::string& text) {
  if (from.is_string()) text = from.get<std::string>();
  return from.is_string();
}

bool read_time(const Json& from, std::string& text) {
  if (!from.is_number_unsigned()) return false;
  const std::uint64_t wall_ms = std::min(from.get<std::uint64_t>(), latest_ms);
  text = sinks::utc_text(static_cast<std::int64_t>(wall_ms) * base::ns_per_ms);
  return true;
}

bool read_level(const Json& from, log::Level& level) {
  const auto named =
      from.is_string() ? LogLevels::level_named(from.get<std::string>()) : std::nullopt;
  level = named.value_or(level);
  return named.has_value();
}

bool read_member(const std::string& name, const Json& value, LogFilter& filter) {
  if (name == "events") return read_names(value, filter.events);
  if (name == "actor") return read_text(value, filter.actor);
  if (name == "failure") return read_text(value, filter.failure);
  if (name == "trace") return read_text(value, filter.trace);
  if (name == "level") return read_level(value, filter.level);
  if (name == "since_ms") return read_time(value, filter.since);
  if (name == "until_ms") return read_time(value, filter.until);
  if (name == "after") {
    if (value.is_number_unsigned()) filter.after = value.get<std::uint64_t>();
    return value.is_number_unsigned();
  }
  if (name != "only_events" || !value.is_boolean()) return false;
  if (value.get<bool>()) filter.part = LogHistory::Part::events;
  return true;
}

}  // namespace

bool LogFilter::has_event(std::string_view name) const noexcept {
  return events.empty() || std::ranges::any_of(events, [&](std::string_view each) {
           if (!each.ends_with('*')) return name == each;
           each.remove_suffix(1);
           return name.starts_with(each);
         });
}

base::Result<LogFilter> read_filter(const Json& arguments) {
  LogFilter filter;
  for (const auto& [name, value] : arguments.items()) {
    if (!read_member(name, value, filter))
      return base::Error{
          "texts \"actor\", \"failure\", \"trace\" and \"level\", at most 32 \"events\", numbers "
          "\"after\", \"since_ms\" and \"until_ms\", and \"only_events\", true or false; not this "
          "\"" +
          name + '"'};
  }
  return filter;
}

Json read_log(const LogHistory& history, const LogFilter& filter) {
  std::uint64_t next = filter.after;
  Json lines = Json::array();
  std::size_t bytes = 0;
  bool is_end = true;
  for (const LogHistory::Line& line : history.lines_after(filter.after, filter.part, scan_bytes)) {
    is_end = false;
    auto json = wanted(line.text, filter);
    if (json && bytes + line.text.size() > reply_bytes) break;
    next = line.number;
    if (!json) continue;
    bytes += line.text.size();
    lines.push_back(*std::move(json));
  }
  return {{"lines", std::move(lines)}, {"next", next}, {"is_end", is_end}};
}

}  // namespace actord::app
