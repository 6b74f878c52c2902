// SPDX-License-Identifier: Apache-2.0
//
// Lines are written into one buffer, without a tree and without an allocation per record. A record
// without a shape allocates nothing at all, as a crash report requires.
#include "sinks/json_lines.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/utf8.hpp"
#include "log/event_schema.hpp"
#include "sinks/duration_unit.hpp"
#include "sinks/line_text.hpp"

namespace actord::sinks {
namespace {

constexpr std::size_t depth_max = 8;  // in keys with more segments the rest keeps its dots
constexpr std::size_t no_limit = static_cast<std::size_t>(-1);
// Limits for each text, tried in order while the line is too long.
constexpr std::array<std::size_t, 5> text_limits = {no_limit, 4096, 1024, 256, 32};

bool is_of_envelope(std::string_view name) noexcept {
  return std::ranges::any_of(log::envelope_schema(), [&](const log::EventField& member) {
    return member.field->key == name;
  });
}

constexpr std::string_view msg_name = ",\"msg\":";

char* put(char* to, std::string_view text) noexcept { return to + text.copy(to, text.size()); }

void append_attribute(std::string& to, std::string_view key, std::string_view text) {
  if (text.empty()) return;
  LineBuffer escaped;
  escaped.end_at(put_json_escaped(escaped.reserve(json_escape_max * text.size()), text));
  to.append(",\"").append(key).append("\":\"").append(escaped.view()).append("\"");
}

}  // namespace

JsonLines::JsonLines(const JsonEnvelope& envelope)
    : pid_(",\"pid\":" + std::to_string(envelope.pid)) {
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const std::string_view name = log::level_name(static_cast<log::Level>(i));
    levels_[i] = Literal("\",\"level\":\"" + std::string(name) + "\",\"event\":");
  }
  std::string common;
  append_attribute(common, "boot", envelope.boot);
  append_attribute(common, "system", envelope.system);
  append_attribute(common, "schema", log::schema_name);
  common_ = Literal(common);
  identity_ = LineBuffer(2 * LineBuffer::slack + pid_.size() + number_max + common_.size());
}

/// The members "pid", "tid", "boot", "system" and "schema" for that thread.
std::string_view JsonLines::identity_of(std::uint32_t thread_id) {
  if (identity_.size() == 0 || thread_id != identity_thread_id_) [[unlikely]] {
    identity_thread_id_ = thread_id;
    identity_.clear();
    identity_.append(pid_.view());
    if (thread_id != 0) {
      identity_.append(",\"tid\":");
      identity_.end_at(put_natural(identity_.reserve(number_max), thread_id));
    }
    identity_.append(common_.view());
  }
  return identity_.view();
}

void JsonLines::append(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) {
  const std::size_t start = out.size();
  const JsonSkeleton* const skeleton = record.shape.empty() ? nullptr : &skeleton_of(record);
  is_cut_ = record.truncated;
  for (std::size_t limit : text_limits) {
    text_limit_ = limit;
    append_head(out, record, skeleton, wall_ns);
    if (skeleton != nullptr) append_values(out, record, *skeleton);
    else append_fields(out, record.fields);
    append_end(out);
    if (out.size() - start <= line_max) [[likely]]
      return;
    out.rewind(start);
    is_cut_ = true;
  }
  append_head(out, record, skeleton, wall_ns);
  append_end(out);
}

/// Appends everything before the fields.
void JsonLines::append_head(LineBuffer& out, const log::Record& record,
                            const JsonSkeleton* skeleton, std::int64_t wall_ns) {
  constexpr std::size_t fixed = 256;  // the names, the time, the numbers
  const std::size_t event =
      skeleton != nullptr ? skeleton->head_size : text_bytes_max(record.event);
  const std::string_view identity = identity_of(record.thread_id);
  char* to = out.reserve(fixed + identity.size() + event + text_bytes_max(record.msg));
  to = put(to, "{\"ts\":\"");
  to = utc_.put(to, wall_ns);
  to = levels_[static_cast<std::size_t>(record.level) % levels_.size()].put(to);
  if (skeleton != nullptr) {
    to = skeleton->text.put(to, 0, skeleton->head_size);
  } else {
    to = put_text(to, record.event);
    to = put(to, msg_name);
  }
  to = put_text(to, record.msg);
  to = put(to, ",\"seq\":");
  to = put_natural(to, record.seq);
  out.end_at(put(to, identity));
}

void JsonLines::append_end(LineBuffer& out) {
  if (is_cut_) [[unlikely]]
    out.append(",\"truncated\":true");
  out.append("}\n");
}

// ---- fields by their shape ----------------------------------------------------------------------

const JsonSkeleton& JsonLines::skeleton_of(const log::Record& record) {
  std::unique_ptr<JsonSkeleton>& entry = skeletons_.entry(record.shape);
  if (entry == nullptr || entry->shape != record.shape) [[unlikely]]
    entry = make_skeleton(record);
  return *entry;
}

std::unique_ptr<JsonSkeleton> JsonLines::make_skeleton(const log::Record& record) {
  auto skeleton = std::make_unique<JsonSkeleton>();
  LineBuffer text;
  text_limit_ = no_limit;
  text.end_at(put_text(text.reserve(text_bytes_max(record.event)), record.event));
  text.append(msg_name);
  skeleton->head_size = static_cast<std::uint32_t>(text.size());
  slots_ = &skeleton->slots;
  append_fields(text, record.fields);
  slots_ = nullptr;
  skeleton->text = Literal(text.view());
  skeleton->shape = record.shape;
  return skeleton;
}

void JsonLines::append_values(LineBuffer& out, const log::Record& record,
                              const JsonSkeleton& skeleton) {
  std::size_t bytes_max = skeleton.text.size();
  for (const log::Field& field : record.fields) bytes_max += value_bytes_max(field.value);
  char* to = out.reserve(bytes_max);
  std::size_t at = skeleton.head_size;
  for (const JsonSlot& slot : skeleton.slots) {
    to = skeleton.text.put(to, at, slot.at);
    to = put_value(to, record.fields[slot.field].value, slot.unit_ns);
    at = slot.at;
  }
  out.end_at(skeleton.text.put(to, at, skeleton.text.size()));
}

// ---- fields one by one --------------------------------------------------------------------------

void JsonLines::append_fields(LineBuffer& out, std::span<const log::Field> fields) {
  std::array<Member, log::record_fields_max> members;
  const std::size_t n = std::min(fields.size(), members.size());
  std::size_t count = 0;
  n_misfits_ = 0;
  first_field_ = fields.data();
  for (const log::Field& field : fields.first(n)) {
    const Member member = member_of(field, field.key, 1);
    if (is_of_envelope(member.name())) {
      misfits_[n_misfits_++] = &field;
    } else {
      members[count++] = member;
    }
  }
  if (count != 0) {
    const std::size_t before = out.size();
    out.append(',');
    append_members(out, std::span(members).first(count), 1, false);
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

/// Whether the members of one level are the items of an array: their names are 0, 1, 2, … in this
/// order, where a later member may belong to an earlier item. The unit of a duration is part of its
/// name, so a duration is no item.
bool JsonLines::are_items(std::span<const Member> members) noexcept {
  std::size_t n_items = 0;
  for (const Member& member : members) {
    const std::string_view name = member.name();
    const bool is_duration = member.field->value.kind() == log::Value::Kind::duration;
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
    if (error != std::errc{} || end != name.data() + name.size()) return false;
    if ((name.size() > 1 && name.front() == '0') || index > n_items) return false;
    if (is_duration && !member.is_object()) return false;
    if (index == n_items) ++n_items;
  }
  return true;
}

/// Appends the members of one object or the items of one array, with commas between them. If two
/// members have one name, the first is kept and others are misfits; objects of one name are joined.
void JsonLines::append_members(LineBuffer& out, std::span<Member> members, std::size_t depth,
                               bool is_array) {
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
      if (!is_array) append_name(out, member.name());
      append_object(out, members, i, depth);
    } else if (is_array) {
      append_value(out, *member.field, 1);
    } else {
      append_member(out, member.name(), *member.field);
    }
  }
}

/// Appends the object or array of member `first`, joined with all later members that belong to it.
void JsonLines::append_object(LineBuffer& out, std::span<Member> members, std::size_t first,
                              std::size_t depth) {
  std::array<Member, log::record_fields_max> inner_members;
  std::size_t count = 0;
  const std::string_view name = members[first].name();
  for (Member& member : members.subspan(first)) {
    if (member.field == nullptr || !member.is_object() || member.name() != name) continue;
    inner_members[count++] =
        member_of(*member.field, member.rest().substr(name.size() + 1), depth + 1);
    member.field = nullptr;
  }
  const auto inner = std::span(inner_members).first(count);
  const bool is_array = are_items(inner);
  out.append(is_array ? '[' : '{');
  append_members(out, inner, depth + 1, is_array);
  out.append(is_array ? ']' : '}');
}

/// Appends "fields": the misfits under their complete keys; of two equal keys the first.
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
    append_member(out, key, *misfits[i]);
  }
  out.append('}');
}

/// Appends a quoted name with its colon. `suffix` belongs to the name and needs no escapes.
void JsonLines::append_name(LineBuffer& out, std::string_view name, std::string_view suffix) {
  constexpr std::string_view end = "\":";
  char* to = out.reserve(1 + json_escape_max * name.size() + suffix.size() + end.size());
  *to = '"';
  to = put(put_json_escaped(to + 1, name), suffix);
  out.end_at(put(to, end));
}

void JsonLines::append_member(LineBuffer& out, std::string_view name, const log::Field& field) {
  const DurationUnit* unit = nullptr;
  std::string_view suffix;
  if (field.value.kind() == log::Value::Kind::duration) {
    unit = duration_unit_of(name);
    if (unit == nullptr) {
      unit = &duration_units.front();
      suffix = unit->suffix;
    }
  }
  append_name(out, name, suffix);
  append_value(out, field, unit == nullptr ? 1 : unit->ns);
}

void JsonLines::append_value(LineBuffer& out, const log::Field& field, std::int64_t unit_ns) {
  if (slots_ != nullptr) {
    slots_->push_back({static_cast<std::uint32_t>(out.size()),
                       static_cast<std::uint32_t>(&field - first_field_), unit_ns});
  } else {
    out.end_at(put_value(out.reserve(value_bytes_max(field.value)), field.value, unit_ns));
  }
}

// ---- values -------------------------------------------------------------------------------------

std::size_t JsonLines::text_bytes_max(std::string_view text) const noexcept {
  constexpr std::size_t around = 8;  // quotation marks, a mark for a cut text, a comma
  return around + json_escape_max * std::min(text.size(), text_limit_);
}

std::size_t JsonLines::value_bytes_max(const log::Value& value) const noexcept {
  if (value.kind() == log::Value::Kind::text) return text_bytes_max(value.text());
  std::size_t bytes_max = number_max;
  if (value.kind() == log::Value::Kind::texts)
    for (std::string_view text : value.texts()) bytes_max += text_bytes_max(text);
  return bytes_max;
}

char* JsonLines::put_value(char* to, const log::Value& value, std::int64_t unit_ns) noexcept {
  switch (value.kind()) {
    case log::Value::Kind::boolean: return put(to, value.boolean() ? "true" : "false");
    case log::Value::Kind::integer: return put_integer(to, value.integer());
    case log::Value::Kind::natural: return put_natural(to, value.natural());
    case log::Value::Kind::text: return put_text(to, value.text());
    case log::Value::Kind::duration: return put_in_unit(to, value.duration_ns(), unit_ns);
    case log::Value::Kind::real:
      if (std::isfinite(value.real())) return put_real(to, value.real());
      return put(to, std::isnan(value.real()) ? "\"NaN\""
                     : value.real() > 0       ? "\"Infinity\""
                                              : "\"-Infinity\"");
    case log::Value::Kind::texts: break;
  }
  char before = '[';
  for (std::string_view text : value.texts()) {
    *to++ = before;
    to = put_text(to, text);
    before = ',';
  }
  if (before == '[') *to++ = before;
  *to++ = ']';
  return to;
}

char* JsonLines::put_text(char* to, std::string_view text) noexcept {
  *to++ = '"';
  to = put_json_escaped(to, base::utf8::clip(text, text_limit_));
  if (text.size() > text_limit_) [[unlikely]] {
    to = put(to, "…");
    is_cut_ = true;
  }
  *to++ = '"';
  return to;
}

}  // namespace actord::sinks
