// SPDX-License-Identifier: Apache-2.0
//
// Formats records for a person at a terminal: what happens now, in lines of the window's width.
//
//   * A failure is one line, and so is a summary of failures; see failure_layout. A later record
//     that only confirms the decision is left out.
//   * Life-cycle records that come one after the other are one line; see life_cycle_fold.
//   * Records named "….progress" are one line at the bottom that is written over.
//   * The fields "summary.…" of a record are a block, one line each.
//   * Warnings and errors are continued on further lines, other records are cut.
//
// ConsoleLines writes every record in full instead.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "sinks/console_lines.hpp"
#include "sinks/failure_layout.hpp"
#include "sinks/failure_outcomes.hpp"
#include "sinks/life_cycle_fold.hpp"
#include "sinks/line_format.hpp"

namespace actord::sinks {

struct TerminalLinesOptions {
  bool is_coloured = false;
  /// Whether the line of progress is written over. Otherwise each progress_period it is an ordinary
  /// line.
  bool can_rewrite = false;
  std::function<unsigned()> columns;  // the window's width; called once for each batch
};

/// Threads: only the sink thread. `columns` is called on it.
class TerminalLines final : public LineFormat {
 public:
  /// How long life-cycle records wait for others.
  static constexpr std::int64_t fold_ns = 200'000'000;
  /// The least time between two lines of an actor's progress, where lines are not written over.
  static constexpr std::int64_t progress_period_ns = 10'000'000'000;

  explicit TerminalLines(TerminalLinesOptions options);

  void append(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) override;
  bool end_batch(LineBuffer& out, std::int64_t now_ns, bool is_last) override;

 private:
  void fold(const log::Record& record, std::int64_t wall_ns);
  void append_folded(LineBuffer& out);
  void note_progress(LineBuffer& out, const log::Record& record, std::int64_t wall_ns);
  void erase_progress(LineBuffer& out);
  void append_failure(LineBuffer& out, const log::Record& failure, std::int64_t wall_ns);
  void append_other(LineBuffer& out, const log::Record& record, std::int64_t wall_ns);
  void append_summary(LineBuffer& out, const log::Record& record, std::int64_t wall_ns);
  void append_line(LineBuffer& out, std::string_view line);
  void append_wrapped(LineBuffer& out, std::string_view line);
  std::string full_line(const log::Record& record, std::int64_t wall_ns);

  const TerminalLinesOptions options_;
  ConsoleLines console_;
  LocalText local_;
  LineBuffer scratch_;
  unsigned columns_ = 0;  // 0: not asked for in this batch
  LifeCycleFold fold_;
  FailureOutcomes outcomes_;

  std::string progress_;            // the line at the bottom; empty: there is none
  std::string progress_path_;       // the actor that it is about
  bool is_progress_drawn_ = false;  // the cursor stands behind it
  std::map<std::string, std::int64_t, std::less<>> progress_stamps_;  // last line, by actor
};

}  // namespace actord::sinks
