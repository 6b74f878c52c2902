// SPDX-License-Identifier: Apache-2.0
//
// Written by hand into one buffer: no tree, no allocation per record.
#include "sinks/json_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinks/line_text.hpp"

namespace actord::sinks {
namespace {

constexpr std::size_t depth_max = 8;  // deeper keys keep their dots
constexpr std::size_t no_limit = static_cast<std::size_t>(-1);
// Tried in turn while the line is too long.
constexpr std::array<std::size_t, 5> text_limits = {no_limit, 4096, 1024, 256, 32};

constexpr std::array<std::string_view, 13> envelope_keys = {
    "ts",   "level",  "event", "msg",    "seq",       "pid",   "tid",
    "boot", "system", "node",  "schema", "truncated", "fields"};

struct Unit {
  std::string_view suffix;
  std::int64_t ns;
};
constexpr std::array<Unit, 4> units = {
    {{"_ms", 1'000'000}, {"_us", 1'000}, {"_ns", 1}, {"_s", 1'000'000'000}}};

/// The unit that the end of a name tells, or nullptr.
const Unit* unit_of(std::string_view name) noexcept {
  const auto* found =
      std::ranges::find_if(units, [&](const Unit& unit) { return name.ends_with(unit.suffix); });
  return found == units.end() ? nullptr : found;
}

void append_attribute(std::string& to, std::string_view key, std::string_view text) {
  if (text.empty()) return;
  LineBuffer escaped;
  append_json_escaped(escaped, text);
  to.append(",\"").append(key).append("\":\"").append(escaped.view()).append("\"");
}

}  // namespace

JsonLines::JsonLines(const JsonEnvelope& envelope)
    : pid_(",\"pid\":" + std::to_string(envelope.pid)) {
  append_attribute(common_, "boot", envelope.boot);
  append_attribute(common_, "system", envelope.system);
  append_attribute(common_, "schema", "actord.log/1");
}

void JsonLines::append(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) {
  const std::size_t start = out.size();
  is_cut_ = record.truncated;
  for (std::size_t limit : text_limits) {
    text_limit_ = limit;
    append_line(out, record, wall_ns, true);
    if (out.size() - start <= line_max) [[likely]]
      return;
    out.rewind(start);
    is_cut_ = true;
  }
  append_line(out, record, wall_ns, false);
}

void JsonLines::append_line(LineBuffer& out, const log::Record& record, std::int64_t wall_ns,
                            bool with_fields) {
  out.append("{\"ts\":\"");
  out.append(utc_(wall_ns));
  out.append("\",\"level\":\"");
  out.append(log::level_name(record.level));
  out.append("\",\"event\":");
  append_text(out, record.event);
  out.append(",\"msg\":");
  append_text(out, record.msg);
  out.append(",\"seq\":");
  append_natural(out, record.seq);
  out.append(pid_);
  if (record.thread_id != 0) {
    out.append(",\"tid\":");
    append_natural(out, record.thread_id);
  }
  out.append(common_);
  if (with_fields) append_fields(out, record.fields);
  if (is_cut_) [[unlikely]]
    out.append(",\"truncated\":true");
  out.append("}\n");
}

// ---- fields -------------------------------------------------------------------------------------

void JsonLines::append_fields(LineBuffer& out, std::span<const log::Field> fields) {
  std::array<Member, log::record_fields_max> members;
  const std::size_t n = std::min(fields.size(), members.size());
  std::size_t count = 0;
  n_misfits_ = 0;
  for (const log::Field& field : fields.first(n)) {
    const Member member = member_of(field, field.key, 1);
    if (std::ranges::find(envelope_keys, member.name()) != envelope_keys.end()) {
      misfits_[n_misfits_++] = &field;
    } else {
      members[count++] = member;
    }
  }
  if (count != 0) {
    const std::size_t before = out.size();
    out.append(',');
    append_members(out, std::span(members).first(count), 1);
    if (out.size() == before + 1) out.rewind(before);
  }
  append_misfits(out);
}

JsonLines::Member JsonLines::member_of(const log::Field& field, std::string_view rest,
                                       std::size_t depth) noexcept {
  const std::size_t dot = depth <= depth_max ? rest.find('.') : std::string_view::npos;
  const std::size_t name = std::min(dot, rest.size());
  return {&field, rest.data(), static_cast<std::uint32_t>(rest.size()),
          static_cast<std::uint32_t>(name)};
}

/// The members of one object, commas between them. The first of a name takes it: others are
/// misfits, unless they and the first are objects, which become one.
void JsonLines::append_members(LineBuffer& out, std::span<Member> members, std::size_t depth) {
  bool is_first = true;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Member& member = members[i];
    if (member.field == nullptr) continue;
    const auto earlier = members.first(i);
    if (std::ranges::any_of(earlier,
                            [&](const Member& other) { return other.name() == member.name(); })) {
      misfits_[n_misfits_++] = member.field;
      continue;
    }
    if (!is_first) out.append(',');
    is_first = false;
    if (member.is_object()) {
      append_object(out, members, i, depth);
    } else {
      append_member(out, member.name(), member.field->value);
    }
  }
}

/// The object that member `first` begins, with all later members that belong to it.
void JsonLines::append_object(LineBuffer& out, std::span<Member> members, std::size_t first,
                              std::size_t depth) {
  std::array<Member, log::record_fields_max> inner;
  std::size_t count = 0;
  const std::string_view name = members[first].name();
  for (Member& member : members.subspan(first)) {
    if (member.field == nullptr || !member.is_object() || member.name() != name) continue;
    inner[count++] = member_of(*member.field, member.rest().substr(name.size() + 1), depth + 1);
    member.field = nullptr;
  }
  out.append('"');
  append_json_escaped(out, name);
  out.append("\":{");
  append_members(out, std::span(inner).first(count), depth + 1);
  out.append('}');
}

/// "fields": what found no place, under its whole key; of two equal keys the first.
void JsonLines::append_misfits(LineBuffer& out) {
  if (n_misfits_ == 0) [[likely]]
    return;
  const auto misfits = std::span(misfits_).first(n_misfits_);
  out.append(",\"fields\":{");
  for (std::size_t i = 0; i < misfits.size(); ++i) {
    const std::string_view key = misfits[i]->key;
    const auto earlier = misfits.first(i);
    if (std::ranges::any_of(earlier, [&](const log::Field* other) { return other->key == key; }))
      continue;
    if (i != 0) out.append(',');
    append_member(out, key, misfits[i]->value);
  }
  out.append('}');
}

// ---- values -------------------------------------------------------------------------------------

void JsonLines::append_member(LineBuffer& out, std::string_view name, const log::Value& value) {
  out.append('"');
  append_json_escaped(out, name);
  if (value.kind() != log::Value::Kind::duration) {
    out.append("\":");
    append_value(out, value);
    return;
  }
  const Unit* unit = unit_of(name);
  if (unit == nullptr) {
    unit = &units.front();
    out.append(unit->suffix);
  }
  out.append("\":");
  append_in_unit(out, value.duration_ns(), unit->ns);
}

void JsonLines::append_value(LineBuffer& out, const log::Value& value) {
  switch (value.kind()) {
    case log::Value::Kind::boolean: out.append(value.boolean() ? "true" : "false"); return;
    case log::Value::Kind::integer: append_integer(out, value.integer()); return;
    case log::Value::Kind::natural: append_natural(out, value.natural()); return;
    case log::Value::Kind::text: append_text(out, value.text()); return;
    case log::Value::Kind::duration: append_integer(out, value.duration_ns()); return;
    case log::Value::Kind::real:
      if (std::isfinite(value.real())) {
        append_real(out, value.real());
      } else {
        out.append(std::isnan(value.real()) ? "\"NaN\""
                   : value.real() > 0       ? "\"Infinity\""
                                            : "\"-Infinity\"");
      }
      return;
    case log::Value::Kind::texts: {
      char before = '[';
      for (std::string_view text : value.texts()) {
        out.append(before);
        append_text(out, text);
        before = ',';
      }
      if (before == '[') out.append(before);
      out.append(']');
    }
  }
}

void JsonLines::append_text(LineBuffer& out, std::string_view text) {
  out.append('"');
  append_json_escaped(out, clip_text(text, text_limit_));
  if (text.size() > text_limit_) [[unlikely]] {
    out.append("…");
    is_cut_ = true;
  }
  out.append('"');
}

}  // namespace actord::sinks
