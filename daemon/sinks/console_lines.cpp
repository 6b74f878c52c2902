// SPDX-License-Identifier: Apache-2.0
//
// Chooses what a line begins with: the actor, what happened, and the decision. No other code
// depends on these texts.
#include "sinks/console_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/utf8.hpp"
#include "sinks/line_text.hpp"

namespace actord::sinks {
namespace {

constexpr std::size_t text_max = 4096;
constexpr std::int64_t ns_per_ms = 1'000'000;

// Only for programs. Operators ask `actorctl` for these values.
constexpr std::array<std::string_view, 8> hidden_keys = {
    "actor.uid",     "actor.worker",  "actor.isolation", "failure.fingerprint",
    "failure.types", "failure.stack", "plugin.build_id", "decision.supervisor"};

constexpr std::string_view level_label(log::Level level) noexcept {
  constexpr std::array<std::string_view, 4> labels = {"ERROR", "WARN ", "INFO ", "DEBUG"};
  return labels[static_cast<std::size_t>(level) & 3U];
}

/// Whether the value could be mistaken for other parts of the line and is therefore quoted.
bool needs_quotes(std::string_view text) noexcept {
  return text.empty() || text.find_first_of(" =\"\n\t") != std::string_view::npos;
}

/// Writes 1500000 as "1.5ms" and 90000000000 as "90s", with at most three decimals.
void append_duration(LineBuffer& out, std::int64_t ns) {
  struct Unit {
    std::int64_t ns;
    std::string_view name;
  };
  constexpr std::array<Unit, 3> units = {{{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}}};
  for (const Unit& unit : units) {
    if (std::abs(ns) < unit.ns) continue;
    out.end_at(put_in_unit(out.reserve(number_max), ns - ns % (unit.ns / 1000), unit.ns));
    out.append(unit.name);
    return;
  }
  out.end_at(put_integer(out.reserve(number_max), ns));
  out.append("ns");
}

}  // namespace

void ConsoleLines::append(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) {
  fields_ = record.fields;
  taken_.reset();
  for (std::string_view key : hidden_keys) take(key);
  append_head(out, record, wall_ns);
  append_actor_and_message(out, record);
  append_verdict(out);
  append_rest(out, record);
  out.append('\n');
}

void ConsoleLines::append_head(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) {
  constexpr std::array<Style, 4> styles = {Style::error, Style::warning, Style::info, Style::debug};
  append_styled(out, Style::dim, local_(wall_ns));
  out.append(' ');
  append_styled(out, styles[static_cast<std::size_t>(record.level) & 3U],
                level_label(record.level));
  out.append(' ');
  append_styled(out, Style::strong, record.event);
}

/// Appends the actor and the message. A failure is shown with its cause instead of the message.
void ConsoleLines::append_actor_and_message(LineBuffer& out, const log::Record& record) {
  if (const std::string_view path = take_text("actor.path"); !path.empty()) {
    out.append(' ');
    append_styled(out, Style::path, path);
  }
  const bool is_failure =
      record.event == "actor.failed" && std::ranges::any_of(fields_, [](const log::Field& field) {
        return field.key == "failure.type";
      });
  if (!record.msg.empty() && !is_failure) {
    out.append(' ');
    append_plain(out, record.msg);
  }
  append_failure(out);
}

void ConsoleLines::append_failure(LineBuffer& out) {
  const std::string_view type = take_text("failure.type");
  if (type.empty()) return;
  out.append(' ');
  begin(out, Style::strong);
  append_plain(out, type);
  end(out);
  if (const std::string_view message = take_text("failure.message"); !message.empty()) {
    out.append(": ");
    append_plain(out, message);
  }
}

/// "→ restart in 1.5s (rule crawler::RetrievalException, crawler.conf:14)"
void ConsoleLines::append_verdict(LineBuffer& out) {
  const std::string_view directive = take_text("decision.directive");
  if (directive.empty()) return;
  begin(out, Style::verdict);
  out.append(" → ");
  append_plain(out, directive);
  end(out);
  if (const log::Value* delay = take("restart.delay_ms"); delay != nullptr) {
    out.append(" in ");
    if (delay->kind() == log::Value::Kind::duration) {
      append_duration(out, delay->duration_ns());
    } else if (delay->kind() == log::Value::Kind::integer) {
      append_duration(out, delay->integer() * ns_per_ms);
    } else {
      append_value(out, *delay);
      out.append("ms");
    }
  }
  const std::string_view rule = take_text("decision.rule");
  const std::string_view origin = take_text("decision.config_origin");
  if (rule.empty() && origin.empty()) return;
  out.append(" (");
  if (!rule.empty()) out.append("rule ");
  append_plain(out, rule);
  if (!rule.empty() && !origin.empty()) out.append(", ");
  append_plain(out, origin);
  out.append(')');
}

/// Appends all other fields in their order. The failure's id, which connects lines, comes first.
void ConsoleLines::append_rest(LineBuffer& out, const log::Record& record) {
  if (const log::Value* id = take("failure.id"); id != nullptr) append_pair(out, "id", *id);
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (i >= taken_.size() || !taken_[i]) append_pair(out, fields_[i].key, fields_[i].value);
  }
  if (record.truncated) append_pair(out, "truncated", true);
}

void ConsoleLines::append_pair(LineBuffer& out, std::string_view key, const log::Value& value) {
  out.append(' ');
  begin(out, Style::key);
  append_plain(out, key);
  out.append('=');
  end(out);
  append_value(out, value);
}

void ConsoleLines::append_value(LineBuffer& out, const log::Value& value) {
  switch (value.kind()) {
    case log::Value::Kind::boolean: out.append(value.boolean() ? "true" : "false"); return;
    case log::Value::Kind::integer:
      out.end_at(put_integer(out.reserve(number_max), value.integer()));
      return;
    case log::Value::Kind::natural:
      out.end_at(put_natural(out.reserve(number_max), value.natural()));
      return;
    case log::Value::Kind::real:
      out.end_at(put_real(out.reserve(number_max), value.real()));
      return;
    case log::Value::Kind::duration: append_duration(out, value.duration_ns()); return;
    case log::Value::Kind::text: {
      const std::string_view text = base::utf8::clip(value.text(), text_max);
      const bool is_quoted = needs_quotes(text);
      if (is_quoted) out.append('"');
      append_console_escaped(out, text, is_quoted);
      if (is_quoted) out.append('"');
      if (text.size() < value.text().size()) out.append("…");
      return;
    }
    case log::Value::Kind::texts:
      out.append('[');
      for (bool is_first = true; std::string_view text : value.texts()) {
        if (!is_first) out.append(", ");
        is_first = false;
        append_plain(out, text);
      }
      out.append(']');
  }
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

void ConsoleLines::append_plain(LineBuffer& out, std::string_view text) {
  const std::string_view clipped = base::utf8::clip(text, text_max);
  append_console_escaped(out, clipped, false);
  if (clipped.size() < text.size()) out.append("…");
}

void ConsoleLines::append_styled(LineBuffer& out, Style style, std::string_view text) {
  begin(out, style);
  append_plain(out, text);
  end(out);
}

void ConsoleLines::begin(LineBuffer& out, Style style) {
  if (!is_coloured_) return;
  switch (style) {
    case Style::dim: out.append("\x1b[2m"); return;
    case Style::strong: out.append("\x1b[1m"); return;
    case Style::path: out.append("\x1b[36m"); return;
    case Style::key: out.append("\x1b[2m"); return;
    case Style::verdict: out.append("\x1b[1;35m"); return;
    case Style::error: out.append("\x1b[1;31m"); return;
    case Style::warning: out.append("\x1b[33m"); return;
    case Style::info: out.append("\x1b[32m"); return;
    case Style::debug: out.append("\x1b[34m"); return;
  }
}

void ConsoleLines::end(LineBuffer& out) {
  if (is_coloured_) out.append("\x1b[0m");
}

}  // namespace actord::sinks
