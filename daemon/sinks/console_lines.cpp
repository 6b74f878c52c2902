// SPDX-License-Identifier: Apache-2.0
//
// Chooses what a line begins with: the actor, what happened, and the decision. No other code
// depends on these texts.
#include "sinks/console_lines.hpp"

#include <algorithm>
#include <array>

#include "sinks/console_value.hpp"
#include "sinks/record_fields.hpp"

namespace actord::sinks {
namespace {

// Only for programs. Operators ask `actorctl` for these values.
constexpr std::array<std::string_view, 8> hidden_keys = {
    "actor.uid",     "actor.worker",  "actor.isolation", "failure.fingerprint",
    "failure.types", "failure.stack", "plugin.build_id", "decision.supervisor"};

// What a sentence about an actor leaves out, too.
constexpr std::array<std::string_view, 7> beside_sentence = {
    "actor.behaviour", "actor.incarnation",   "plugin.name",        "plugin.version",
    "supervisor.path", "supervisor.strategy", "failure.cause.types"};

/// Whether the record is a failure with its cause, which stands for the message.
bool is_failure(const log::Record& record) noexcept {
  return record.event == "actor.failed" && value_of(record, "failure.type") != nullptr;
}

}  // namespace

void ConsoleLines::begin_record(const log::Record& record) {
  fields_ = record.fields;
  taken_.reset();
  for (std::string_view key : hidden_keys) take(key);
}

void ConsoleLines::append_sentence(LineBuffer& out, const log::Record& record) {
  begin_record(record);
  if (record.event.starts_with("actor."))
    for (std::string_view key : beside_sentence) take(key);
  append_styled(out, Style::strong, record.event);
  append_actor_and_message(out, record);
  append_verdict(out);
  if (!is_failure(record)) return append_rest(out, record);
  if (take("decision.denied") != nullptr) out.append(" (restart denied)");
  append_id(out);
}

void ConsoleLines::append(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) {
  begin_record(record);
  append_head(out, record, wall_ns);
  append_actor_and_message(out, record);
  append_verdict(out);
  append_rest(out, record);
  out.append('\n');
}

void ConsoleLines::append_head(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) {
  if (time_ == Time::shown) {
    append_styled(out, Style::dim, local_(wall_ns));
    out.append(' ');
  }
  append_styled(out, style_of(record.level), label_of(record.level));
  out.append(' ');
  append_styled(out, Style::strong, record.event);
}

/// Appends the actor and the message. A failure is shown with its cause instead of the message.
void ConsoleLines::append_actor_and_message(LineBuffer& out, const log::Record& record) {
  if (const std::string_view path = take_text("actor.path"); !path.empty()) {
    out.append(' ');
    append_styled(out, Style::path, path);
  }
  if (!record.msg.empty() && !is_failure(record)) {
    out.append(' ');
    append_console_text(out, record.msg);
  }
  append_failure(out);
}

void ConsoleLines::append_failure(LineBuffer& out) {
  const std::string_view type = take_text("failure.type");
  if (type.empty()) return;
  out.append(' ');
  begin(out, Style::strong);
  append_console_text(out, type);
  end(out);
  if (const std::string_view message = take_text("failure.message"); !message.empty()) {
    out.append(": ");
    append_console_text(out, message);
  }
}

/// "→ restart in 1.5s (rule crawler::RetrievalException, crawler.conf:14)"
void ConsoleLines::append_verdict(LineBuffer& out) {
  const std::string_view directive = take_text("decision.directive");
  if (directive.empty()) return;
  begin(out, Style::verdict);
  out.append(" → ");
  append_console_text(out, directive);
  end(out);
  if (const log::Value* delay = take("restart.delay"); delay != nullptr) {
    out.append(" in ");
    append_console_value(out, *delay);
  }
  const std::string_view rule = take_text("decision.rule");
  const std::string_view origin = take_text("decision.config_origin");
  if (rule.empty() && origin.empty()) return;
  out.append(" (");
  if (!rule.empty()) out.append("rule ");
  append_console_text(out, rule);
  if (!rule.empty() && !origin.empty()) out.append(", ");
  append_console_text(out, origin);
  out.append(')');
}

/// Appends the failure's id, which connects lines.
void ConsoleLines::append_id(LineBuffer& out) {
  if (const log::Value* id = take("failure.id"); id != nullptr) append_pair(out, "id", *id);
}

/// Appends all other fields in their order, the failure's id first.
void ConsoleLines::append_rest(LineBuffer& out, const log::Record& record) {
  append_id(out);
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (i >= taken_.size() || !taken_[i]) append_pair(out, fields_[i].key, fields_[i].value);
  }
  if (record.truncated) append_pair(out, "truncated", true);
}

void ConsoleLines::append_pair(LineBuffer& out, std::string_view key, const log::Value& value) {
  out.append(' ');
  begin(out, Style::dim);
  append_console_text(out, key);
  out.append('=');
  end(out);
  append_console_value(out, value);
}

// ---- helpers ------------------------------------------------------------------------------------

const log::Value* ConsoleLines::take(std::string_view key) {
  const std::size_t n = std::min(fields_.size(), taken_.size());
  for (std::size_t i = 0; i < n; ++i) {
    if (taken_[i] || fields_[i].key != key) continue;
    taken_.set(i);
    return &fields_[i].value;
  }
  return nullptr;
}

std::string_view ConsoleLines::take_text(std::string_view key) {
  const std::size_t n = std::min(fields_.size(), taken_.size());
  for (std::size_t i = 0; i < n; ++i) {
    if (taken_[i] || fields_[i].key != key || fields_[i].value.kind() != log::Value::Kind::text)
      continue;
    taken_.set(i);
    return fields_[i].value.text();
  }
  return {};
}

void ConsoleLines::append_styled(LineBuffer& out, Style style, std::string_view text) {
  begin(out, style);
  append_console_text(out, text);
  end(out);
}

void ConsoleLines::begin(LineBuffer& out, Style style) {
  if (is_coloured_) out.append(begin_of(style));
}

void ConsoleLines::end(LineBuffer& out) {
  if (is_coloured_) out.append(end_of_style);
}

}  // namespace actord::sinks
