// SPDX-License-Identifier: Apache-2.0
#include "sinks/terminal_lines.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "sinks/columns.hpp"
#include "sinks/console_value.hpp"
#include "sinks/record_fields.hpp"

namespace actord::sinks {
namespace {

constexpr std::string_view summary_prefix = "summary.";
constexpr std::string_view indent = "  ";

bool is_progress(const log::Record& record) noexcept { return record.event.ends_with(".progress"); }

bool has_summary(const log::Record& record) noexcept {
  return std::ranges::any_of(
      record.fields, [](const log::Field& field) { return field.key.starts_with(summary_prefix); });
}

/// Whether the actor of the record ends, begins anew or has ended its work, so that its progress is
/// over.
bool ends_progress(const log::Record& record) noexcept {
  return has_summary(record) || record.event == "actor.stopped" ||
         record.event == "actor.restarted";
}

std::string escaped(std::string_view text) {
  LineBuffer out(text.size() + 16);
  append_console_text(out, text);
  return std::string(out.view());
}

std::string text_of_value(const log::Value& value) {
  if (value.kind() == log::Value::Kind::text) return escaped(value.text());
  LineBuffer out(64);
  append_console_value(out, value);
  return std::string(out.view());
}

/// Adds place, message and id. The place of a summary is the behaviour, or the actor if one alone
/// has failed; its message is the number of failures, and its id the first and the last one.
void add_subject(FailureTexts& texts, const log::Record& record) {
  const std::string_view path = text_of(record, "actor.path");
  const log::Value* const count = value_of(record, "count");
  if (record.event != "log.suppressed" || count == nullptr) {
    texts[FailurePart::place] = escaped(path);
    texts[FailurePart::message] = escaped(text_of(record, "failure.message"));
    texts[FailurePart::id] = escaped(text_of(record, "failure.id"));
    return;
  }
  const std::string first = escaped(text_of(record, "first.id"));
  const std::string last = escaped(text_of(record, "last.id"));
  texts[FailurePart::place] = escaped(path.empty() ? text_of(record, "actor.behaviour") : path);
  texts[FailurePart::message] = text_of_value(*count) + " more";
  texts[FailurePart::id] = first == last ? first : first + ".." + last;
}

/// "→ restart in 1.5s", "→ stop (restart denied)"
std::string verdict_of(const log::Record& failure) {
  const std::string_view directive = text_of(failure, "decision.directive");
  if (directive.empty()) return {};
  std::string text = "→ " + escaped(directive);
  if (const log::Value* delay = value_of(failure, "restart.delay"))
    text += " in " + text_of_value(*delay);
  if (value_of(failure, "decision.denied") != nullptr) text += " (restart denied)";
  return text;
}

Style style_of_part(FailurePart part, log::Level level) noexcept {
  switch (part) {
    case FailurePart::time: return Style::dim;
    case FailurePart::level: return style_of(level);
    case FailurePart::place: return Style::path;
    case FailurePart::type: return Style::strong;
    case FailurePart::verdict: return Style::verdict;
    case FailurePart::message:
    case FailurePart::rule:
    case FailurePart::origin:
    case FailurePart::id: break;
  }
  return Style::plain;
}

/// Where a line of at most `columns` is broken: after the last space in its second half, else
/// anywhere. At least one character is taken.
std::size_t break_of(std::string_view line, unsigned columns) noexcept {
  const std::size_t most = first_columns(line, columns).size();
  if (most == line.size()) return most;
  if (most == 0) return std::max<std::size_t>(first_columns(line, 2).size(), 1);
  const std::size_t space = line.substr(0, most).rfind(' ');
  return space == line.npos || space < most / 2 ? most : space + 1;
}

}  // namespace

TerminalLines::TerminalLines(TerminalLinesOptions options)
    : options_(std::move(options)), console_(options_.is_coloured) {}

void TerminalLines::append(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) {
  if (columns_ == 0) columns_ = std::max(options_.columns(), 1U);
  if (is_progress(record)) return note_progress(out, record, wall_ns);
  if (ends_progress(record) && text_of(record, "actor.path") == progress_path_) {
    erase_progress(out);
    progress_.clear();
  }
  if (outcomes_.is_confirmation(record)) return;
  if (LifeCycleFold::takes(record)) return fold(record, wall_ns);
  append_folded(out);
  if (record.event == "actor.failed" && value_of(record, "failure.type") != nullptr) {
    outcomes_.note(record);
    append_failure(out, record, wall_ns);
  } else if (record.event == "log.suppressed" && value_of(record, "failure.type") != nullptr) {
    append_failure(out, record, wall_ns);
  } else if (has_summary(record)) {
    append_summary(out, record, wall_ns);
  } else {
    append_other(out, record, wall_ns);
  }
}

bool TerminalLines::end_batch(LineBuffer& out, std::int64_t now_ns, bool is_last) {
  if (columns_ == 0) columns_ = std::max(options_.columns(), 1U);
  if (!fold_.is_empty() && (is_last || now_ns - fold_.first_stamp_ns() >= fold_ns))
    append_folded(out);
  if (is_last) {
    erase_progress(out);
  } else if (!progress_.empty() && !is_progress_drawn_) {
    // One column stays free: many terminals go to the next line behind the last one.
    out.append(cut_end(progress_, columns_ - 1));
    is_progress_drawn_ = true;
  }
  columns_ = 0;
  return !fold_.is_empty();
}

// ---- life cycle ---------------------------------------------------------------------------------

void TerminalLines::fold(const log::Record& record, std::int64_t wall_ns) {
  LifeCycleFold::Group& group = fold_.add(record, wall_ns);
  if (group.count == 1) group.line = full_line(record, wall_ns);
}

void TerminalLines::append_folded(LineBuffer& out) {
  for (const LifeCycleFold::Group& group : fold_.groups()) {
    if (group.count == 1) {
      append_line(out, group.line);
      continue;
    }
    const std::string sentence = sentence_of(group);
    log::Record record;
    record.level = group.level;
    record.event = sentence;
    append_line(out, full_line(record, group.wall_ns));
  }
  fold_.clear();
}

// ---- progress -----------------------------------------------------------------------------------

void TerminalLines::note_progress(LineBuffer& out, const log::Record& record,
                                  std::int64_t wall_ns) {
  const std::string_view path = text_of(record, "actor.path");
  if (options_.can_rewrite) {
    erase_progress(out);
    progress_path_ = path;
    progress_ = path.empty() ? escaped(record.event) : escaped(path);
    progress_ += ' ' + escaped(record.msg);
    for (const log::Field& field : record.fields) {
      if (field.key != "actor.path")
        progress_ += ' ' + escaped(field.key) + '=' + text_of_value(field.value);
    }
    return;
  }
  const auto [last, is_new] = progress_stamps_.try_emplace(std::string(path), record.stamp_ns);
  if (!is_new && record.stamp_ns - last->second < progress_period_ns) return;
  last->second = record.stamp_ns;
  append_folded(out);
  append_other(out, record, wall_ns);
}

void TerminalLines::erase_progress(LineBuffer& out) {
  if (std::exchange(is_progress_drawn_, false)) out.append(erase_line);
}

// ---- lines --------------------------------------------------------------------------------------

void TerminalLines::append_failure(LineBuffer& out, const log::Record& failure,
                                   std::int64_t wall_ns) {
  FailureTexts texts;
  add_subject(texts, failure);
  texts[FailurePart::time] = std::string(local_(wall_ns));
  texts[FailurePart::level] = std::string(label_of(failure.level));
  texts[FailurePart::type] = escaped(text_of(failure, "failure.type"));
  texts[FailurePart::verdict] = verdict_of(failure);
  texts[FailurePart::rule] = escaped(text_of(failure, "decision.rule"));
  texts[FailurePart::origin] = escaped(text_of(failure, "decision.config_origin"));
  const FailureTexts line = lay_out_failure(std::move(texts), columns_);
  erase_progress(out);
  for (std::size_t i = 0; i < failure_parts; ++i) {
    const Style style = style_of_part(static_cast<FailurePart>(i), failure.level);
    const bool is_styled = options_.is_coloured && style != Style::plain && !line.texts[i].empty();
    if (is_styled) out.append(begin_of(style));
    out.append(line.texts[i]);
    if (is_styled) out.append(end_of_style);
  }
  out.append('\n');
}

void TerminalLines::append_other(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) {
  const std::string line = full_line(record, wall_ns);
  if (record.level <= log::Level::warning) append_wrapped(out, line);
  else append_line(out, line);
}

void TerminalLines::append_summary(LineBuffer& out, const log::Record& record,
                                   std::int64_t wall_ns) {
  log::Record head = record;
  std::vector<log::Field> about;
  unsigned widest = 0;
  for (const log::Field& field : record.fields) {
    if (field.key == "actor.path") about.push_back(field);
    if (field.key.starts_with(summary_prefix))
      widest = std::max(widest, columns_of(escaped(field.key.substr(summary_prefix.size()))));
  }
  head.fields = about;
  append_line(out, full_line(head, wall_ns));
  for (const log::Field& field : record.fields) {
    if (!field.key.starts_with(summary_prefix)) continue;
    std::string label = escaped(field.key.substr(summary_prefix.size()));
    label.append(widest - columns_of(label), ' ');
    std::ranges::replace(label, '_', ' ');
    std::string line(indent);
    line.append(label).append(indent).append(text_of_value(field.value));
    // Continued as in a shell, so that a command can be copied.
    std::string_view rest = line;
    while (columns_ > 1 && first_columns(rest, columns_).size() < rest.size()) {
      const std::size_t end = break_of(rest, columns_ - 1);
      append_line(out, std::string(rest.substr(0, end)) + '\\');
      rest.remove_prefix(end);
    }
    append_line(out, rest);
  }
}

/// Appends as much of the line as fits into the window.
void TerminalLines::append_line(LineBuffer& out, std::string_view line) {
  erase_progress(out);
  out.append(cut_end(line, columns_));
  out.append('\n');
}

/// Appends the whole line, on further lines where it does not fit.
void TerminalLines::append_wrapped(LineBuffer& out, std::string_view line) {
  const std::string_view margin = columns_ >= 20 ? indent : std::string_view{};
  erase_progress(out);
  for (bool is_first = true; !line.empty(); is_first = false) {
    const unsigned taken = is_first ? 0 : static_cast<unsigned>(margin.size());
    const std::size_t end = break_of(line, columns_ - taken);
    if (!is_first) out.append(margin);
    out.append(line.substr(0, end));
    out.append('\n');
    line.remove_prefix(end);
  }
}

/// The record's line as ConsoleLines writes it, without its newline.
std::string TerminalLines::full_line(const log::Record& record, std::int64_t wall_ns) {
  scratch_.clear();
  console_.append(scratch_, record, wall_ns);
  return std::string(scratch_.view().substr(0, scratch_.size() - 1));
}

}  // namespace actord::sinks
