// SPDX-License-Identifier: Apache-2.0
#include "testkit/event_check.hpp"

#include <algorithm>

#include "log/event_schema.hpp"

namespace actord::testkit {

namespace {

using log::EventField;
using log::EventSchema;
using log::FieldKind;
using log::FieldSchema;

std::string_view name_of(FieldKind kind) noexcept {
  constexpr std::string_view names[] = {
      "a text",         "a list of texts", "a boolean", "a whole number from 0 on",
      "a whole number", "a duration",      "anything"};
  return names[static_cast<std::size_t>(kind)];
}

bool is_index(std::string_view segment) noexcept {
  return !segment.empty() &&
         std::ranges::all_of(segment, [](char c) { return c >= '0' && c <= '9'; });
}

// Whether a field may have that key, see FieldSchema::key.
bool is_key_of(std::string_view pattern, std::string_view key) noexcept {
  while (true) {
    const std::size_t wanted = pattern.find('.'), given = key.find('.');
    const std::string_view segment = pattern.substr(0, wanted), other = key.substr(0, given);
    if (segment == "*") return true;
    if (segment == "N" ? !is_index(other) : segment != other) return false;
    if (wanted == pattern.npos || given == key.npos) return wanted == given;
    pattern.remove_prefix(wanted + 1);
    key.remove_prefix(given + 1);
  }
}

bool is_of_kind(const log::Value& value, FieldKind kind) noexcept {
  using Kind = log::Value::Kind;
  switch (kind) {
    case FieldKind::text: return value.kind() == Kind::text;
    case FieldKind::texts: return value.kind() == Kind::texts;
    case FieldKind::boolean: return value.kind() == Kind::boolean;
    case FieldKind::duration: return value.kind() == Kind::duration;
    case FieldKind::integer: return value.kind() == Kind::integer || value.kind() == Kind::natural;
    case FieldKind::natural:
      return value.kind() == Kind::natural ||
             (value.kind() == Kind::integer && value.integer() >= 0);
    case FieldKind::anything: break;
  }
  return true;
}

bool has(const log::Record& record, const FieldSchema& field) noexcept {
  return std::ranges::any_of(
      record.fields, [&](const log::Field& given) { return is_key_of(field.key, given.key); });
}

// What is wrong with one field, as the rest of a sentence; empty if nothing is.
std::string problem_of(const EventSchema& event, const log::Field& given) {
  const auto has_its_key = [&](const EventField& each) {
    return is_key_of(each.field->key, given.key);
  };
  const auto of_event = std::ranges::find_if(event.fields, has_its_key);
  const auto of_traces = std::ranges::find_if(log::trace_schema(), has_its_key);
  const bool is_of_event = of_event != event.fields.end();
  if (!is_of_event && of_traces == log::trace_schema().end())
    return event.is_open ? "" : "is not in the table";
  const FieldSchema& field = is_of_event ? *of_event->field : *of_traces->field;
  if (!is_of_kind(given.value, field.kind)) return "is not " + std::string{name_of(field.kind)};
  if (field.words.empty()) return {};
  const std::string_view text = given.value.text();
  if (std::ranges::find(field.words, text) != field.words.end()) return {};
  return "has a word that is not in the table: '" + std::string{text} + "'";
}

// What is wrong with the set of fields.
std::string problem_of(const EventSchema& event, const log::Record& record) {
  for (const EventField& each : event.fields) {
    if (each.is_required && !has(record, *each.field))
      return "has no field " + std::string{each.field->key};
  }
  if (event.one_of.empty()) return {};
  const auto count = std::ranges::count_if(
      event.one_of, [&](const FieldSchema* field) { return has(record, *field); });
  if (count == 1) return {};
  std::string names;
  for (const FieldSchema* const field : event.one_of)
    names.append(names.empty() ? "" : ", ").append(field->key);
  return "has " + std::to_string(count) + " of the fields " + names + ", of which one is needed";
}

// What is wrong with the record, as the rest of a sentence.
std::string problem_of(const log::Record& record) {
  const EventSchema* const event = log::find_event_schema(record.event);
  if (event == nullptr)
    return log::is_reserved_event(record.event) ? "is not in the table of events" : "";
  if (!log::contains(event->levels, record.level))
    return "has a level that is not in the table: " + std::string{log::level_name(record.level)};
  if (record.truncated) return {};
  for (const log::Field& field : record.fields) {
    if (const std::string problem = problem_of(*event, field); !problem.empty())
      return "has a field '" + std::string{field.key} + "' that " + problem;
  }
  return problem_of(*event, record);
}

}  // namespace

std::string departure_from_schema(const log::Record& record) {
  const std::string problem = problem_of(record);
  return problem.empty() ? "" : "the event '" + std::string{record.event} + "' " + problem;
}

}  // namespace actord::testkit
