// SPDX-License-Identifier: Apache-2.0
#include "ctl/trace_story.hpp"

#include <algorithm>
#include <map>
#include <ostream>

#include "ctl/json_members.hpp"
#include "ctl/log_text.hpp"
#include "ctl/text_table.hpp"
#include "ctl/titled_lines.hpp"
#include "message/trace_context.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

// Steps that are further below the first are not indented further.
constexpr std::size_t indented_max = 16;

struct Step {
  const Json* line = nullptr;
  std::uint64_t began_us = 0;  // since 1970
  std::size_t depth = 0;

  std::uint64_t took_us() const { return number_at(*line, "span.duration_us"); }
};

std::string us_text(std::uint64_t us) { return std::to_string(us) + " us"; }

/// In the order in which one has caused the next; steps with one cause by their beginnings. A step
/// whose cause is not known, such as one outside, is at the margin.
std::vector<Step> steps_in(const std::vector<Json>& lines) {
  std::multimap<std::string, Step> by_cause;
  std::map<std::string, bool> is_known;
  for (const Json& line : lines) {
    if (text_at(line, "event") == "actor.span") is_known[text_at(line, "span.id")] = true;
  }
  for (const Json& line : lines) {
    if (text_at(line, "event") != "actor.span") continue;
    Step step{&line};
    step.began_us = wall_us(line) - std::min(wall_us(line), step.took_us());
    const std::string cause = text_at(line, "span.parent_id");
    by_cause.emplace(is_known.contains(cause) ? cause : std::string{}, step);
  }
  std::vector<Step> steps, next;
  const auto add_caused_by = [&](const std::string& id, std::size_t depth) {
    const auto [begin, end] = by_cause.equal_range(id);
    const auto added = static_cast<std::ptrdiff_t>(next.size());
    for (auto each = begin; each != end; ++each) {
      next.push_back(each->second);
      next.back().depth = depth;
    }
    by_cause.erase(begin, end);
    std::ranges::stable_sort(next.begin() + added, next.end(), std::greater{}, &Step::began_us);
  };
  add_caused_by({}, 0);
  while (!next.empty()) {
    const Step step = next.back();
    next.pop_back();
    steps.push_back(step);
    add_caused_by(text_at(*step.line, "span.id"), step.depth + 1);
  }
  return steps;
}

}  // namespace

bool is_trace_id(std::string_view text) noexcept {
  return text.size() == message::trace_id_size &&
         text.find_first_not_of("0123456789abcdef") == text.npos;
}

void print_trace(const Call& call, const std::vector<Json>& lines, const std::string& id) {
  std::ostream& out = call.out;
  const std::vector<Step> steps = steps_in(lines);
  out << "trace " << id << '\n';
  if (!steps.empty()) {
    const auto end_of = [](const Step& step) { return step.began_us + step.took_us(); };
    const std::uint64_t begin = std::ranges::min(steps, {}, &Step::began_us).began_us;
    const std::uint64_t end = end_of(std::ranges::max(steps, {}, end_of));
    print_titled(out, "when", local_time(lines.front()));
    print_titled(out, "took", us_text(end - begin));
    out << '\n';
    using Align = TextTable::Column::Align;
    TextTable table({{"AFTER", Align::right},
                     {"WAITED", Align::right},
                     {"TOOK", Align::right},
                     {"MESSAGE"},
                     {"ACTOR"},
                     {"OUTCOME"}});
    for (const Step& step : steps) {
      const std::string type = text_at(*step.line, "message.type");
      table.add({us_text(step.began_us - begin), us_text(number_at(*step.line, "span.waited_us")),
                 us_text(step.took_us()),
                 std::string(2 * std::min(step.depth, indented_max), ' ') +
                     (type.empty() ? "(no message)" : type),
                 text_at(*step.line, "actor.path"), text_at(*step.line, "span.outcome")});
    }
    table.print(out);
    out << '\n';
  }
  out << "what was logged meanwhile\n";
  LogText text(out, call.terminal);
  std::size_t others = 0;
  for (const Json& line : lines) {
    if (text_at(line, "event") == "actor.span") continue;
    text.print(line);
    ++others;
  }
  if (others == 0) out << "  nothing\n";
}

}  // namespace actord::ctl
