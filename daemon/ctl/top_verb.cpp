// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>

#include "ctl/daemon_client.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/number_option.hpp"
#include "ctl/output_terminal.hpp"
#include "ctl/text_table.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"
#include "hocon/units.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

constexpr std::uint64_t actors_max = 1000, actors_default = 20, lines_of_head = 3;
constexpr std::uint64_t ms_min = 100, ms_max = 10'000;

const AnswerShape& top_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {{"configured", Form::number, {}, true},
                                    {"up", Form::number, {}, true},
                                    {"resident_bytes", Form::number, {}, true},
                                    {"messages_bytes", Form::number, {}, true},
                                    {"actors",
                                     Form::objects,
                                     {{"path", Form::text, {}, true},
                                      {"messages", Form::number, {}, true},
                                      {"failures", Form::number},
                                      {"restarts", Form::number}},
                                     true}};
  return shape;
}

double real_at(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_number() ? found->get<double>() : 0;
}

std::string rounded(double value, const char* format) {
  char text[32];
  return std::snprintf(text, sizeof text, format, value) > 0 ? text : "";
}

/// "12345", and "0.4" below 10.
std::string rate_text(double per_second) {
  return rounded(per_second, per_second < 9.95 && per_second > 0 ? "%.1f" : "%.0f");
}

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

/// One line, on a terminal as much of it as fits.
void print_head(std::ostream& out, const Json& top, OutputTerminal* terminal) {
  const std::uint64_t up = number_at(top, "up"), configured = number_at(top, "configured");
  const std::string actors =
      std::to_string(up) + " of " + std::to_string(configured) + " configured actors are up";
  const std::string rest = "; " + rate_text(real_at(top, "per_second")) + " messages/s; " +
                           mebibytes(number_at(top, "resident_bytes")) + ", messages " +
                           mebibytes(number_at(top, "messages_bytes"));
  const std::size_t columns = terminal != nullptr ? terminal->size().columns : SIZE_MAX;
  print_in(up == configured ? Colour::green : Colour::red, actors.substr(0, columns), out,
           terminal);
  out << rest.substr(0, columns - std::min(columns, actors.size())) << "\n\n";
}

TextTable table_of(const Json& actors) {
  using Align = TextTable::Column::Align;
  TextTable table({{"BUSY%", Align::right},
                   {"MSG/S", Align::right},
                   {"WAITING", Align::right},
                   {"FAILED", Align::right},
                   {"RESTARTS", Align::right},
                   {"PATH"}});
  for (const Json& each : actors) {
    const bool is_counted = each.contains("per_second");
    table.add(
        {rounded(100 * real_at(each, "busy"), "%.1f"),
         is_counted ? rate_text(real_at(each, "per_second")) : "-",
         each.contains("silent")
             ? "?"
             : (each.contains("has_more") ? "≥" : "") + std::to_string(number_at(each, "messages")),
         is_counted ? std::to_string(number_at(each, "failures")) : "-",
         is_counted ? std::to_string(number_at(each, "restarts")) : "-", text_at(each, "path")});
  }
  return table;
}

std::optional<std::uint64_t> interval_of(const Call& call, Exit& exit) {
  const auto duration = hocon::parse_duration_ns(call.value("delay", "1s"));
  const std::int64_t ms = duration ? *duration / 1'000'000 : 0;
  if (ms >= static_cast<std::int64_t>(ms_min) && ms <= static_cast<std::int64_t>(ms_max))
    return static_cast<std::uint64_t>(ms);
  exit = report_failure(call, {Exit::usage, "--delay cannot be \"" + call.value("delay") + '"',
                               "write a duration from 100ms to 10s"});
  return std::nullopt;
}

Exit top(const Call& call) {
  Exit exit = Exit::ok;
  // On a terminal it goes on, and fills the screen.
  const bool is_live = call.terminal != nullptr && !call.is_json() && !call.is_names();
  const auto interval = interval_of(call, exit);
  if (!interval) return exit;
  const auto rounds =
      number_option(call, "iterations", is_live ? UINT64_MAX : 1, {1, UINT64_MAX}, exit);
  const auto lines = number_option(call, "lines", 0, {1, actors_max}, exit);
  if (!rounds || !lines) return exit;
  Json arguments = {{"interval_ms", *interval}, {"sort", call.value("sort", "busy")}};
  for (std::uint64_t round = 0; round < *rounds && call.out.good(); ++round) {
    std::uint64_t most = *lines != 0 ? *lines : actors_default;
    if (is_live && *lines == 0) {
      const std::uint64_t rows = call.terminal->size().rows;
      most = rows > lines_of_head + 2 ? rows - lines_of_head - 1 : 1;
    }
    arguments["most"] = std::min(most, actors_max);
    const auto answer = ask_daemon(call, "top", arguments, top_shape(), exit);
    if (!answer) return exit;
    if (call.is_json()) {
      call.out << json_text(*answer) << '\n';
    } else if (call.is_names()) {
      for (const Json& each : answer->at("actors")) call.out << text_at(each, "path") << '\n';
    } else {
      if (is_live) call.terminal->clear();
      print_head(call.out, *answer, call.terminal);
      table_of(answer->at("actors")).print(call.out, is_live ? call.terminal->size().columns : 0);
    }
    call.out.flush();
  }
  return exit;
}

}  // namespace

Verb top_verb() {
  Verb verb{
      .group = {},
      .name = "top",
      .summary = "show which actors do the most",
      .description =
          "Shows the actors that do the most, or have the most to do: how much of one worker's\n"
          "time they take (BUSY%, from samples), messages a second, messages that wait, failures\n"
          "and restarts. On a terminal it goes on until ^C; otherwise it looks once. Messages a\n"
          "second, failures and restarts are known of the actors that are counted: those of the\n"
          "configuration, or all, as actord.metrics.actors says; of the others they are \"-\".\n"
          "An actor whose handler has not returned cannot say how many messages wait: \"?\".\n"
          "\n"
          "  actorctl top\n"
          "  actorctl top --sort mailbox -n 5\n"
          "  actorctl top -o json --delay 5s",
      .operands = {},
      .options =
          {{.name = "sort",
            .takes = Takes::words,
            .argument = "WHAT",
            .help = "busy (the default), rate, mailbox, failures or restarts",
            .words = {"busy", "rate", "mailbox", "failures", "restarts"}},
           {.name = "delay",
            .letter = 'd',
            .takes = Takes::text,
            .argument = "DURATION",
            .help = "look so long each time, 100ms to 10s; default: 1s"},
           {.name = "iterations", .takes = Takes::text, .argument = "N", .help = "look N times"},
           {.name = "lines",
            .letter = 'n',
            .takes = Takes::text,
            .argument = "N",
            .help = "show N actors; default: as many as fit, else 20"}},
      .run = &top};
  return with_names(with_daemon_options(std::move(verb)));
}

}  // namespace actord::ctl
