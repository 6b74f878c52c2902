// SPDX-License-Identifier: Apache-2.0
#include "sinks/journal_entries.hpp"

#include <algorithm>
#include <cmath>

#include "log/event_schema.hpp"
#include "sinks/duration_unit.hpp"
#include "sinks/journal_priority.hpp"
#include "sinks/line_text.hpp"
#include "sinks/sized_text.hpp"

namespace actord::sinks {
namespace {

/// Appends `NAME=value`; what `write` appends is the value, of which it is known that it has no
/// line break.
template <class Write>
void append_plain(LineBuffer& out, std::string_view name, Write write) {
  out.append(name);
  out.append('=');
  write();
  out.append('\n');
}

void append_text(LineBuffer& out, std::string_view name, std::string_view text) {
  if (text.find('\n') == text.npos)
    return append_plain(out, name, [&] { append_valid_utf8(out, text); });
  out.append(name);
  out.append('\n');
  const std::size_t begin = begin_sized(out);
  append_valid_utf8(out, text);
  end_sized(out, begin);
  out.append('\n');
}

void append_natural(LineBuffer& out, std::string_view name, std::uint64_t value) {
  append_plain(out, name, [&] { out.end_at(put_natural(out.reserve(number_max), value)); });
}

std::vector<JournalName> envelope_names() {
  std::vector<JournalName> names;
  for (const log::EventField& member : log::envelope_schema())
    names.push_back(journal_name(member.field->key));
  return names;
}

/// Whether another key owns that name.
bool is_short_name_of_other(const JournalName& name, std::string_view key) noexcept {
  return std::ranges::any_of(short_journal_names, [&](const ShortJournalName& each) {
    return each.name == name.view() && each.key != key;
  });
}

std::string common_fields(const JsonEnvelope& envelope) {
  LineBuffer out;
  // 3 is "daemon", the facility of the lines that the journal reads from a service.
  out.append("SYSLOG_IDENTIFIER=actord\nSYSLOG_FACILITY=3\n");
  append_natural(out, "ACTORD_PID", static_cast<std::uint64_t>(envelope.pid));
  if (!envelope.boot.empty()) append_text(out, "ACTORD_BOOT", envelope.boot);
  if (!envelope.system.empty()) append_text(out, "ACTORD_SYSTEM", envelope.system);
  append_text(out, "ACTORD_SCHEMA", log::schema_name);
  return std::string(out.view());
}

}  // namespace

JournalEntries::JournalEntries(const JsonEnvelope& envelope)
    : common_(common_fields(envelope)), envelope_(envelope_names()) {}

void JournalEntries::append(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) {
  const std::size_t begin = begin_sized(out);
  append_head(out, record);
  append_envelope(out, record, wall_ns);
  n_names_ = 0;
  for (const log::Field& field : record.fields.first(std::min(record.fields.size(), names_.size())))
    append_field(out, field);
  end_sized(out, begin);
}

/// Appends the fields that the journal itself and its readers know.
void JournalEntries::append_head(LineBuffer& out, const log::Record& record) {
  append_plain(out, "MESSAGE", [&] { console_.append_sentence(out, record); });
  append_plain(out, "PRIORITY", [&] { out.append(journal_priority(record)); });
  const bool is_actords = log::is_reserved_event(record.event);
  const log::EventSchema* const schema =
      is_actords ? log::find_event_schema(record.event) : nullptr;
  if (schema != nullptr) append_text(out, "MESSAGE_ID", schema->id);
}

/// Appends the members that every JSON line has.
void JournalEntries::append_envelope(LineBuffer& out, const log::Record& record,
                                     std::int64_t wall_ns) {
  append_plain(out, "ACTORD_TS",
               [&] { out.end_at(utc_.put(out.reserve(UtcText::size), wall_ns)); });
  append_text(out, "ACTORD_LEVEL", log::level_name(record.level));
  append_text(out, "ACTORD_EVENT", record.event);
  append_text(out, "ACTORD_MSG", record.msg);
  append_natural(out, "ACTORD_SEQ", record.seq);
  out.append(common_);
  if (record.thread_id != 0) append_natural(out, "ACTORD_TID", record.thread_id);
  if (record.truncated) append_text(out, "ACTORD_TRUNCATED", "true");
}

void JournalEntries::append_field(LineBuffer& out, const log::Field& field) {
  const DurationUnit* unit = nullptr;
  std::string_view suffix;
  if (field.value.kind() == log::Value::Kind::duration) {
    unit = duration_unit_of(field.key);
    if (unit == nullptr) {
      unit = &duration_units.front();
      suffix = unit->suffix;
    }
  }
  append_value(out, name_for(field.key, suffix), field.value, unit == nullptr ? 1 : unit->ns);
}

/// The name for the next field of the record. Two fields may share a name only if the name for
/// misfits is taken, too; the journal then has both values.
const JournalName& JournalEntries::name_for(std::string_view key, std::string_view suffix) {
  const auto written = std::span(names_).first(n_names_);
  JournalName& name = names_[n_names_++];
  name = journal_name(key, suffix);
  const bool is_taken = std::ranges::find(envelope_, name) != envelope_.end() ||
                        std::ranges::find(written, name) != written.end() ||
                        is_short_name_of_other(name, key);
  if (is_taken) name = journal_misfit_name(key, suffix);
  return name;
}

void JournalEntries::append_value(LineBuffer& out, const JournalName& name, const log::Value& value,
                                  std::int64_t unit_ns) {
  const auto number = [&](auto put) {
    append_plain(out, name.view(), [&] { out.end_at(put(out.reserve(number_max))); });
  };
  switch (value.kind()) {
    case log::Value::Kind::boolean:
      return append_text(out, name.view(), value.boolean() ? "true" : "false");
    case log::Value::Kind::integer:
      return number([&](char* to) { return put_integer(to, value.integer()); });
    case log::Value::Kind::natural: return append_natural(out, name.view(), value.natural());
    case log::Value::Kind::duration:
      return number([&](char* to) { return put_in_unit(to, value.duration_ns(), unit_ns); });
    case log::Value::Kind::text: return append_text(out, name.view(), value.text());
    case log::Value::Kind::real:
      if (std::isfinite(value.real()))
        return number([&](char* to) { return put_real(to, value.real()); });
      return append_text(out, name.view(),
                         std::isnan(value.real()) ? "NaN"
                         : value.real() > 0       ? "Infinity"
                                                  : "-Infinity");
    case log::Value::Kind::texts: break;
  }
  if (value.texts().empty()) append_text(out, name.view(), {});
  for (const std::string_view text : value.texts()) append_text(out, name.view(), text);
}

std::string_view next_journal_entry(std::string_view& batch) noexcept { return next_sized(batch); }

}  // namespace actord::sinks
